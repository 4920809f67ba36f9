// Checks of URLs in the settings: origin, plain, loopback, private network.

import { isPrivateAddress } from './address-list';

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

export function isPrivateHost(hostname: string): boolean {
  return isPrivateAddress(hostname.replace(/^\[|\]$/g, ''));
}
