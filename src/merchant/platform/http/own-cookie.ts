// The cookies of this server: the member's and the operator's.

import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../config';

/** `overTls`: whether browsers reach this server over TLS only. */
type CookieConfig = Pick<Config, 'pathPrefix'> & { overTls: boolean };

/**
 * `Set-Cookie`. SameSite=Lax, so that a link in a message works. No GET changes anything; a cross-site post comes
 * without the cookie and is also refused by the origin check.
 */
export function ownCookie(
  config: CookieConfig,
  { name, value, maxAge }: { name: string; value: string; maxAge: number },
): string {
  return stringifySetCookie({
    name: cookieName(config, name),
    value,
    path: config.pathPrefix || '/',
    maxAge,
    httpOnly: true,
    sameSite: 'lax',
    secure: config.overTls,
  });
}

export function readOwnCookie(
  config: CookieConfig,
  name: string,
  cookieHeader: string | undefined,
): string | undefined {
  return parseCookie(cookieHeader ?? '')[cookieName(config, name)];
}

/**
 * With `__Host-`, a browser accepts the cookie only over TLS and from exactly this host, so that no sibling domain can
 * set one. It allows no path. On a shared host our choice is the path, with `__Secure-`: the cookie then stays away
 * from the shop and its logs, and two merchants on one host do not overwrite each other's.
 */
function cookieName({ pathPrefix, overTls }: CookieConfig, name: string): string {
  if (!overTls) return name;
  return `${pathPrefix === '' ? '__Host-' : '__Secure-'}${name}`;
}
