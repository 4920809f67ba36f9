// Addresses and ranges are read strictly, only in their standard form. test/properties/addresses.test.ts compares lists with
// arithmetic on the bits.

import fc from 'fast-check';
import {
  isPrivateAddress,
  isTooWide,
  networkOf,
  networksOf,
  parseAddressList,
  plainAddress,
} from '../../../src/merchant/platform/address-list';
import { holds } from '../../support/property';

const NO_ADDRESS = ['', 'x', 'x/10.0.0.0/8', '/10.0.0.1', 'fe80::1%eth0', 'fe80::%eth0/64'];
const NO_RANGE = ['10.0.0.0/8/8', '10.0.0.0/8x', '10.0.0.0/', '10.0.0.0/1000'];
const TOO_NARROW = ['10.0.0.1/33', '2001:db8::/129'];
test.each([...NO_ADDRESS, ...NO_RANGE, ...TOO_NARROW])(
  'the entry %j is invalid and matches no address',
  (entry) => {
    const { list, invalid } = parseAddressList([entry, '192.0.2.1']);
    expect(invalid).toEqual([entry]);
    const asked = ['10.0.0.1', '2001:db8::1', 'fe80::1', entry, '192.0.2.1'];
    expect(asked.filter(list.includes)).toEqual(['192.0.2.1']);
  },
);

test('an address is listed in any spelling of an entry, and a missing address is not listed', () => {
  const entries = ['2001:DB8:0::1', '::ffff:10.0.0.1', '10.0.9.1/32', '2001:db8:9::1/128'];
  const listed = ['2001:db8:0:0::1', '10.0.0.1', '10.0.9.1', '2001:db8:9::1'];
  const others = ['10.0.0.2', '10.0.9.0', '2001:db8:9::', null, 'x'];
  expect([...listed, ...others].filter(parseAddressList(entries).list.includes)).toEqual(listed);
  const everybody = parseAddressList(['0.0.0.0/0', '::/0']).list;
  expect([...listed, null, 'x'].filter(everybody.includes)).toEqual(listed);
});

test.each([
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['127.0.0.1', '127.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['::', '::1', '::2'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe00::'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::'],
  ['100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '64:ff9b:2::'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', '2001:1::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['::ffff:10.0.0.0', '::ffff:aff:ffff', '::ffff:11.0.0.0'],
  // NAT64 addresses of private IPv4 addresses.
  ['64:ff9b::7f00:0', '64:ff9b::7fff:ffff', '64:ff9b::8000:0'],
  ['64:ff9b::', '64:ff9b::1', '64:ff9b::102:304'],
  ['64:ff9b::7f00:1', '64:ff9b::a00:1', '2001:db8:64:ff9b::7f00:1'],
  ['64:ff9b::7f00:1', '64:ff9b::a00:1', '64:ff9b::1:7f00:1'],
  // Not the address of a host.
  ['224.0.0.1', '255.255.255.255', '223.255.255.255'],
  ['ff00::', 'ff0e::1', 'feff::1'],
])('private addresses: %s to %s, and not %s', (first, last, next) => {
  expect([first, last, next].map(isPrivateAddress)).toEqual([true, true, false]);
});

const WIDE = ['0.0.0.0/0', '128.0.0.0/1', '52.0.0.0/7', '::/0', '8000::/1', '2001:fc::/8', '::/64'];
const WIDE_WITHIN_V6 = ['::ffff:0:0/96', '::ffff:52.0.0.0/103', '::ffff:0:0/90'];
test.each([...WIDE, ...WIDE_WITHIN_V6])('the range %s is too wide', (entry) =>
  expect(isTooWide(entry)).toBe(true),
);

const OWNED = ['10.0.0.0/8', 'fc00::/7', '2400::/12', '2001:db8::/32', '::ffff:10.0.0.0/104'];
test.each([...OWNED, '10.0.0.1', '::1', 'x', 'x/5'])('%s is not too wide', (entry) =>
  expect(isTooWide(entry)).toBe(false),
);

test.each(['2001:db8::ffff:344e:6413', '::ffff:344e:6413:1', '::344e:6413', '64:ff9b::344e:6413'])(
  '%s only looks like an IPv4 address',
  (address) => expect(plainAddress(address)).toBe(address),
);

test('a text in another form than a plain address is not an address', () => {
  holds(fc.property(fc.string(), (text) => plainAddress(text) === null || /^[0-9a-f:.]+$/i.test(text)));
  expect([plainAddress('01.2.3.4'), isPrivateAddress('x')]).toEqual([null, false]);
});

test.each([
  ['198.51.100.7', ['address 198.51.100.7', 'wide 198.51.100.0/24']],
  ['2001:1:2:2345:6::7', ['address 2001:1:2:2345::/64', 'site 2001:1:2:2300::/56', 'wide 2001:1:2::/48']],
  ['2001::1:2:3:4:5', ['address 2001:0:0:1::/64', 'site 2001:0:0:0::/56', 'wide 2001:0:0::/48']],
  ['::', ['address 0:0:0:0::/64', 'site 0:0:0:0::/56', 'wide 0:0:0::/48']],
])('M2: the networks of %s are %j', (address, networks) => {
  expect(networksOf(address).map(({ size, network }) => `${size} ${network}`)).toEqual(networks);
});

test('two IPv6 addresses are of one network exactly if their first 64 bits are the same', () => {
  // A half that is not zero, so that only a part of the address is abbreviated.
  const half = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 });
  const begins = half.filter((groups) => groups.some((group) => group !== 0));
  const networkOfHalves = (...halves: number[][]) => {
    const groups = halves.flat().map((group) => group.toString(16));
    return networkOf(plainAddress(groups.join(':')) ?? '');
  };
  holds(
    fc.property(begins, begins, half, half, (left, right, one, other) => {
      const isSame = networkOfHalves(left, one) === networkOfHalves(right, other);
      expect(isSame).toBe(left.join() === right.join());
      expect(networkOfHalves(left, one)).toBe(networkOfHalves(left, other));
    }),
  );
});
