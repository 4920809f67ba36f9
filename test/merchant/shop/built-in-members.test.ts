// A visitor becomes a member once, by a signed cookie that scripts and other sites cannot use.

import type { Request, Response } from 'express';
import { currentMember, requireMember, signInByLink } from '../../../src/merchant/shop/built-in-members';

const DEVELOPMENT = {
  values: { MEMBER_SECRET: ['a secret for this test'] },
  formSecrets: ['a form secret'],
  production: false,
  pathPrefix: '',
};
const PRODUCTION = { ...DEVELOPMENT, production: true };
const withSecrets = (secrets: string[]) => ({ ...DEVELOPMENT, values: { MEMBER_SECRET: secrets } });

type Config = typeof DEVELOPMENT;

const requestWith = (config: Config, cookie?: string, atMs = 0) => {
  const context = { config, realClock: { now: () => new Date(atMs) } };
  return { headers: { cookie }, app: { locals: { context } } } as unknown as Request;
};

/** Who it is that sends this cookie; null for nobody. */
const whoIs = (config: Config, cookie?: string, atMs?: number) =>
  currentMember(requestWith(config, cookie, atMs));

/** The cookie that an answer sets, and its header; null if it sets none. */
async function answered<Result>(act: (response: Response) => Result) {
  const cookies: string[] = [];
  const response = { append: (_name: string, value: string) => cookies.push(value) } as unknown as Response;
  const result = await act(response);
  const [header = null, ...others] = cookies;
  expect(others).toEqual([]);
  return { result, header, cookie: header?.split(';', 1)[0] };
}

/** Who opens a page that needs a member, and the cookie that the answer sets. */
async function open(config: Config, cookie?: string) {
  const { result: memberId, ...set } = await answered((response) =>
    requireMember(requestWith(config, cookie), response),
  );
  return { memberId, ...set };
}

test('a stranger becomes a member once, and is recognised from then on', async () => {
  const { memberId, header, cookie } = await open(DEVELOPMENT);
  expect(memberId).toMatch(/^member_[0-9a-f]{32}$/);
  // Not for scripts, and not for other sites.
  expect(header).toMatch(/^member=.*; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(await whoIs(DEVELOPMENT, cookie)).toBe(memberId);
  expect(await open(DEVELOPMENT, cookie)).toMatchObject({ memberId, header: null });
});

test('in production it is bound to this host over TLS, and one from a sibling domain is ignored (I3)', async () => {
  const { header, cookie } = await open(PRODUCTION);
  expect(header).toMatch(/^__Host-member=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect(await whoIs(PRODUCTION, cookie)).not.toBeNull();
  expect(await whoIs(PRODUCTION, cookie?.replace('__Host-member', 'member'))).toBeNull();
});

test('beside a shop on the same host it is for the path of this server alone', async () => {
  const underPrefix = { ...PRODUCTION, pathPrefix: '/pay' };
  const { memberId, header, cookie } = await open(underPrefix);
  expect(header).toMatch(/^__Secure-member=.*; Path=\/pay; HttpOnly; Secure; SameSite=Lax$/);
  expect(await whoIs(underPrefix, cookie)).toBe(memberId);
});

test('a cookie that is none, or signed with another secret, is nobody', async () => {
  const foreign = (await open(withSecrets(DEVELOPMENT.formSecrets))).cookie;
  const forged = `member=member_${'0'.repeat(32)}.${'A'.repeat(43)}`;
  for (const cookie of [undefined, '', 'member', 'member=%', 'member=member_x.y', forged, foreign])
    expect([cookie, await whoIs(DEVELOPMENT, cookie)]).toEqual([cookie, null]);
});

test('while MEMBER_SECRET is rotated a cookie of either value is the member, and is signed anew on a page (M25)', async () => {
  const { memberId, cookie: old } = await open(DEVELOPMENT);
  const newer = 'a newer secret';
  const rotated = withSecrets([newer, ...DEVELOPMENT.values.MEMBER_SECRET]);
  expect(await whoIs(rotated, old)).toBe(memberId);
  const renewed = await open(rotated, old);
  expect(renewed.memberId).toBe(memberId);
  const after = await open(withSecrets([newer]), renewed.cookie);
  expect(after).toMatchObject({ memberId, header: null });
  // The processes that have not been restarted yet know it only if the newer value was announced to them before.
  expect(await whoIs(DEVELOPMENT, renewed.cookie)).toBeNull();
});

test('a sign-in by a card link ends within an hour, to the millisecond, also in a cookie that was signed anew', async () => {
  const { cookie } = await answered((response) =>
    signInByLink(requestWith(DEVELOPMENT, undefined, 999), response, 'kim'),
  );
  const rotated = withSecrets(['a newer secret', ...DEVELOPMENT.values.MEMBER_SECRET]);
  const renewed = await open(rotated, cookie);
  expect([renewed.memberId, renewed.cookie]).toEqual(['kim', expect.not.stringMatching(cookie ?? '')]);
  for (const each of [cookie, renewed.cookie])
    expect([await whoIs(rotated, each, 3_599_999), await whoIs(rotated, each, 3_600_000)]).toEqual([
      'kim',
      null,
    ]);
});
