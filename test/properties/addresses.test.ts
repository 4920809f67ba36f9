// The sender of a notification, and whether an address is listed, are compared with plain arithmetic on the bits.

import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { parseAddressList, plainAddress } from '../../src/merchant/platform/address-list';
import { readSource } from '../../src/merchant/platform/http/source-address';
import { holds } from '../support/property';

const MAPPED = 0xffffn << 32n;
const v4 = fc.bigInt({ min: 0n, max: 0xffffffffn });
const v6 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).filter((bits) => bits >> 32n !== 0xffffn);
const dotted = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
/** In full length; with `width` 4 also with leading zeros. */
const colons = (bits: bigint, width = 1) =>
  Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
    .map((group) => group.padStart(width, '0'))
    .join(':');
/** 128 bits; an IPv4 address as its mapped one, in one of its spellings. */
type Address = { bits: bigint; family: 4 | 6; spelling: string };
const ofV4 = (bits: bigint, isMapped: boolean): Address => {
  const spelling = isMapped ? colons(MAPPED | bits) : dotted(bits);
  return { bits: MAPPED | bits, family: 4, spelling };
};
const ofV6 = (bits: bigint): Address => ({ bits, family: 6, spelling: colons(bits) });
const address = fc.oneof(
  fc.tuple(v4, fc.boolean()).map(([bits, isMapped]) => ofV4(bits, isMapped)),
  v6.map(ofV6),
);

test('two texts are one address exactly if their bits are the same', () => {
  holds(
    fc.property(address, address, ({ bits, family, spelling }, other) => {
      const plain = plainAddress(spelling);
      expect(plain === plainAddress(other.spelling)).toBe(bits === other.bits);
      for (const each of [colons(bits), colons(bits, 4), colons(bits, 4).toUpperCase(), plain ?? ''])
        expect(plainAddress(each)).toBe(plain);
      if (family === 4) expect(plain).toBe(dotted(bits & 0xffffffffn));
    }),
  );
});

test('an address is listed exactly if its first bits are those of an entry, also as an IPv4-mapped address', () => {
  const near = fc.tuple(address, fc.nat(127)).map(([from, flip]): [Address, Address] => {
    // Differs in one bit, so that the limits of ranges are tried.
    const bits = from.bits ^ (1n << BigInt(from.family === 4 ? flip % 32 : flip % 64));
    return [from, from.family === 4 ? ofV4(bits & 0xffffffffn, flip % 2 === 0) : ofV6(bits)];
  });
  const pair = fc.oneof(near, fc.tuple(address, address));
  holds(
    fc.property(pair, fc.option(fc.nat(128)), ([entry, asked], length) => {
      const width = entry.family === 4 ? 32 : 128;
      const bits = length === null ? width : length % (width + 1);
      const written = entry.family === 4 ? dotted(entry.bits & 0xffffffffn) : entry.spelling;
      const { list, invalid } = parseAddressList([written + (length === null ? '' : `/${bits}`)]);
      expect(invalid).toEqual([]);
      const below = BigInt(width - bits);
      expect(list.includes(asked.spelling)).toBe(entry.bits >> below === asked.bits >> below);
    }),
  );
});

// 10.x are trusted proxies, 198.51.x are other senders.
const PROXIES = parseAddressList(['10.0.0.0/8', '2001:db8::/32']).list;
const anyOf = (...beginnings: string[]) =>
  fc.tuple(fc.constantFrom(...beginnings), fc.nat(255)).map(([beginning, last]) => `${beginning}${last}`);
const proxy = anyOf('10.0.0.', '::ffff:10.0.0.', '2001:db8::');
const stranger = anyOf('198.51.100.', '2001:db9::');
const odd = fc.oneof(fc.string(), fc.constantFrom('', 'unknown', '1.2.3', '1.2.3.4:80', 'fe80::1%eth0'));
const forged = fc.array(fc.oneof(stranger, proxy, odd, fc.constant('52.78.100.19')), { maxLength: 5 });
const between = fc.array(proxy, { maxLength: 3 });
function senderOf(peer: string, forwardedFor: string[]): string | null {
  const headers = forwardedFor.length === 0 ? {} : { 'x-forwarded-for': forwardedFor.join(', ') };
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return readSource(request, PROXIES).client;
}

test('a peer that is not a trusted proxy is the sender, whatever its headers say', () => {
  holds(
    fc.property(stranger, forged, (peer, lines) => expect(senderOf(peer, lines)).toBe(plainAddress(peer))),
  );
});

test('behind trusted proxies the sender is the address that the first of them saw, or none if that is not a plain address', () => {
  const isUnclear = (text: string) => text.split(',').every((part) => plainAddress(part.trim()) === null);
  const sender = fc.oneof(stranger, odd.filter(isUnclear));
  holds(
    fc.property(forged, sender, between, proxy, (written, seen, hops, peer) => {
      expect(senderOf(peer, [...written, seen, ...hops])).toBe(plainAddress(seen));
    }),
  );
});
