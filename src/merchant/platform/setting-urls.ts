// Checks of URLs in the settings: origin, plain, loopback, private network, and the private hosts that are allowed.

import { isPrivateAddress, isTooWide, parseAddressList } from './address-list';

/** One host without `*`: origins go into the content security policy of our pages, where `*` would mean every host. */
export function isOrigin(text: string): boolean {
  if (!isPlainHttpUrl(text)) return false;
  const { pathname, origin } = new URL(text);
  return pathname === '/' && /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin);
}

export function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
}

export function isLoopbackUrl(text: string): boolean {
  // A host name may end with a dot.
  const hostname = new URL(text).hostname.replace(/\.$/, '');
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname.startsWith('127.')
  );
}

/**
 * Why a URL cannot be used in production.
 * @param allow the private hosts that it may name, and the setting that names them; null if it may name none
 */
export function liveUrlProblems(
  url: string,
  allow: { hosts: readonly string[]; setting: string } | null,
): string[] {
  const host = hostOf(url);
  const isHere =
    (isLoopbackUrl(url) || isPrivateAddress(host)) && !isAllowedHost(allow?.hosts ?? [], host, host);
  const orAllow = allow === null ? '' : `, or name its host in ${allow.setting}`;
  return [
    ...(url.startsWith('https://') ? [] : ['must be https in production']),
    ...(isHere ? [`points at this machine or a private network; set the live address${orAllow}`] : []),
  ];
}

/** The host of a URL: an address without brackets, or a name without its last dot. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
}

/** The last label has a letter, so that no odd spelling of an address ("10.1", "0x0a.0.0.1") passes as a name. */
const HOST_NAME = /^([a-z0-9_-]{1,63}\.)*(?=[a-z0-9-]*[a-z])(?!0x)[a-z0-9-]{1,63}$/i;

/** Entries of a list of hosts that are neither a host name, an address, nor a range of a reasonable size. */
export function wrongHosts(entries: readonly string[]): string[] {
  return entries.filter(
    (entry) => isTooWide(entry) || (!HOST_NAME.test(entry) && parseAddressList([entry]).invalid.length > 0),
  );
}

/**
 * Whether a host may be used although its address is private: the list names the host, or a range with this address.
 * @param host as `hostOf` spells it
 */
export function isAllowedHost(entries: readonly string[], host: string, address: string): boolean {
  return (
    entries.some((entry) => entry.toLowerCase() === host) || parseAddressList(entries).list.includes(address)
  );
}
