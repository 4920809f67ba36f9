// WHO IS THIS? The one file to replace: have `currentMember` ask your own sign-in, and drop the rest.
// As it stands, every browser is its own member: a random id in a signed cookie, made on the first visit to the form.

import { parseCookie, stringifySetCookie } from 'cookie';
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';

export type Members = {
  /** The member who sends this request; null for a stranger. At most 64 characters. */
  currentMember(request: Request): string | null;
  /** The same, except that a stranger becomes a member: the answer carries the cookie. */
  welcomeMember(request: Request, response: Response): string;
};

const MAX_AGE_SECONDS = 365 * 24 * 3600;

export function createMembers(config: { formSecret: string; production: boolean }): Members {
  // With the prefix a browser takes the cookie over TLS and from this very host only: no sibling domain can plant one.
  const name = config.production ? '__Host-member' : 'member';
  const sign = (memberId: string) =>
    createHmac('sha256', config.formSecret)
      .update(JSON.stringify(['member', memberId]))
      .digest('base64url');

  function currentMember(request: Request): string | null {
    const value = parseCookie(request.headers.cookie ?? '')[name];
    const [, memberId, signature] = /^(member_[0-9a-f]{32})\.([\w-]{43})$/.exec(value ?? '') ?? [];
    if (memberId === undefined || signature === undefined) return null;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(memberId))) ? memberId : null;
  }

  function welcomeMember(request: Request, response: Response): string {
    const known = currentMember(request);
    if (known !== null) return known;
    const memberId = `member_${randomUUID().replaceAll('-', '')}`;
    const cookie = stringifySetCookie({
      name,
      value: `${memberId}.${sign(memberId)}`,
      path: '/',
      maxAge: MAX_AGE_SECONDS,
      httpOnly: true,
      sameSite: 'lax',
      secure: config.production,
    });
    response.append('Set-Cookie', cookie);
    return memberId;
  }

  return { currentMember, welcomeMember };
}
