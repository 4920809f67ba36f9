// Who has signed in to the operator pages: a signed cookie, and nothing in the database. It names the operator as the
// operator has named itself, which is what decisions are written down with, and ends twelve hours after the sign-in.

import { createHash, createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../../platform/config';

/** Absolute: a session that is used lives no longer. Our choice. */
const SESSION_SECONDS = 12 * 3600;

type Session = { by: string; endsAt: number };
type SessionConfig = Pick<Config, 'operatorPasswords' | 'publicOrigin'>;

/** Whether it is one of the passwords that are accepted; each is compared in constant time. */
export function findPassword({ operatorPasswords }: SessionConfig, given: string): string | null {
  // All of them are compared, so that the time does not tell which it was.
  const equal = operatorPasswords.filter((password) => timingSafeEqual(digest(given), digest(password)));
  return equal[0] ?? null;
}

/**
 * `Set-Cookie` of a new session. It is signed with a key of the password that was given: when that one is no longer
 * accepted, whoever used it is signed out, and nobody else is.
 */
export async function sessionCookie(
  config: SessionConfig,
  { by, password, now }: { by: string; password: string; now: Date },
): Promise<string> {
  const session: Session = { by, endsAt: Math.floor(now.getTime() / 1000) + SESSION_SECONDS };
  const content = Buffer.from(JSON.stringify(session)).toString('base64url');
  return cookieOf(config, `${content}.${sign(await keyOf(password), content)}`, SESSION_SECONDS);
}

/** `Set-Cookie` that takes the session away from this browser. The server keeps no session, so a copy of the cookie lives on. */
export function endedCookie(config: SessionConfig): string {
  return cookieOf(config, '', 0);
}

/** The name that the operator has given, or null for whoever is not signed in. */
export async function findOperator(
  config: SessionConfig,
  cookieHeader: string | undefined,
  now: Date,
): Promise<string | null> {
  const value = parseCookie(cookieHeader ?? '')[cookieName(config)];
  const [, content, signature] = /^([\w-]{1,400})\.([\w-]{43})$/.exec(value ?? '') ?? [];
  if (content === undefined || signature === undefined) return null;
  const keys = await Promise.all(config.operatorPasswords.map(keyOf));
  const isOurs = keys.some((key) => timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, content))));
  if (!isOurs) return null;
  const { by, endsAt } = JSON.parse(Buffer.from(content, 'base64url').toString()) as Session;
  return now.getTime() < endsAt * 1000 ? by : null;
}

/**
 * SameSite=Lax: a link in an alert or a chat opens the page that it names. No GET changes anything, and a post that another
 * site causes comes without the cookie and is refused by the origin check as well.
 */
function cookieOf(config: SessionConfig, value: string, maxAge: number): string {
  return stringifySetCookie({
    name: cookieName(config),
    value,
    path: '/',
    maxAge,
    httpOnly: true,
    sameSite: 'lax',
    secure: isOverTls(config),
  });
}

/** With the prefix a browser takes the cookie over TLS and from this very host only: no sibling domain can plant one. */
function cookieName(config: SessionConfig): string {
  return isOverTls(config) ? '__Host-operator' : 'operator';
}

function isOverTls({ publicOrigin }: SessionConfig): boolean {
  return publicOrigin?.startsWith('https://') ?? false;
}

function sign(key: Buffer, content: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['operator', content]))
    .digest('base64url');
}

const derive = promisify<string, string, number, Buffer>(scrypt);
/** Made once for each password, as it takes some hundredths of a second. */
const keys = new Map<string, Promise<Buffer>>();

/** Slow on purpose: whoever gets hold of a cookie can try passwords against its signature. */
function keyOf(password: string): Promise<Buffer> {
  const known = keys.get(password) ?? derive(password, 'operator-session', 32);
  keys.set(password, known);
  return known;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
