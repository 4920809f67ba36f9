// The token of a form signs its hidden fields for one member and one purpose. It is good once, for a quarter of an
// hour. It is the CSRF protection too: no other site can make one for this member.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../platform/secrets';

const FORM_LIFETIME_MS = 15 * 60 * 1000;

export type FormPurpose = 'register' | 'replace' | 'remove';
/** What a form may do: this, by this member, to this key; and where it leads then. */
export type FormSubject = {
  customerUid: string;
  memberId: string;
  purpose: FormPurpose;
  /** The hidden return_url. Null means that the form has none. */
  returnUrl: string | null;
};

/** `ok` carries the nonce: the form is used as soon as the nonce is stored. */
export type FormTokenCheck =
  { result: 'ok'; nonce: string; ageMs: number } | { result: 'expired' } | { result: 'forged' };

/** Signed with the first secret. */
export function issueFormToken([secret]: Secrets, subject: FormSubject, now: Date): string {
  const nonce = randomBytes(18).toString('base64url');
  const issuedAtMs = now.getTime();
  return `${nonce}.${issuedAtMs}.${sign(secret, subject, nonce, issuedAtMs)}`;
}

/**
 * Accepted with each of the secrets, so that a form survives their rotation (docs/07-maintenance.md).
 * Forged: made by somebody else, or for another member, key, purpose or return_url; missing; changed in any place.
 * Expired: ours, and older than 15 minutes.
 */
export function checkFormToken(
  secrets: Secrets,
  subject: FormSubject,
  token: unknown,
  now: Date,
): FormTokenCheck {
  const parts = typeof token === 'string' ? TOKEN.exec(token) : null;
  const [, nonce, issuedAt, signature] = parts ?? [];
  if (nonce === undefined || issuedAt === undefined || signature === undefined) return { result: 'forged' };
  const isSignedWith = (secret: string) =>
    timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, subject, nonce, Number(issuedAt))));
  if (!secrets.some(isSignedWith)) return { result: 'forged' };
  const ageMs = now.getTime() - Number(issuedAt);
  return ageMs > FORM_LIFETIME_MS ? { result: 'expired' } : { result: 'ok', nonce, ageMs };
}

// Lengths are fixed, which `timingSafeEqual` relies on: 18 random bytes and a SHA-256 in base64url.
const TOKEN = /^([\w-]{24})\.([0-9]{1,15})\.([\w-]{43})$/;

function sign(secret: string, subject: FormSubject, nonce: string, issuedAtMs: number): string {
  const { customerUid, memberId, purpose, returnUrl } = subject;
  // An array in JSON has one reading: no two subjects have the same text.
  const fields = ['form', customerUid, memberId, purpose, nonce, issuedAtMs];
  const text = JSON.stringify(returnUrl === null ? fields : [...fields, returnUrl]);
  return createHmac('sha256', secret).update(text).digest('base64url');
}
