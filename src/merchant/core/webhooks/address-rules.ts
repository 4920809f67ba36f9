// Which addresses may be notification sources and trusted proxies in production. A list that is too wide lets others send
// notifications, or choose the address that they seem to come from.

import { isIPv4 } from 'node:net';
import { DOCUMENTED_SOURCE_ADDRESSES } from '../../payment-service/identifiers';
import { isPrivateAddress, parseAddressList, plainAddress } from '../../platform/address-list';
import { list, type Given } from '../../platform/settings';

type Name = 'WEBHOOK_SOURCE_ADDRESSES' | 'TRUSTED_PROXIES';

/**
 * `narrowest`: the fewest bits of the prefix of one public range. `all`: what all public ranges of a list may cover
 * together, as the prefix of one range. The service has a few addresses; the ranges of a large CDN are together smaller
 * than a /10, or in IPv6 than a /22.
 */
const WIDTHS: Record<Name, { v4: Width; v6: Width }> = {
  WEBHOOK_SOURCE_ADDRESSES: { v4: { narrowest: 20, all: 18 }, v6: { narrowest: 40, all: 36 } },
  TRUSTED_PROXIES: { v4: { narrowest: 10, all: 9 }, v6: { narrowest: 20, all: 18 } },
};
type Width = { narrowest: number; all: number };

export function addressProblems(given: Given): string[] {
  const sources = list.parse(given['WEBHOOK_SOURCE_ADDRESSES']);
  const proxies = list.parse(given['TRUSTED_PROXIES']);
  return [
    ...localSources(sources),
    ...tooWide('WEBHOOK_SOURCE_ADDRESSES', sources),
    ...tooWide('TRUSTED_PROXIES', proxies),
    ...sharedAddresses(sources.length > 0 ? sources : DOCUMENTED_SOURCE_ADDRESSES, proxies),
  ];
}

function localSources(sources: readonly string[]): string[] {
  const allowed = parseAddressList(sources).list;
  const begin = (entry: string) => plainAddress(entry.split('/', 1)[0] ?? '');
  if (
    ['127.0.0.1', '::1'].some(allowed.includes) ||
    sources.some((entry) => begin(entry)?.startsWith('127.'))
  )
    return ['WEBHOOK_SOURCE_ADDRESSES: contains loopback; anything on this machine could send notifications'];
  const inside = sources.filter((entry) => isPrivateAddress(begin(entry) ?? ''));
  if (inside.length === 0) return [];
  return [
    `WEBHOOK_SOURCE_ADDRESSES: ${inside.join(', ')} is in a private network; the service sends from the internet. A proxy of yours is named in TRUSTED_PROXIES`,
  ];
}

function tooWide(name: Name, entries: readonly string[]): string[] {
  const ranges = parseable(entries).filter(({ address }) => !isPrivateAddress(address));
  const { v4, v6 } = WIDTHS[name];
  const widthOf = (isV4: boolean) => (isV4 ? v4 : v6);
  const wide = ranges.filter(({ isV4, bits }) => bits < widthOf(isV4).narrowest);
  const covers = [true, false].some(
    (isV4) => sumOf(ranges.filter((range) => range.isV4 === isV4)) > 2 ** -widthOf(isV4).all,
  );
  if (wide.length > 0)
    return [
      `${name}: ${wide.map(({ entry }) => entry).join(', ')} is wider than one owner's network; name the real addresses`,
    ];
  return covers ? [`${name}: covers too large a part of the internet; name the real addresses`] : [];
}

/** The part of all addresses that these ranges cover. */
function sumOf(ranges: readonly { bits: number }[]): number {
  return ranges.reduce((sum, { bits }) => sum + 2 ** -bits, 0);
}

/** A sender that is also a proxy could name any other sender in its X-Forwarded-For. */
function sharedAddresses(sources: readonly string[], proxies: readonly string[]): string[] {
  const begins = (entries: readonly string[]) => parseable(entries).map(({ address }) => address);
  const both = [
    ...begins(sources).filter(parseAddressList(proxies).list.includes),
    ...begins(proxies).filter(parseAddressList(sources).list.includes),
  ];
  if (both.length === 0) return [];
  return [
    `TRUSTED_PROXIES: contains ${[...new Set(both)].join(', ')}, a source of notifications; name your own proxies only`,
  ];
}

/** Without entries that are no addresses, which the schema has refused, and IPv4 within IPv6 as IPv4. */
function parseable(entries: readonly string[]) {
  return entries.flatMap((entry) => {
    const [text = '', prefix] = entry.split('/');
    const address = plainAddress(text);
    if (address === null) return [];
    const isV4 = isIPv4(address);
    const whole = isIPv4(text) ? 32 : 128;
    const bits = (prefix === undefined ? whole : Number(prefix)) - (isV4 && whole === 128 ? 96 : 0);
    return [{ entry, address, isV4, bits }];
  });
}
