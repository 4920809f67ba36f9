// Lists of IP addresses and CIDR ranges: the webhook's allowed sources (§6.3) and the trusted proxies.

import { BlockList, isIP, isIPv4 } from 'node:net';

export type AddressList = {
  /**
   * True only for a listed address in its plain spelling; `::ffff:a.b.c.d` counts as its IPv4 address. Null (no
   * address) is on no list.
   */
  includes(address: string | null): boolean;
};

/**
 * Parses entries such as "52.78.100.19" or "10.0.0.0/8".
 * `net.isIP` and `net.BlockList` refuse odd spellings ("064.78.100.19", "0x344e6413") that lenient parsers accept.
 */
export function parseAddressList(entries: readonly string[]): { list: AddressList; invalid: string[] } {
  // `BlockList` allocates objects for each check, so it holds only the ranges.
  const single = new Set<string>();
  const ranges: BlockList[] = [];
  const invalid: string[] = [];
  for (const entry of entries) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const plain = plainAddress(address);
    // An address with a zone (`fe80::1%eth0`) could never match: no sender with a zone has a plain address.
    if (plain === null || Number(bits) > (isIPv4(address) ? 32 : 128)) invalid.push(entry);
    else if (bits === undefined) single.add(plain);
    else {
      const range = new BlockList();
      range.addSubnet(address, Number(bits), familyOf(address));
      ranges.push(range);
    }
  }
  const includes = (address: string | null) => {
    const plain = plainAddress(address ?? '');
    return (
      plain !== null && (single.has(plain) || ranges.some((range) => range.check(plain, familyOf(plain))))
    );
  };
  return { list: { includes }, invalid };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/**
 * The network of one home or office: an IPv4 address, or the /64 of an IPv6 address, within which a sender can choose
 * any address. Senders without an address are counted together, as `unknown`.
 * @param address as `plainAddress` spells it; null if there is none
 */
export function networkOf(address: string | null): string {
  if (address === null) return 'unknown';
  if (isIPv4(address)) return address;
  const zeros = ':0'.repeat(8 - groupsOf(address).length);
  const groups = groupsOf(address.replace('::', `${zeros}:`));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The size of a network: one home, one customer of a provider, or more. */
export type NetworkSize = 'address' | 'site' | 'wide';

/**
 * The networks that an address belongs to, narrowest first: an IPv4 address and its /24, or the /64, /56 and /48 of an
 * IPv6 address. The owner of a /48 can send from 65,536 networks of 64 bits.
 * @param address as `plainAddress` spells it
 */
export function networksOf(address: string): { size: NetworkSize; network: string }[] {
  const narrow = networkOf(address);
  if (isIPv4(address)) {
    const wide = `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
    return [
      { size: 'address', network: narrow },
      { size: 'wide', network: wide },
    ];
  }
  const groups = narrow.replace('::/64', '').split(':');
  const site = (parseInt(groups[3] as string, 16) & 0xff00).toString(16);
  return [
    { size: 'address', network: narrow },
    { size: 'site', network: `${[...groups.slice(0, 3), site].join(':')}::/56` },
    { size: 'wide', network: `${groups.slice(0, 3).join(':')}::/48` },
  ];
}

function groupsOf(address: string): string[] {
  return address.split(':').filter(Boolean);
}

/**
 * Whether an address belongs to this machine, to a private network, or to no single host. A NAT64 address is checked as
 * the IPv4 address that it stands for.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = plainAddress(address);
  if (plain === null) return false;
  const [, high = '0', low = '0'] = NAT64.exec(plain) ?? [];
  return PRIVATE.list.includes(NAT64.test(plain) ? dotted(high, low) : plain);
}

/** RFC 6052, in canonical form: the last two groups are the IPv4 address, without leading zeros. */
const NAT64 = /^64:ff9b::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})?$/;

const PRIVATE = parseAddressList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598)
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '224.0.0.0/3', // multicast, reserved, broadcast
  '::/127',
  '64:ff9b:1::/48', // local-use NAT64 (RFC 8215)
  '2001::/32', // Teredo, and 6to4 below: obsolete tunnels to an IPv4 address
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]);

/** The widest ranges that one owner may have: 10.0.0.0/8, fc00::/7, and a provider's allocation. */
const WIDEST_V4 = 8;
const WIDEST_V6 = 12;
const WIDEST_LOCAL_V6 = 7;

/**
 * Whether a range is so wide that it must be a mistake. 0.0.0.0/0 can also be written as two halves, or within IPv6 as
 * ::ffff:0:0/96.
 */
export function isTooWide(entry: string): boolean {
  const [address = '', bits] = entry.split('/');
  const plain = plainAddress(address);
  if (plain === null || bits === undefined) return false;
  if (isIPv4(address)) return Number(bits) < WIDEST_V4;
  // IPv4 within IPv6.
  if (isIPv4(plain)) return Number(bits) < 96 + WIDEST_V4;
  if (parseAddressList([entry]).list.includes('128.0.0.0')) return true;
  return Number(bits) < (/^f[cd]/.test(plain) ? WIDEST_LOCAL_V6 : WIDEST_V6);
}

/**
 * The address in its canonical spelling: an IPv4-mapped IPv6 address (`::ffff:52.78.100.19`, `::FFFF:344E:6413`)
 * becomes IPv4. Returns null for anything that is not an address, and for an address with a zone. `::52.78.100.19` and
 * `64:ff9b::…` only look like IPv4 and stay IPv6.
 */
export function plainAddress(address: string): string | null {
  if (isIP(address) === 0 || address.includes('%')) return null;
  if (isIPv4(address)) return address;
  // The URL parser writes every IPv6 address in its canonical form.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  return dotted(mapped[1] as string, mapped[2] as string);
}

/** Two groups of an IPv6 address as the IPv4 address that they encode. */
function dotted(highGroup: string, lowGroup: string): string {
  const high = parseInt(highGroup, 16);
  const low = parseInt(lowGroup, 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
