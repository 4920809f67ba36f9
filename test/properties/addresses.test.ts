// Who the sender of a notification is, and whether an address is listed: compared with plain arithmetic on the bits.

import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { isPrivateAddress, parseAddressList, plainAddress } from '../../src/merchant/address-list';
import { readSource, sourceAddress } from '../../src/merchant/http/source-address';
import { holds } from '../support/property';

const MAPPED = 0xffffn << 32n;
const v4 = fc.bigInt({ min: 0n, max: 0xffffffffn });
const v6 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).filter((bits) => bits >> 32n !== 0xffffn);
const dotted = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
const groups = (bits: bigint) =>
  Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
/** In full, without any shortening. */
const colons = (bits: bigint) => groups(bits).join(':');
/** 128 bits; an IPv4 address as its mapped one. */
type Address = { bits: bigint; family: 4 | 6 };
const address = fc.oneof(
  v4.map((bits): Address => ({ bits: MAPPED | bits, family: 4 })),
  v6.map((bits): Address => ({ bits, family: 6 })),
);
const spell = ({ bits, family }: Address) => (family === 4 ? dotted(bits & 0xffffffffn) : colons(bits));
const oddText = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '',
    'unknown',
    '064.78.100.19',
    '0x344e6413',
    '877552659',
    '1.2.3',
    '1.2.3.4:80',
    '"1.2.3.4"',
  ),
  fc.constantFrom(
    '[::1]',
    'fe80::1%eth0',
    '1.2.3.4 ,',
    '１.2.3.4',
    '1.2.3.4/32',
    '::ffff:1.2.3.4.5',
    '::ffff:064.1.1.1',
  ),
);

test('every spelling of an IPv6 address is one address', () => {
  const padded = (bits: bigint) =>
    groups(bits)
      .map((group) => group.padStart(4, '0'))
      .join(':');
  holds(
    fc.property(v6, (bits) => {
      const plain = plainAddress(colons(bits));
      expect(plain).not.toBeNull();
      expect(plainAddress(padded(bits))).toBe(plain);
      expect(plainAddress(padded(bits).toUpperCase())).toBe(plain);
      expect(plainAddress(plain ?? '')).toBe(plain);
    }),
  );
});

test('different addresses have different spellings, of IPv4 and of IPv6', () => {
  holds(
    fc.property(address, address, (one, other) => {
      expect(plainAddress(spell(one)) === plainAddress(spell(other))).toBe(one.bits === other.bits);
    }),
  );
});

test('an address is listed exactly where its first bits are those of an entry; one of IPv4 counts as its mapped one', () => {
  const near = fc.tuple(address, fc.nat(127)).map(([from, flip]) => [
    from,
    // The same but for one bit, so that the edges of ranges are met.
    { ...from, bits: from.bits ^ (1n << BigInt(from.family === 4 ? flip % 32 : flip % 64)) },
  ]);
  const pair = fc.oneof(near, fc.tuple(address, address));
  holds(
    fc.property(pair, fc.option(fc.nat(128)), ([entry, asked], length) => {
      if (!entry || !asked) throw new Error('no pair');
      const width = entry.family === 4 ? 32 : 128;
      const bits = length === null ? width : length % (width + 1);
      const { list, invalid } = parseAddressList([spell(entry) + (length === null ? '' : `/${bits}`)]);
      expect(invalid).toEqual([]);
      const below = BigInt(width - bits);
      const isIn = entry.bits >> below === asked.bits >> below;
      expect(list.includes(spell(asked))).toBe(isIn);
    }),
  );
});

test('the IPv4-mapped spelling of an address is listed exactly where the IPv4 address is', () => {
  holds(
    fc.property(v4, v4, fc.nat(32), fc.boolean(), (entry, asked, bits, same) => {
      const { list } = parseAddressList([`${dotted(entry)}/${bits}`]);
      const plain = dotted(same ? entry : asked);
      expect(list.includes(`::ffff:${plain}`)).toBe(list.includes(plain));
      expect(list.includes(colons(MAPPED | (same ? entry : asked)))).toBe(list.includes(plain));
    }),
  );
});

test('a look-alike of a listed IPv4 address in any other part of IPv6 is not listed', () => {
  const prefix = fc.constantFrom(0n, 0x64ff9bn << 96n, 0x2002n << 112n, 0xffffn << 48n);
  holds(
    fc.property(v4, prefix, (listed, high) => {
      fc.pre(listed > 1n);
      const { list } = parseAddressList([dotted(listed), '10.0.0.0/8', '0.0.0.0/1', '128.0.0.0/1']);
      const lookAlike = high === 0x2002n << 112n ? high | (listed << 80n) : high | listed;
      expect(list.includes(colons(lookAlike))).toBe(false);
    }),
  );
});

test('an entry is an address or a range, or it is invalid and lets nobody in', () => {
  const everybody = ['1.2.3.4', '52.78.100.19', '::1', '127.0.0.1', '2001:db8::1'];
  holds(
    fc.property(
      fc.oneof(
        oddText,
        fc.tuple(oddText, fc.nat(200)).map(([text, bits]) => `${text}/${bits}`),
      ),
      (entry) => {
        const { list, invalid } = parseAddressList([entry]);
        if (plainAddress(entry.split('/')[0] ?? '') !== null && invalid.length === 0) return;
        expect(invalid).toEqual([entry]);
        expect([entry, ...everybody].some((each) => list.includes(each))).toBe(false);
      },
    ),
  );
});

test('a private IPv4 address is private in its mapped spelling and behind NAT64 as well, and a public one in none', () => {
  const ranges: [bigint, number][] = [
    [0n, 8],
    [10n << 24n, 8],
    [127n << 24n, 8],
    [0xa9fen << 16n, 16],
    [0xac1n << 20n, 12],
    [0xc0a8n << 16n, 16],
    [(100n << 24n) | (64n << 16n), 10],
    [192n << 24n, 24],
    [0xc612n << 16n, 15],
    [224n << 24n, 3],
  ];
  const inRange = fc
    .tuple(fc.constantFrom(...ranges), v4)
    .map(([[base, bits], any]) => base | (any & ((1n << BigInt(32 - bits)) - 1n)));
  holds(
    fc.property(fc.oneof(inRange, v4), (bits) => {
      const isPrivate = ranges.some(
        ([base, length]) => bits >> BigInt(32 - length) === base >> BigInt(32 - length),
      );
      expect(isPrivateAddress(dotted(bits))).toBe(isPrivate);
      expect(isPrivateAddress(colons(MAPPED | bits))).toBe(isPrivate);
      expect(isPrivateAddress(colons((0x64ff9bn << 96n) | bits))).toBe(isPrivate);
    }),
  );
});

// Of senders: 10.x are the trusted proxies, 198.51.x are others.
const PROXIES = parseAddressList(['10.0.0.0/8', '2001:db8::/32']).list;
const byte = fc.nat(255);
const proxy = fc.oneof(
  byte.map((last) => `10.0.0.${last}`),
  byte.map((last) => `::ffff:10.0.0.${last}`),
  byte.map((last) => `2001:db8::${last}`),
);
const stranger = fc.oneof(
  byte.map((last) => `198.51.100.${last}`),
  byte.map((last) => `2001:db9::${last}`),
);
const forged = fc.array(fc.oneof(stranger, proxy, oddText, fc.constant('52.78.100.19')), { maxLength: 5 });
const request = (peer: string | undefined, forwardedFor: string[], headers: object = {}) =>
  ({
    socket: { remoteAddress: peer },
    headers: {
      ...headers,
      ...(forwardedFor.length === 0 ? {} : { 'x-forwarded-for': forwardedFor.join(', ') }),
    },
  }) as unknown as IncomingMessage;

test('a peer that is no trusted proxy is the sender, whatever it writes', () => {
  holds(
    fc.property(stranger, forged, (peer, written) => {
      expect(sourceAddress(request(peer, written), PROXIES)).toBe(plainAddress(peer));
    }),
  );
});

test('behind trusted proxies the sender is the one whom the first of them saw, whatever that one had written before', () => {
  holds(
    fc.property(
      forged,
      stranger,
      fc.array(proxy, { maxLength: 3 }),
      proxy,
      (written, sender, between, peer) => {
        const seen = sourceAddress(request(peer, [...written, sender, ...between]), PROXIES);
        expect(seen).toBe(plainAddress(sender));
      },
    ),
  );
});

test('a sender that a proxy could not name plainly is nobody, and never somebody further left', () => {
  const unclear = oddText.filter((text) =>
    text.split(',').every((part) => plainAddress(part.trim()) === null),
  );
  holds(
    fc.property(forged, unclear, fc.array(proxy, { maxLength: 3 }), proxy, (written, odd, between, peer) => {
      expect(sourceAddress(request(peer, [...written, odd, ...between]), PROXIES)).toBeNull();
    }),
  );
});

test('no other header changes who the sender is', () => {
  const headers = fc.dictionary(
    fc.constantFrom(
      'x-real-ip',
      'forwarded',
      'cf-connecting-ip',
      'true-client-ip',
      'x-client-ip',
      'x-forwarded-host',
      'via',
    ),
    fc.oneof(stranger, proxy, fc.constant('for=52.78.100.19'), fc.string()),
  );
  holds(
    fc.property(
      fc.oneof(stranger, proxy, fc.constant(undefined)),
      forged,
      headers,
      (peer, written, others) => {
        expect(readSource(request(peer, written, others), PROXIES)).toEqual(
          readSource(request(peer, written), PROXIES),
        );
      },
    ),
  );
});
