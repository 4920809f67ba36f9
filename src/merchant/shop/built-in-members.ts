// Members for a server without a sign-in of its own. A card link signs in the member that your systems name
// (src/merchant/options/card-links). A browser without one is its own member: a random id is stored in a cookie signed
// with MEMBER_SECRET, set when the browser first opens a member's page. current-member.ts uses both until a shop
// replaces it, and so do the tests.

import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Config } from '../platform/config';
import { ownCookie, readOwnCookie } from '../platform/http/own-cookie';
import { contextOf } from '../platform/http/shop-files';
import { linkIn } from '../platform/http/views';
import { isSignedWith, sign } from '../platform/secrets';
import { settingsOf } from '../platform/settings';
import { shopSettings } from './settings';

const COOKIE = 'member';
/** Also of a cookie by a card link: a browser that has had one does not become another member when the sign-in ends. */
const MAX_AGE_SECONDS = 365 * 24 * 3600;
/** How long a card link signs in. Our choice: a form of fifteen minutes, a second try, and a look at the list. */
const SIGNED_IN_SECONDS = 3600;
/** Where a browser is sent whose sign-in by a card link has ended. Without a token, the page says what to do. */
const LINK_PAGE = '/cards/link';

/** Logged at every start in production. It is not an error: a shop that uses card links wants this. */
export const IN_PRODUCTION = {
  meaning:
    'src/merchant/shop/current-member.ts is as shipped: a card link signs in your member; a browser without one is a member of its own for a year, and whoever uses it uses its cards',
  fix: 'Send members by card links alone (docs/03-guides/11-another-language.md), or have the file ask your own sign-in (docs/03-guides/1-own-sign-in.md).',
};

/** Resolves to the member's id, at most 64 characters, or to null if the request has no member. */
export async function currentMember(request: Request): Promise<string | null> {
  const known = readCookie(request);
  return Promise.resolve(known === null || known.hasEnded ? null : known.memberId);
}

/**
 * The same, for a page that needs a member: called by every GET of a member's page, and by no POST. Null means that
 * this function has answered the request, for example with a redirect to your sign-in; the caller then does nothing
 * more. Here that happens if a sign-in by a card link has ended. A new visitor becomes a member, and the answer sets
 * the cookie. A cookie signed with an old secret is signed again, so an old secret can be removed once its members have
 * come back.
 */
export async function requireMember(request: Request, response: Response): Promise<string | null> {
  const known = readCookie(request);
  if (known?.hasEnded) {
    response.redirect(303, linkIn(request, LINK_PAGE));
    return null;
  }
  const memberId = known?.memberId ?? `member_${randomUUID().replaceAll('-', '')}`;
  if (!known?.isCurrent) setCookie(request, response, { memberId, endsAt: known?.endsAt ?? null });
  return Promise.resolve(memberId);
}

/** Signs this browser in as the member of a card link, for an hour, in place of the member that it was. */
export function signInByLink(request: Request, response: Response, memberId: string): void {
  const endsAt = Math.floor(contextOf(request).realClock.now().getTime() / 1000) + SIGNED_IN_SECONDS;
  setCookie(request, response, { memberId, endsAt });
}

/** `endsAt`: UNIX seconds; null for a browser that is its own member. */
type Member = { memberId: string; endsAt: number | null };

/** `isCurrent`: signed with the secret in use. Null without a valid cookie. */
function readCookie(request: Request): (Member & { isCurrent: boolean; hasEnded: boolean }) | null {
  const { config, realClock } = contextOf(request);
  const value = readOwnCookie(cookieConfig(config), COOKIE, request.headers.cookie);
  const [, content, signature] = /^(.{1,400})\.([\w-]{43})$/.exec(value ?? '') ?? [];
  if (content === undefined || signature === undefined) return null;
  const hasSigned = (secret: string) => isSignedWith(secret, signedText(content), signature);
  const { MEMBER_SECRET: secrets } = settingsOf(config, shopSettings);
  if (!secrets.some(hasSigned)) return null;
  const member = parseContent(content);
  const hasEnded = member.endsAt !== null && realClock.now().getTime() >= member.endsAt * 1000;
  return { ...member, isCurrent: hasSigned(secrets[0]), hasEnded };
}

function setCookie(request: Request, response: Response, member: Member): void {
  const { config } = contextOf(request);
  const content = toContent(member);
  const [secret] = settingsOf(config, shopSettings).MEMBER_SECRET;
  const value = `${content}.${sign(secret, signedText(content))}`;
  const cookie = { name: COOKIE, value, maxAge: MAX_AGE_SECONDS };
  response.append('Set-Cookie', ownCookie(cookieConfig(config), cookie));
}

/** A random id is text that any cookie can hold. The id of a link's member is encoded, behind the end of its sign-in. */
function toContent({ memberId, endsAt }: Member): string {
  return endsAt === null ? memberId : `${endsAt}.${Buffer.from(memberId).toString('base64url')}`;
}

function parseContent(content: string): Member {
  const [, endsAt, encoded] = /^(\d+)\.([\w-]+)$/.exec(content) ?? [];
  if (endsAt === undefined || encoded === undefined) return { memberId: content, endsAt: null };
  return { memberId: Buffer.from(encoded, 'base64url').toString(), endsAt: Number(endsAt) };
}

const cookieConfig = ({ pathPrefix, production }: Config) => ({ pathPrefix, overTls: production });

const signedText = (content: string): string => JSON.stringify(['member', content]);
