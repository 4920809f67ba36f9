// Addresses and ranges are read strictly: an odd spelling is no address.

import fc from 'fast-check';
import { parseAddressList, plainAddress } from '../../src/merchant/address-list';

test('addresses and ranges of both families are listed; everything else is invalid and names itself', () => {
  const { list, invalid } = parseAddressList([
    '10.0.0.0/8',
    '52.78.100.19',
    '2001:db8::/32',
    'x',
    '10.0.0.0/33',
    '',
  ]);
  expect(invalid).toEqual(['x', '10.0.0.0/33', '']);
  expect(
    ['10.1.2.3', '52.78.100.19', '2001:db8::1', '::ffff:10.1.2.3'].map((each) => list.includes(each)),
  ).toEqual([true, true, true, true]);
  expect(['11.0.0.1', '52.78.100.20', '2001:db9::1', 'x', ''].some((each) => list.includes(each))).toBe(
    false,
  );
});

test('an IPv4 address and its mapped spelling are one address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const hex = address
        .split('.')
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('');
      return (
        plainAddress(`::ffff:${address}`) === address &&
        plainAddress(`::FFFF:${hex.slice(0, 4)}:${hex.slice(4)}`.toUpperCase()) === address
      );
    }),
  );
});

test('whatever is no plainly spelled address is no address', () => {
  fc.assert(fc.property(fc.string(), (text) => plainAddress(text) === null || /^[0-9a-f:.]+$/i.test(text)));
  for (const odd of ['1.2.3', '01.2.3.4', '1.2.3.4 ', 'fe80::1%eth0', '１.2.3.4'])
    expect(plainAddress(odd)).toBeNull();
});
