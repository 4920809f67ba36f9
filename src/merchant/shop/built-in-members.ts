// Members for a server without its own sign-in: every browser is one. A random id is stored in a cookie signed with
// MEMBER_SECRET, set when the browser first opens a member's page. current-member.ts uses them until a shop replaces
// it, and so do the tests.

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Config } from '../platform/config';
import { contextOf } from '../platform/http/shop-files';

const MAX_AGE_SECONDS = 365 * 24 * 3600;

/** Logged at every start in production. It is not an error: a shop without accounts may want exactly this. */
export const IN_PRODUCTION = {
  meaning:
    'src/merchant/shop/current-member.ts is as shipped: every browser is a member of its own for a year, nobody signs in or out, and whoever uses a browser uses its cards',
  fix: 'Have it ask your own sign-in: docs/03-guides/1-own-sign-in.md.',
};

/** Resolves to the member's id, at most 64 characters, or to null if the request has no member. */
export async function currentMember(request: Request): Promise<string | null> {
  return Promise.resolve(readCookie(request)?.memberId ?? null);
}

/**
 * The same, for a page that needs a member: called by every GET of a member's page, and by no POST. Null means that
 * this function has answered the request, for example with a redirect to your sign-in; the caller then does nothing
 * more. The built-in members never return null: a new visitor becomes a member, and the answer sets the cookie. A
 * cookie signed with an old secret is signed again, so an old secret can be removed once its members have come back.
 */
export async function requireMember(request: Request, response: Response): Promise<string | null> {
  const known = readCookie(request);
  const memberId = known?.memberId ?? `member_${randomUUID().replaceAll('-', '')}`;
  if (!known?.isCurrent) response.append('Set-Cookie', cookieOf(contextOf(request).config, memberId));
  return Promise.resolve(memberId);
}

/** `isCurrent`: signed with the secret in use. Null without a valid cookie. */
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

/**
 * With the prefix, a browser accepts the cookie only over TLS and from exactly this host, so that no sibling domain can
 * set one.
 */
function cookieName({ production }: Config): string {
  return production ? '__Host-member' : 'member';
}

function sign(secret: string, memberId: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['member', memberId]))
    .digest('base64url');
}
