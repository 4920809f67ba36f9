// A posted form was made by us, for this member, this key and this purpose. This is verified before anything else of the
// form is read, and before its customer_uid is used for anything.

import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { getReturnUrl } from '../../platform/http/return-url';
import { cardErrors } from './errors';
import { checkFormToken, type FormPurpose } from './form-token';

export type PostedForm = {
  memberId: string;
  /** The key that the path names; undefined where the path names none. */
  pathCustomerUid: string | undefined;
  purpose: FormPurpose;
  body: unknown;
};

export type VerifiedForm = { memberId: string; customerUid: string; returnUrl: string | null } & (
  { expired: false; nonce: string; ageMs: number } | { expired: true }
);

/**
 * Checks the hidden fields of the form (§1).
 * @throws HttpError 403 `forged_form`; 400 `return_url_refused` where RETURN_URLS has changed since the form was made
 */
export function verifyForm({ config, clock }: Context, posted: PostedForm): VerifiedForm {
  const { memberId, pathCustomerUid, purpose } = posted;
  const fields = (posted.body ?? {}) as Partial<
    Record<'customer_uid' | 'form_token' | 'return_url', unknown>
  >;
  const { customer_uid: customerUid, return_url: signedUrl = null } = fields;
  if (typeof customerUid !== 'string') throw new HttpError(cardErrors.forged_form);
  if (signedUrl !== null && typeof signedUrl !== 'string') throw new HttpError(cardErrors.forged_form);
  if (pathCustomerUid !== undefined && pathCustomerUid !== customerUid)
    throw new HttpError(cardErrors.forged_form);
  const subject = { customerUid, memberId, purpose, returnUrl: signedUrl };
  const check = checkFormToken(config.formSecrets, subject, fields.form_token, clock.now());
  if (check.result === 'forged') throw new HttpError(cardErrors.forged_form);
  const form = { memberId, customerUid, returnUrl: getReturnUrl(config, signedUrl ?? undefined) };
  switch (check.result) {
    case 'ok':
      return { ...form, expired: false, nonce: check.nonce, ageMs: check.ageMs };
    case 'expired':
      return { ...form, expired: true };
  }
}
