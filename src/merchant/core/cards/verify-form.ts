// Authorises a member's browser: a posted form must be ours, for this member, key and purpose, and a key in the path
// must belong to the member. Both are checked before anything else in the request is used.

import { randomBytes } from 'node:crypto';
import { isCustomerUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import type { PageRequest } from '../../platform/http/page-request';
import { getReturnUrl, parseReturnUrl, withReturnUrl } from '../../platform/http/return-url';
import { shopOf } from '../../platform/http/shop-files';
import type { Page } from '../../platform/http/views';
import { isSignedWith, sign, type Secrets } from '../../platform/secrets';
import { findKey, replaceableKeys, type StoredBillingKey } from '../billing-keys/billing-key-store';
import { cardErrors } from './errors';
import { en } from './texts.en';
import { ko, type CardTexts } from './texts.ko';

/**
 * Lifetime of the token that signs the hidden fields of a form. A token is valid once, and also protects against CSRF,
 * because other sites cannot create one.
 */
const FORM_LIFETIME_MS = 15 * 60 * 1000;

/** What a form is signed for: purpose, member, key and return URL. */
export type FormSubject = {
  customerUid: string;
  memberId: string;
  /** What its post does. */
  purpose: string;
  /** The hidden return_url; null if the form has none. */
  returnUrl: string | null;
};

/** A token of ours. Storing the nonce uses up the form. */
type FormToken = { nonce: string; ageMs: number; isExpired: boolean };

/** Signed with the first secret. */
export function issueFormToken([secret]: Secrets, subject: FormSubject, now: Date): string {
  const nonce = randomBytes(18).toString('base64url');
  const issuedAtMs = now.getTime();
  return `${nonce}.${issuedAtMs}.${sign(secret, signedText(subject, nonce, issuedAtMs))}`;
}

/**
 * Accepts each of the secrets, so that forms survive a rotation (docs/07-maintenance.md). A token expires after 15
 * minutes.
 * @returns null for a forged token: not created by us, or for another member, key, purpose or return_url; missing; or
 * changed
 */
export function checkFormToken(
  secrets: Secrets,
  subject: FormSubject,
  token: unknown,
  now: Date,
): FormToken | null {
  const parts = typeof token === 'string' ? TOKEN.exec(token) : null;
  const [, nonce, issuedAt, signature] = parts ?? [];
  if (nonce === undefined || issuedAt === undefined || signature === undefined) return null;
  const text = signedText(subject, nonce, Number(issuedAt));
  if (!secrets.some((secret) => isSignedWith(secret, text, signature))) return null;
  const ageMs = now.getTime() - Number(issuedAt);
  return { nonce, ageMs, isExpired: ageMs > FORM_LIFETIME_MS };
}

/** 18 random bytes in base64url, the time, and the signature. */
const TOKEN = /^([\w-]{24})\.([0-9]{1,15})\.([\w-]{43})$/;

function signedText(
  { customerUid, memberId, purpose, returnUrl }: FormSubject,
  nonce: string,
  issuedAtMs: number,
): string {
  // A JSON array is unambiguous: different subjects never have the same text.
  const fields = ['form', customerUid, memberId, purpose, nonce, issuedAtMs];
  return JSON.stringify(returnUrl === null ? fields : [...fields, returnUrl]);
}

/** `page`: the path of the page with the form. */
type PostedForm = { purpose: string; page: string };

export type VerifiedForm = FormToken & { memberId: string; customerUid: string; returnUrl: string | null };

/**
 * Checks the hidden fields of the form (§1).
 * @throws HttpError 403 `forged_form`; 400 `return_url_refused` if RETURN_URLS has changed since the form was made
 */
function verifyForm(
  { config, realClock }: Context,
  asked: PageRequest,
  purpose: string,
  memberId: string,
): VerifiedForm {
  const fields = asked.request.body as Partial<Record<'customer_uid' | 'form_token' | 'return_url', unknown>>;
  const { customer_uid: customerUid, return_url: signedUrl = null } = fields;
  if (typeof customerUid !== 'string') throw new HttpError(cardErrors.forged_form);
  if (signedUrl !== null && typeof signedUrl !== 'string') throw new HttpError(cardErrors.forged_form);
  const inPath = pathCustomerUid(asked);
  if (inPath !== undefined && inPath !== customerUid) throw new HttpError(cardErrors.forged_form);
  const subject = { customerUid, memberId, purpose, returnUrl: signedUrl };
  const token = checkFormToken(config.formSecrets, subject, fields.form_token, realClock.now());
  if (token === null) throw new HttpError(cardErrors.forged_form);
  return { ...token, memberId, customerUid, returnUrl: getReturnUrl(config, signedUrl ?? undefined) };
}

/**
 * Null if no member is signed in; the answer was then sent. A post calls only `currentMember`: a post caused by another
 * site lacks SameSite=Lax cookies, and signing in a new member in the answer would replace the cookie of the member in
 * that browser. The answer links to the form, where `requireMember` decides.
 * @throws HttpError as `verifyForm`
 */
export async function verifyPostedForm(
  context: Context,
  asked: PageRequest,
  { purpose, page }: PostedForm,
): Promise<VerifiedForm | null> {
  const { request, response, views } = asked;
  const memberId = await shopOf(request).currentMember(request);
  if (memberId !== null) return verifyForm(context, asked, purpose, memberId);
  addLogFields(response, { outcome: 'signed_out' });
  views.send(request, response, signedOutPage(context, asked, page));
  return null;
}

/** Undefined if the path has no key. */
export function pathCustomerUid({ request }: PageRequest): string | undefined {
  return request.params['customer_uid'] as string | undefined;
}

/**
 * The session ended while the form was open, or cookies are off. Nothing of the form was used, and the page links to
 * where the member signs in and gets a new form. 403 as for a forged form, because the form cannot be verified without
 * its member.
 */
function signedOutPage({ config }: Context, { request }: PageRequest, page: string): Page<CardTexts> {
  // The signature cannot be checked without the member, so the return URL is validated again before the new form uses
  // it.
  const { return_url: named } = request.body as { return_url?: unknown };
  const openAgain = withReturnUrl(page, parseReturnUrl(config, named));
  return {
    status: 403,
    template: 'cards/signed-out',
    texts: { ko, en },
    title: ({ signedOut }) => signedOut.title,
    isError: true,
    path: openAgain,
    data: { openAgain },
  };
}

/**
 * The member's key, in any state.
 * @throws HttpError 404 `no_such_card`, 403 `card_of_another_member`
 */
export async function getMemberKey(
  context: Context,
  customerUid: string,
  memberId: string,
): Promise<StoredBillingKey> {
  // The database refuses some texts, such as NUL, so we look up only valid ids.
  const key = isCustomerUid(customerUid) ? await findKey(context, customerUid) : null;
  if (!key) throw new HttpError(cardErrors.no_such_card);
  if (key.memberId !== memberId) throw new HttpError(cardErrors.card_of_another_member);
  return key;
}

/**
 * Throws unless the member has this key, in a state in which its card can be replaced.
 * @throws HttpError 404 `no_such_card`, 403 `card_of_another_member`
 */
export async function requireReplaceable(
  context: Context,
  customerUid: string,
  memberId: string,
): Promise<void> {
  const { status } = await getMemberKey(context, customerUid, memberId);
  if (!replaceableKeys.has(status)) throw new HttpError(cardErrors.no_such_card);
}
