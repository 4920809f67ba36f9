// A visitor becomes a member once, by a signed cookie that scripts and other sites cannot use.

import { createHmac } from 'node:crypto';
import type { Request, Response } from 'express';
import { currentMember, requireMember } from '../../../src/merchant/shop/built-in-members';

const DEVELOPMENT = {
  memberSecrets: ['a secret for this test'],
  formSecrets: ['a form secret'],
  production: false,
};
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
  // Not for scripts, and not for other sites.
  expect(first.cookies[0]).toMatch(/^member=.*; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);

  const second = visit(DEVELOPMENT, sent(first.cookies[0] as string));
  expect(await currentMember(second.request)).toBe(memberId);
  expect(await requireMember(second.request, second.response)).toBe(memberId);
  expect(second.cookies).toEqual([]);
});

test('in production it is bound to this host over TLS, and one from a sibling domain counts for nothing (I3)', async () => {
  const { request, response, cookies } = visit(PRODUCTION);
  await requireMember(request, response);
  expect(cookies[0]).toMatch(/^__Host-member=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);

  const tossed = sent(cookies[0] as string).replace('__Host-member', 'member');
  expect(await currentMember(visit(PRODUCTION, tossed).request)).toBeNull();
});

test('a cookie that is none, or signed with another secret, is nobody', async () => {
  const foreign = await cookieOf({ ...DEVELOPMENT, memberSecrets: ['another secret'] });
  const forged = `member=member_${'0'.repeat(32)}.${'A'.repeat(43)}`;
  for (const cookie of [undefined, '', 'member', 'member=%', 'member=member_x.y', forged, foreign])
    expect([cookie, await currentMember(visit(DEVELOPMENT, cookie).request)]).toEqual([cookie, null]);
});

test('while MEMBER_SECRET is rotated a cookie of either value is the member, and is signed anew on a page (M25)', async () => {
  const old = await cookieOf(DEVELOPMENT);
  const rotated = { ...DEVELOPMENT, memberSecrets: ['a newer secret', ...DEVELOPMENT.memberSecrets] };
  const memberId = await currentMember(visit(DEVELOPMENT, old).request);
  expect(memberId).not.toBeNull();
  expect(await currentMember(visit(rotated, old).request)).toBe(memberId);

  const { request, response, cookies } = visit(rotated, old);
  expect(await requireMember(request, response)).toBe(memberId);
  expect(cookies).toHaveLength(1);
  const renewed = sent(cookies[0] as string);
  const after = visit({ ...DEVELOPMENT, memberSecrets: ['a newer secret'] }, renewed);
  expect(await requireMember(after.request, after.response)).toBe(memberId);
  expect(after.cookies).toEqual([]);
  // The processes that have not been restarted yet know it only if the newer value was announced to them before.
  expect(await currentMember(visit(DEVELOPMENT, renewed).request)).toBeNull();
});

test('a cookie that FORM_SECRET has signed is nobody, unless its value stands behind that of MEMBER_SECRET', async () => {
  const memberId = `member_${'7'.repeat(32)}`;
  const text = JSON.stringify(['member', memberId]);
  const old = `member=${memberId}.${createHmac('sha256', 'a form secret').update(text).digest('base64url')}`;
  expect(await currentMember(visit(DEVELOPMENT, old).request)).toBeNull();

  // As version 0.1.0 has signed it: docs/guides/rotation.md.
  const transition = { ...DEVELOPMENT, memberSecrets: [...DEVELOPMENT.memberSecrets, 'a form secret'] };
  const { request, response, cookies } = visit(transition, old);
  expect(await requireMember(request, response)).toBe(memberId);
  expect(cookies).toHaveLength(1);
  expect(await currentMember(visit(DEVELOPMENT, sent(cookies[0] as string)).request)).toBe(memberId);
});

/** The cookie of a new member, as a browser sends it. */
async function cookieOf(config: typeof DEVELOPMENT): Promise<string> {
  const { request, response, cookies } = visit(config);
  await requireMember(request, response);
  return sent(cookies[0] as string);
}
