// The cookie of an operator over TLS and without, and who is signed in by it.

import { findOperator, findPassword, sessionCookie } from '../../../src/merchant/operator/operator-session';

const NOW = new Date('2026-11-21T00:00:00Z');
const TLS = {
  operatorPasswords: ['a password in use', 'one before it'],
  publicOrigin: 'https://shop.example',
} as const;

test('over TLS the cookie has the prefix and is for TLS alone', async () => {
  const cookie = await sessionCookie(TLS, { by: 'kim', password: TLS.operatorPasswords[0], now: NOW });
  expect(cookie).toMatch(
    /^__Host-operator=[\w-]+\.[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(await findOperator(TLS, cookie.split(';')[0], NOW)).toBe('kim');
  expect(await findOperator({ ...TLS, publicOrigin: null }, cookie.split(';')[0], NOW)).toBeNull();
});

test('each accepted password is found, and nothing else', () => {
  expect(TLS.operatorPasswords.map((password) => findPassword(TLS, password))).toEqual(TLS.operatorPasswords);
  for (const given of ['', 'a password', 'a password in use ', 'A password in use'])
    expect(findPassword(TLS, given)).toBeNull();
});
