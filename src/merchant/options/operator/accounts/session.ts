// The sessions of the operator pages. The cookie holds a random token; the row of its hash says whose session it is.
// A session ends twelve hours after the sign-in, after fifteen minutes without use, and with every change of the account.

import { randomBytes } from 'node:crypto';
import { bestEffort } from '../../../core/attempts/send-once';
import type { Config } from '../../../platform/config';
import type { Context } from '../../../platform/context';
import { ownCookie, readOwnCookie } from '../../../platform/http/own-cookie';
import { keyOf } from '../../../platform/limit-store';
import { hashOfToken } from '../../../platform/secrets';
import { settingsOf } from '../../../platform/settings';
import type { SignedIn } from '../frame/roles';
import { operatorSettings } from '../settings';
import {
  deleteExpiredSessions,
  deleteSession,
  findLiveSession,
  insertAccountSession,
  insertPasswordSession,
  SESSION_SECONDS,
  writeLastUse,
} from './store';

/** The last use is written at most this often, so that a page does not cost a write. */
const USE_EVERY_MS = 60_000;

type CookieConfig = Pick<Config, 'publicOrigin' | 'pathPrefix'>;

/** `Set-Cookie` of a new session opened with OPERATOR_PASSWORD. */
export async function openPasswordSession(context: Context, name: string, password: string): Promise<string> {
  const token = newToken();
  await deleteExpiredSessions(context);
  await insertPasswordSession(
    context,
    { tokenHash: hashOfToken(token), name },
    openedWith(context, password),
  );
  return sessionCookie(context.config, token);
}

/** `Set-Cookie` of a new session of an account; null if the account has changed since its password was compared. */
export async function openAccountSession(
  context: Context,
  account: { id: bigint; passwordHash: string },
): Promise<string | null> {
  const token = newToken();
  await deleteExpiredSessions(context);
  const isOpen = await insertAccountSession(context, { tokenHash: hashOfToken(token) }, account);
  return isOpen ? sessionCookie(context.config, token) : null;
}

/** Null if not signed in. @throws DatabaseError */
export async function findOperator(
  context: Context,
  cookieHeader: string | undefined,
): Promise<SignedIn | null> {
  const session = sessionOf(context.config, cookieHeader);
  if (session === null) return null;
  const hashes = settingsOf(context.config, operatorSettings).OPERATOR_PASSWORD.map((password) =>
    openedWith(context, password),
  );
  const found = await findLiveSession(context, session, hashes);
  if (!found) return null;
  if (context.realClock.now().getTime() - found.lastUsedAt.getTime() >= USE_EVERY_MS)
    await bestEffort(context, () => writeLastUse(context, session));
  const { name, role, accountId, hasSecondFactor, mustChangePassword } = found;
  return { by: name, role: role ?? 'admin', accountId, hasSecondFactor, mustChangePassword, session };
}

/** `Set-Cookie` that removes the session from this browser, after its row was deleted. */
export async function endSession(context: Context, cookieHeader: string | undefined): Promise<string> {
  const session = sessionOf(context.config, cookieHeader);
  if (session !== null) await deleteSession(context, session);
  return ownCookie(cookieConfig(context.config), { name: COOKIE, value: '', maxAge: 0 });
}

const COOKIE = 'operator';

function sessionCookie(config: CookieConfig, token: string): string {
  return ownCookie(cookieConfig(config), { name: COOKIE, value: token, maxAge: SESSION_SECONDS });
}

function sessionOf(config: CookieConfig, cookieHeader: string | undefined): string | null {
  const token = readOwnCookie(cookieConfig(config), COOKIE, cookieHeader) ?? '';
  return /^[\w-]{43}$/.test(token) ? hashOfToken(token) : null;
}

function cookieConfig({ publicOrigin, pathPrefix }: CookieConfig) {
  return { pathPrefix, overTls: publicOrigin?.startsWith('https://') ?? false };
}

/** Once a value is no longer accepted, the sessions opened with it end; with a new first value of FORM_SECRET, too. */
function openedWith(context: Context, password: string): string {
  return keyOf(context, 'operator-password', password);
}

const newToken = () => randomBytes(32).toString('base64url');
