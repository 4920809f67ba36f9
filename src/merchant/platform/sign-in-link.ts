// The link with which `npm start` signs an operator in: signed with OPERATOR_PASSWORD, so that it is stored nowhere. It ends after
// a few minutes. The operators' pages accept it once, and only while the sandbox is the payment service.

import { randomBytes } from 'node:crypto';
import { isSignedWith, sign, type Secrets } from './secrets';

export const LINK_MINUTES = 10;

const signed = (text: string) => `operator-sign-in-link ${text}`;

export function createSignInLink(password: string, now: Date): string {
  const text = `${now.getTime() + LINK_MINUTES * 60_000}.${randomBytes(18).toString('base64url')}`;
  return `${text}.${sign(password, signed(text))}`;
}

/** The accepted password that it was signed with, and the id by which it counts as used; null if it is false or has ended. */
export function readSignInLink(
  passwords: Secrets,
  link: string,
  now: Date,
): { id: string; password: string } | null {
  const [, text = '', ends = '', id = '', signature = ''] =
    /^((\d{13})\.([\w-]{24}))\.([\w-]{43})$/.exec(link) ?? [];
  const ms = Number(ends) - now.getTime();
  if (signature === '' || ms <= 0 || ms > LINK_MINUTES * 60_000) return null;
  const password = passwords.find((each) => isSignedWith(each, signed(text), signature));
  return password === undefined ? null : { id, password };
}
