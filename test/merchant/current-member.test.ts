import type { Request, Response } from 'express';
import { createMembers } from '../../src/merchant/current-member';

const FORM_SECRET = 'a secret for this test';

/** What the two functions see of a request and an answer. */
function visit(cookie?: string) {
  const cookies: string[] = [];
  const request = { headers: { cookie } } as unknown as Request;
  const response = { append: (_name: string, value: string) => cookies.push(value) } as unknown as Response;
  return { request, response, cookies };
}
const sent = (cookie: string) => cookie.split(';', 1)[0] as string;

test('a stranger becomes a member once, and is recognised from then on', () => {
  const members = createMembers({ formSecret: FORM_SECRET, production: false });
  const first = visit();
  const memberId = members.welcomeMember(first.request, first.response);
  expect(memberId).toMatch(/^member_[0-9a-f]{32}$/);

  const second = visit(sent(first.cookies[0] as string));
  expect(members.currentMember(second.request)).toBe(memberId);
  expect(members.welcomeMember(second.request, second.response)).toBe(memberId);
  expect(second.cookies).toEqual([]);
});

test('the cookie is not for scripts and not for other sites', () => {
  const { request, response, cookies } = visit();
  createMembers({ formSecret: FORM_SECRET, production: false }).welcomeMember(request, response);
  expect(cookies[0]).toMatch(/^member=.*; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
});

test('in production it is bound to this host over TLS, and one from a sibling domain counts for nothing (I3)', () => {
  const members = createMembers({ formSecret: FORM_SECRET, production: true });
  const { request, response, cookies } = visit();
  members.welcomeMember(request, response);
  expect(cookies[0]).toMatch(/^__Host-member=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);

  const tossed = sent(cookies[0] as string).replace('__Host-member', 'member');
  expect(members.currentMember(visit(tossed).request)).toBeNull();
});

test.each([
  undefined,
  '',
  'member',
  'member=%',
  'member=member_x.y',
  `member=member_${'0'.repeat(32)}.${'A'.repeat(43)}`,
])('the cookie %p is nobody', (cookie) => {
  const members = createMembers({ formSecret: FORM_SECRET, production: false });
  expect(members.currentMember(visit(cookie).request)).toBeNull();
});

test('a cookie signed with another secret is nobody', () => {
  const { request, response, cookies } = visit();
  createMembers({ formSecret: 'another secret', production: false }).welcomeMember(request, response);
  const members = createMembers({ formSecret: FORM_SECRET, production: false });
  expect(members.currentMember(visit(sent(cookies[0] as string)).request)).toBeNull();
});
