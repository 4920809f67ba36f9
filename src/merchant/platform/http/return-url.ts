// Where a page may send the browser when it is done: a path of this server, or an address of a shop that RETURN_URLS
// names. Whoever makes a link to us chooses this address, so that everything else is refused.

import type { Config } from '../config';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';

type ReturnConfig = Pick<Config, 'returnOrigins'>;

/** Our choice, of the address as it is sent: it travels in addresses and in a form. */
const MAX_LENGTH = 1000;
/** A path of this server. A second slash, or a backslash, would begin a host. */
const PATH = /^\/(?![/\\])/;
/** `https:shop.example` without slashes is a path to some parsers and a host to others. */
const ABSOLUTE = /^https?:\/\/[^/]/i;
/** Browsers leave tabs and line ends out before they read an address, and take a backslash for a slash. */
const UNCLEAR = /[\p{Cc}\p{Cs}\\]/u;
/** Only its path is used. */
const THIS_SERVER = 'http://this-server.invalid';

/**
 * The address as browsers write it, in ASCII: what has been judged is what is sent. Returns null where the address is
 * not allowed. An address of this very server is given as a path.
 */
export function parseReturnUrl({ returnOrigins }: ReturnConfig, text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || UNCLEAR.test(text)) return null;
  const address = PATH.test(text) ? parsePath(text) : parseAbsolute(text, returnOrigins);
  // Letters beyond ASCII are written longer than they came.
  return address !== null && address.length <= MAX_LENGTH ? address : null;
}

function parseAbsolute(text: string, returnOrigins: readonly string[]): string | null {
  if (!ABSOLUTE.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  return returnOrigins.includes(url.origin) ? url.href : null;
}

/** `/.//host` is a path, and without its dot it would be a host: the path is judged again after it was written anew. */
function parsePath(text: string): string | null {
  if (!URL.canParse(text, THIS_SERVER)) return null;
  const { origin, pathname, search, hash } = new URL(text, THIS_SERVER);
  return origin === THIS_SERVER && PATH.test(pathname) ? `${pathname}${search}${hash}` : null;
}

/**
 * The address that a request names. Returns null where it names none.
 * @throws HttpError 400 `return_url_refused`
 */
export function getReturnUrl(config: ReturnConfig, value: unknown): string | null {
  if (value === undefined) return null;
  const returnUrl = parseReturnUrl(config, value);
  if (returnUrl === null) throw new HttpError(platformErrors.return_url_refused);
  return returnUrl;
}

/**
 * An allowed address with the key of the card that was registered, in place of one that it carries from an earlier time.
 * The rest of its query stays as it is. The id is no secret: the key is bound to its member, and charging it takes the
 * API key.
 */
export function withCustomerUid(returnUrl: string, customerUid: string): string {
  const [, address = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(returnUrl) ?? [];
  const others = query.split('&').filter((pair) => pair !== '' && !new URLSearchParams(pair).has(NAME));
  return `${address}?${[...others, `${NAME}=${customerUid}`].join('&')}${hash}`;
}
const NAME = 'customer_uid';

/** One of our paths with the address to return to; the path alone where there is none. */
export function withReturnUrl(path: string, returnUrl: string | null): string {
  if (returnUrl === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ return_url: returnUrl }).toString()}`;
}
