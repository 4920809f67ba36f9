// A visitor becomes a member once, by a signed cookie that scripts and other sites cannot use.

import type { Request, Response } from 'express';
import { currentMember, requireMember } from '../../../src/merchant/shop/current-member';

const DEVELOPMENT = { formSecret: 'a secret for this test', production: false };
const PRODUCTION = { ...DEVELOPMENT, production: true };

/** What the two functions see of a request and an answer. */
function visit(config: typeof DEVELOPMENT, cookie?: string) {
  const cookies: string[] = [];
  const app = { locals: { context: { config } } };
  const request = { headers: { cookie }, app } as unknown as Request;
  const response = { append: (_name: string, value: string) => cookies.push(value) } as unknown as Response;
  return { request, response, cookies };
}
const sent = (cookie: string) => cookie.split(';', 1)[0] as string;

test('a stranger becomes a member once, and is recognised from then on', async () => {
  const first = visit(DEVELOPMENT);
  const memberId = await requireMember(first.request, first.response);
  expect(memberId).toMatch(/^member_[0-9a-f]{32}$/);

  const second = visit(DEVELOPMENT, sent(first.cookies[0] as string));
  expect(await currentMember(second.request)).toBe(memberId);
  expect(await requireMember(second.request, second.response)).toBe(memberId);
  expect(second.cookies).toEqual([]);
});

test('the cookie is not for scripts and not for other sites', async () => {
  const { request, response, cookies } = visit(DEVELOPMENT);
  await requireMember(request, response);
  expect(cookies[0]).toMatch(/^member=.*; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
});

test('in production it is bound to this host over TLS, and one from a sibling domain counts for nothing (I3)', async () => {
  const { request, response, cookies } = visit(PRODUCTION);
  await requireMember(request, response);
  expect(cookies[0]).toMatch(/^__Host-member=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);

  const tossed = sent(cookies[0] as string).replace('__Host-member', 'member');
  expect(await currentMember(visit(PRODUCTION, tossed).request)).toBeNull();
});

test.each([
  undefined,
  '',
  'member',
  'member=%',
  'member=member_x.y',
  `member=member_${'0'.repeat(32)}.${'A'.repeat(43)}`,
])('the cookie %p is nobody', async (cookie) => {
  expect(await currentMember(visit(DEVELOPMENT, cookie).request)).toBeNull();
});

test('a cookie signed with another secret is nobody', async () => {
  const { request, response, cookies } = visit({ ...DEVELOPMENT, formSecret: 'another secret' });
  await requireMember(request, response);
  expect(await currentMember(visit(DEVELOPMENT, sent(cookies[0] as string)).request)).toBeNull();
});
