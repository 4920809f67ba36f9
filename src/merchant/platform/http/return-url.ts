// Where a page may send the browser afterwards: a path of this server, or an origin that RETURN_URLS names. The author
// of a link to us chooses this URL, so everything else is refused (open redirects).

import type { Config } from '../config';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';

type ReturnConfig = Pick<Config, 'returnOrigins'>;

/** Our choice, for the encoded URL: it is passed on in URLs and in a form. */
const MAX_LENGTH = 1000;
/** A path of this server. A second slash, or a backslash, would begin a host. */
const PATH = /^\/(?![/\\])/;
/** Some parsers read `https:shop.example` without slashes as a path, others as a host. */
const ABSOLUTE = /^https?:\/\/[^/]/i;
/** Browsers remove tabs and line ends before they parse a URL, and read a backslash as a slash. */
const UNCLEAR = /[\p{Cc}\p{Cs}\\]/u;
/** The values of a query parameter, without repetitions. */
export function differentValues(value: unknown): unknown[] {
  return [...new Set(Array.isArray(value) ? (value as unknown[]) : [value])];
}

/** A base for parsing; only the path of the result is used. */
const THIS_SERVER = 'http://this-server.invalid';

/**
 * The URL as browsers serialise it, in ASCII, so that the URL sent is the one that was checked. Returns null if it is
 * not allowed. A URL of this server becomes a path.
 */
export function parseReturnUrl({ returnOrigins }: ReturnConfig, named: unknown): string | null {
  // Those who build a link may repeat a parameter: a query then has several values.
  const isRepeated = Array.isArray(named) && named.length > 1;
  const [text, ...others] = isRepeated ? differentValues(named) : [named];
  if (others.length > 0) return null;
  if (typeof text !== 'string' || text.length > MAX_LENGTH || UNCLEAR.test(text)) return null;
  const address = PATH.test(text) ? parsePath(text) : parseAbsolute(text, returnOrigins);
  // Encoding makes non-ASCII characters longer.
  return address !== null && address.length <= MAX_LENGTH ? address : null;
}

function parseAbsolute(text: string, returnOrigins: readonly string[]): string | null {
  if (!ABSOLUTE.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  return returnOrigins.includes(url.origin) ? url.href : null;
}

/** `/.//host` is a path, and would be a host without its dot, so the path is checked again after normalisation. */
function parsePath(text: string): string | null {
  if (!URL.canParse(text, THIS_SERVER)) return null;
  const { origin, pathname, search, hash } = new URL(text, THIS_SERVER);
  return origin === THIS_SERVER && PATH.test(pathname) ? `${pathname}${search}${hash}` : null;
}

/**
 * The return URL of a request. Returns null if the request has none.
 * @throws HttpError 400 `return_url_refused`
 */
export function getReturnUrl(config: ReturnConfig, value: unknown): string | null {
  if (value === undefined) return null;
  const returnUrl = parseReturnUrl(config, value);
  if (returnUrl === null) throw new HttpError(platformErrors.return_url_refused);
  return returnUrl;
}

/**
 * Adds the customer_uid of the registered card to an allowed URL, replacing one from an earlier registration. The rest
 * of the query is unchanged. The id is not secret: the key belongs to its member, and charging it takes the API key.
 */
export function withCustomerUid(returnUrl: string, customerUid: string): string {
  const [, address = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(returnUrl) ?? [];
  const others = query.split('&').filter((pair) => pair !== '' && !new URLSearchParams(pair).has(NAME));
  return `${address}?${[...others, `${NAME}=${customerUid}`].join('&')}${hash}`;
}
const NAME = 'customer_uid';

/** One of our paths with a return URL; the path alone if there is none. */
export function withReturnUrl(path: string, returnUrl: string | null): string {
  if (returnUrl === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ return_url: returnUrl }).toString()}`;
}
