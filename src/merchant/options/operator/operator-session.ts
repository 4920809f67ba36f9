// The session of the operator pages: a signed cookie, with nothing in the database. It holds the name that the operator
// entered, which is recorded with decisions, and expires twelve hours after the sign-in.

import { createHash, createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Config } from '../../platform/config';
import { ownCookie, readOwnCookie } from '../../platform/http/own-cookie';

/** Absolute: use does not extend a session. Our choice. */
const SESSION_SECONDS = 12 * 3600;

type Session = { by: string; endsAt: number };
type SessionConfig = Pick<Config, 'operatorPasswords' | 'publicOrigin' | 'pathPrefix'>;

/** Returns the accepted password that equals the given one, or null. Each is compared in constant time. */
export function findPassword({ operatorPasswords }: SessionConfig, given: string): string | null {
  // Compares all of them, so that the time does not reveal which one matched.
  const equal = operatorPasswords.filter((password) => timingSafeEqual(digest(given), digest(password)));
  return equal[0] ?? null;
}

/**
 * `Set-Cookie` of a new session. The signing key is derived from the entered password: once that password is no longer
 * accepted, only the sessions opened with it end.
 */
export async function sessionCookie(
  config: SessionConfig,
  { by, password, now }: { by: string; password: string; now: Date },
): Promise<string> {
  const session: Session = { by, endsAt: Math.floor(now.getTime() / 1000) + SESSION_SECONDS };
  const content = Buffer.from(JSON.stringify(session)).toString('base64url');
  const value = `${content}.${sign(await keyOf(password), content)}`;
  return ownCookie(cookieConfig(config), { name: COOKIE, value, maxAge: SESSION_SECONDS });
}

/**
 * `Set-Cookie` that removes the session from this browser. The server keeps no session, so a copy of the cookie stays
 * valid.
 */
export function endedCookie(config: SessionConfig): string {
  return ownCookie(cookieConfig(config), { name: COOKIE, value: '', maxAge: 0 });
}

/** The name that the operator entered; null if not signed in. */
export async function findOperator(
  config: SessionConfig,
  cookieHeader: string | undefined,
  now: Date,
): Promise<string | null> {
  const value = readOwnCookie(cookieConfig(config), COOKIE, cookieHeader);
  const [, content, signature] = /^([\w-]{1,400})\.([\w-]{43})$/.exec(value ?? '') ?? [];
  if (content === undefined || signature === undefined) return null;
  const keys = await Promise.all(config.operatorPasswords.map(keyOf));
  const isOurs = keys.some((key) => timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, content))));
  if (!isOurs) return null;
  const { by, endsAt } = JSON.parse(Buffer.from(content, 'base64url').toString()) as Session;
  return now.getTime() < endsAt * 1000 ? by : null;
}

const COOKIE = 'operator';

function cookieConfig({ publicOrigin, pathPrefix }: SessionConfig) {
  return { pathPrefix, overTls: publicOrigin?.startsWith('https://') ?? false };
}

function sign(key: Buffer, content: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['operator', content]))
    .digest('base64url');
}

const derive = promisify<string, string, number, Buffer>(scrypt);
/** Derived once per password, because it takes a few hundredths of a second. */
const keys = new Map<string, Promise<Buffer>>();

/** Slow on purpose: with a stolen cookie, passwords can be tried against its signature. */
function keyOf(password: string): Promise<Buffer> {
  const known = keys.get(password) ?? derive(password, 'operator-session', 32);
  keys.set(password, known);
  return known;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
