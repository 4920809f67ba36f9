// Lists of IP addresses and CIDR ranges: the webhook's allowed sources (§6.3) and the trusted proxies.

import { BlockList, isIP, isIPv4 } from 'node:net';

export type AddressList = {
  /**
   * True only for a plainly spelled address on the list; `::ffff:a.b.c.d` counts as the IPv4 address it is. Null stands for
   * somebody without an address, who is on no list.
   */
  includes(address: string | null): boolean;
};

/**
 * Takes entries such as "52.78.100.19" or "10.0.0.0/8".
 * `net.isIP` and `net.BlockList` refuse odd spellings ("064.78.100.19", "0x344e6413") that lenient parsers accept.
 */
export function parseAddressList(entries: readonly string[]): { list: AddressList; invalid: string[] } {
  const addresses = new Set<string>();
  const ranges = new BlockList();
  const invalid: string[] = [];
  for (const entry of entries) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const plain = plainAddress(address);
    const isV4 = isIPv4(address);
    // One with a zone (`fe80::1%eth0`) could never be met: no sender with a zone has a plain address.
    if (plain === null || Number(bits) > (isV4 ? 32 : 128)) invalid.push(entry);
    else if (bits === undefined) addresses.add(plain);
    else ranges.addSubnet(address, Number(bits), isV4 ? 'ipv4' : 'ipv6');
  }
  const includes = (address: string | null) =>
    address !== null && (addresses.has(address) || isListed(address, addresses, ranges));
  return { list: { includes }, invalid };
}

/**
 * What one home or office has: an IPv4 address, or the /64 of an IPv6 address, in which a sender can choose any.
 * @param address as `plainAddress` spells it
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const zeros = ':0'.repeat(8 - groupsOf(address).length);
  const groups = groupsOf(address.replace('::', `${zeros}:`));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function groupsOf(address: string): string[] {
  return address.split(':').filter(Boolean);
}

/** Whether an address leads to this machine or a private network. */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.list.includes(address);
}

const PRIVATE = parseAddressList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/127',
  'fc00::/7',
  'fe80::/10',
]);

function isListed(address: string, addresses: ReadonlySet<string>, ranges: BlockList): boolean {
  const plain = plainAddress(address);
  if (plain === null) return false;
  if (addresses.has(plain)) return true;
  // A range is looked at only where there is one: that costs as much as everything else about a sender.
  return ranges.rules.length > 0 && ranges.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/**
 * The address in one spelling: an IPv4-mapped IPv6 address (`::ffff:52.78.100.19`, `::FFFF:344E:6413`) as IPv4.
 * Null for anything that is not an address, and for one with a zone. Look-alikes such as `::52.78.100.19` or
 * `64:ff9b::…` stay the IPv6 addresses they are.
 */
export function plainAddress(address: string): string | null {
  if (isIP(address) === 0 || address.includes('%')) return null;
  if (isIPv4(address)) return address;
  // The URL parser writes every IPv6 address in its canonical form.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  const high = parseInt(mapped[1] as string, 16);
  const low = parseInt(mapped[2] as string, 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
