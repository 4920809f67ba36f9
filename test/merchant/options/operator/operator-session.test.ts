// The cookie of an operator with and without TLS, and its session.

import {
  findOperator,
  findPassword,
  sessionCookie,
} from '../../../../src/merchant/options/operator/operator-session';
import type { Config } from '../../../../src/merchant/platform/config';

type SessionConfig = Pick<Config, 'operatorPasswords' | 'publicOrigin' | 'pathPrefix'>;

const NOW = new Date('2026-11-21T00:00:00Z');
const PASSWORDS = ['a password in use', 'one before it'] as const;
const [IN_USE, BEFORE] = PASSWORDS;
const PLAIN: SessionConfig = { operatorPasswords: PASSWORDS, publicOrigin: null, pathPrefix: '' };
const TLS: SessionConfig = { ...PLAIN, publicOrigin: 'https://shop.example' };
const laterBy = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** `name=value` of a new session. */
async function cookieOf(password: string): Promise<string> {
  const [cookie = ''] = (await sessionCookie(PLAIN, { by: 'kim', password, now: NOW })).split(';');
  return cookie;
}

test('over TLS the cookie has the prefix and is limited to TLS', async () => {
  const cookie = await sessionCookie(TLS, { by: 'kim', password: IN_USE, now: NOW });
  expect(cookie).toMatch(
    /^__Host-operator=[\w-]+\.[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(await findOperator(TLS, cookie.split(';')[0], NOW)).toBe('kim');
  expect(await findOperator(PLAIN, cookie.split(';')[0], NOW)).toBeNull();
});

test('beside a shop on the same host the cookie is for the path of this server alone', async () => {
  const cookie = await sessionCookie(
    { ...TLS, pathPrefix: '/pay' },
    { by: 'kim', password: IN_USE, now: NOW },
  );
  expect(cookie).toMatch(
    /^__Secure-operator=\S+; Max-Age=43200; Path=\/pay; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('each accepted password is recognised, and no other text', () => {
  expect([IN_USE, BEFORE].map((password) => findPassword(TLS, password))).toEqual([IN_USE, BEFORE]);
  for (const given of ['', 'a password', 'a password in use ', 'A password in use'])
    expect(findPassword(TLS, given)).toBeNull();
});

test('a session ends twelve hours after the sign-in', async () => {
  const cookie = await cookieOf(IN_USE);
  expect(await findOperator(PLAIN, cookie, laterBy(12 * 3600 - 1))).toBe('kim');
  expect(await findOperator(PLAIN, cookie, laterBy(12 * 3600))).toBeNull();
});

test('a forged or changed cookie is refused', async () => {
  const [content = '', signature = ''] = (await cookieOf(IN_USE)).replace('operator=', '').split('.');
  const other = Buffer.from(JSON.stringify({ by: 'lee', endsAt: 9_999_999_999 })).toString('base64url');
  for (const value of [`${other}.${signature}`, `${content}.${'A'.repeat(43)}`, content, 'x', ''])
    expect([value, await findOperator(PLAIN, `operator=${value}`, NOW)]).toEqual([value, null]);
});

test('removing a password signs out only the sessions that used it', async () => {
  const rotated: SessionConfig = { ...PLAIN, operatorPasswords: ['the newest password', IN_USE] };
  const [ofOneInUse, ofOneBefore] = [await cookieOf(IN_USE), await cookieOf(BEFORE)];
  expect(await findOperator(PLAIN, ofOneBefore, NOW)).toBe('kim');
  expect(await findOperator(rotated, ofOneInUse, NOW)).toBe('kim');
  expect(await findOperator(rotated, ofOneBefore, NOW)).toBeNull();
});
