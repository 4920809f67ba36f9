// The members of a server without a sign-in of its own: every browser is one. A random id stands in a cookie signed with
// MEMBER_SECRET, set when one of the member's pages is opened for the first time. current-member.ts uses them until a shop
// replaces it, and so do the tests.

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Config } from '../platform/config';
import { contextOf } from '../platform/http/shop-files';

const MAX_AGE_SECONDS = 365 * 24 * 3600;

/** Said at every start in production. It is not refused: a shop without accounts of its own may want just this. */
export const IN_PRODUCTION = {
  meaning:
    'src/merchant/shop/current-member.ts is as shipped: every browser is a member of its own for a year, nobody signs in or out, and whoever uses a browser uses its cards',
  fix: 'Have it ask your own sign-in: docs/03-guides/1-own-sign-in.md.',
};

/** Resolves to the id of the member, at most 64 characters, or to null for a stranger. */
export async function currentMember(request: Request): Promise<string | null> {
  return Promise.resolve(readCookie(request)?.memberId ?? null);
}

/**
 * The same, for a page that needs a member: every GET of a member's page calls it, and no POST does. Null means that it has
 * answered the request itself, such as by a redirect to your sign-in: the caller then does nothing more. As shipped it never
 * does: a stranger becomes a member, and the answer carries the cookie. So does the answer to a member whose cookie was not
 * signed with the secret in use, which lets an old one go as soon as its members have come back.
 */
export async function requireMember(request: Request, response: Response): Promise<string | null> {
  const known = readCookie(request);
  const memberId = known?.memberId ?? `member_${randomUUID().replaceAll('-', '')}`;
  if (!known?.isCurrent) response.append('Set-Cookie', cookieOf(contextOf(request).config, memberId));
  return Promise.resolve(memberId);
}

/** `isCurrent`: signed with the secret in use. Null for a stranger. */
function readCookie(request: Request): { memberId: string; isCurrent: boolean } | null {
  const { config } = contextOf(request);
  const value = parseCookie(request.headers.cookie ?? '')[cookieName(config)];
  const [, memberId, signature] = /^(member_[0-9a-f]{32})\.([\w-]{43})$/.exec(value ?? '') ?? [];
  if (memberId === undefined || signature === undefined) return null;
  const isSignedWith = (secret: string) =>
    timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, memberId)));
  if (!config.memberSecrets.some(isSignedWith)) return null;
  return { memberId, isCurrent: isSignedWith(config.memberSecrets[0]) };
}

function cookieOf(config: Config, memberId: string): string {
  return stringifySetCookie({
    name: cookieName(config),
    value: `${memberId}.${sign(config.memberSecrets[0], memberId)}`,
    path: '/',
    maxAge: MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: config.production,
  });
}

/** With the prefix a browser takes the cookie over TLS and from this very host only: no sibling domain can plant one. */
function cookieName({ production }: Config): string {
  return production ? '__Host-member' : 'member';
}

function sign(secret: string, memberId: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['member', memberId]))
    .digest('base64url');
}
