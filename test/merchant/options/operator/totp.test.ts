// Codes of an authenticator app, with the values of RFC 6238 (appendix B) and RFC 4648 (section 10).

import {
  base32,
  codeAt,
  findStep,
  otpauthUri,
  stepAt,
} from '../../../../src/merchant/options/operator/accounts/second-factor';

const SECRET = Buffer.from('12345678901234567890');
const at = (seconds: number) => new Date(seconds * 1000);

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %i s the code is the last six digits of %s', (seconds, eightDigits) => {
  const code = eightDigits.slice(2);
  expect(codeAt(SECRET, stepAt(at(seconds)))).toBe(code);
  expect(findStep(SECRET, code, at(seconds), null)).toBe(Math.floor(seconds / 30));
});

test('a code is accepted one step early and one step late, and not at two', () => {
  const code = codeAt(SECRET, 1000);
  expect([998, 999, 1000, 1001, 1002].map((step) => findStep(SECRET, code, at(step * 30), null))).toEqual([
    null,
    1000,
    1000,
    1000,
    null,
  ]);
});

test('a code of the last accepted step, or of one before it, is refused', () => {
  const now = at(1000 * 30);
  expect(findStep(SECRET, codeAt(SECRET, 1000), now, 1000)).toBeNull();
  expect(findStep(SECRET, codeAt(SECRET, 999), now, 1000)).toBeNull();
  expect(findStep(SECRET, codeAt(SECRET, 1001), now, 1000)).toBe(1001);
});

test.each(['', '12345', '1234567', 'abcdef', '１２３４５６'])('%p is no code', (code) => {
  expect(findStep(SECRET, code, at(0), null)).toBeNull();
});

test.each([
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %s is %s', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test('the address names the shop and the operator', () => {
  const uri = new URL(otpauthUri(Buffer.from('foobar'), { issuer: 'Tea & Co', name: '김 하나' }));
  expect(uri.searchParams.get('secret')).toBe('MZXW6YTBOI');
  expect(uri.searchParams.get('issuer')).toBe('Tea & Co');
  expect(decodeURIComponent(uri.pathname)).toMatch(/Tea & Co:김 하나$/);
});
