// Operators sign in with OPERATOR_PASSWORD and a name; without a sign-in nothing can be seen or changed. Accounts are tested
// in accounts.test.ts, and strangers at each route in test/flows/http/access.test.ts.

import { createSignInLink, LINK_MINUTES } from '../../../src/merchant/platform/sign-in-link';
import { createMemberBrowser, signedIn } from '../../support/browsers';
import { OPERATOR_PASSWORD } from '../../support/config';
import { metric } from '../../support/metrics';
import { send } from '../../support/raw-http';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeEach(async () => {
  await world.rows.query('delete from card_limits');
  world.log.clear();
});

const WRONG = 'not-the-password-0123456789';

/** The form, sent from this machine, or from another address through the reverse proxy. */
const signIn = (fields: { by?: string; password?: string; to?: string }, source?: string) =>
  createMemberBrowser(world).post(
    '/operator/sign-in',
    { by: 'kim', password: OPERATOR_PASSWORD, ...fields },
    source === undefined ? {} : { 'x-forwarded-for': source },
  );
const statusFrom = async (source: string, password = WRONG) => (await signIn({ password }, source)).status;

test('the pages open after the sign-in and not after the sign-out', async () => {
  expect((await signIn({})).headers.getSetCookie()).toEqual([
    expect.stringMatching(/^operator=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const operator = await signedIn(world);
  const page = await operator.get('/operator/orders');
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(page.html).toContain('kim');
  const out = await operator.post('/operator/sign-out', {});
  expect([out.status, out.location]).toEqual([303, '/operator/sign-in']);
  expect(out.headers.getSetCookie()[0]).toMatch(/^operator=; Max-Age=0;/);
  expect((await operator.get('/operator/orders')).location).toBe('/operator/sign-in?to=%2Foperator%2Forders');
  expect((await operator.get('/operator/sign-in')).headers.get('x-robots-tag')).toBe('noindex, nofollow');
});

test('the link of npm start signs in once, in time, and only with the password that it was signed with', async () => {
  const now = world.context().realClock.now();
  const open = (link: string) => createMemberBrowser(world).get(`/operator/sign-in?link=${link}`);
  const link = createSignInLink(OPERATOR_PASSWORD, now);
  const first = await open(link);
  expect([first.status, first.location, first.headers.getSetCookie()[0]]).toEqual([
    303,
    '/operator',
    expect.stringMatching(/^operator=[\w-]{43};/),
  ]);
  const old = new Date(now.getTime() - LINK_MINUTES * 60_000);
  for (const refused of [
    link,
    createSignInLink(WRONG, now),
    createSignInLink(OPERATOR_PASSWORD, old),
    `${link}x`,
  ]) {
    const answer = await open(refused);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  }
  expect(world.log.text()).not.toContain(link.slice(-43));
});

test('a sign-in leads back to the page and its filters, and to nothing else that an address had', async () => {
  const stranger = createMemberBrowser(world);
  const to = `/operator/sign-in?to=${encodeURIComponent('/operator/orders?status=paid')}`;
  for (const method of ['GET', 'HEAD']) {
    const { status, location } = await stranger.send(method, '/operator/orders?lang=ko&status=paid&x=secret');
    expect([method, status, location]).toEqual([method, 303, `${to}&lang=ko`]);
  }
});

test('a password, a code or a secret in an address is refused', async () => {
  const stranger = createMemberBrowser(world);
  for (const field of ['password', 'code', 'current', 'next', 'secret'])
    for (const path of ['/operator/sign-in', '/operator/me'])
      expect([field, path, (await stranger.get(`${path}?${field}=x`)).status]).toEqual([field, path, 405]);
});

test('a wrong password is refused, counted and not logged, and after ten from one network every password is refused for a time', async () => {
  const counted = () =>
    Promise.all(
      ['signed_in', 'wrong_password', 'too_many'].map((outcome) =>
        metric(world, `merchant_operator_sign_ins_total{outcome="${outcome}"}`),
      ),
    );
  const before = await counted();
  // The password in the place of the name.
  await signIn({ by: OPERATOR_PASSWORD, password: WRONG });
  for (let tries = 2; tries <= 10; tries += 1) {
    const answer = await signIn({ password: WRONG });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(answer.html).not.toContain(WRONG);
  }
  const last = await signIn({});
  expect([last.status, last.headers.getSetCookie()]).toEqual([429, []]);
  // One guess is allowed again after a tenth of a quarter of an hour.
  expect(last.headers.get('retry-after')).toBe('90');
  expect((await signIn({}, '203.0.113.9')).status).toBe(303);
  expect((await counted()).map((count, at) => count - (before[at] ?? 0))).toEqual([1, 10, 1]);
  const failed = world.log.events('operator_sign_in_failed');
  const reasons = [...Array<string>(10).fill('wrong_password'), 'too_many'];
  expect(failed.map(({ reason }) => reason)).toEqual(reasons);
  expect(failed[0]).toMatchObject({ by: null, source: '127.0.0.1' });
  expect(failed[1]).toMatchObject({ by: 'kim', source: '127.0.0.1' });
  expect(world.log.events('operator_signed_in')).toMatchObject([{ by: 'kim', source: '203.0.113.9' }]);
  for (const password of [WRONG, OPERATOR_PASSWORD]) expect(world.log.text()).not.toContain(password);
});

test('the addresses of one /64 share ten guesses, and another /64 has its own', async () => {
  for (let time = 1; time <= 10; time += 1) expect(await statusFrom(`2001:db8:0:1::${time}`)).toBe(403);
  expect(await statusFrom('2001:db8:0:1:ffff::1')).toBe(429);
  expect(await statusFrom('2001:db8:0:2::1')).toBe(403);
});

test('after a right password its address has ten guesses again', async () => {
  const tries = async (number: number) => {
    const statuses = [];
    for (let nth = 0; nth < number; nth += 1) statuses.push(await statusFrom('203.0.113.44'));
    return statuses;
  };
  expect(await tries(9)).toEqual(Array<number>(9).fill(403));
  expect(await statusFrom('203.0.113.44', OPERATOR_PASSWORD)).toBe(303);
  expect(await tries(11)).toEqual([...Array<number>(10).fill(403), 429]);
});

test('N13 wrong passwords from all networks of one /48 are counted together', async () => {
  // Each in a /56 of its own.
  const networks = [1, 2, 3, 4, 5, 6].map((nth) => `2001:db8:7:${nth}00::1`);
  for (const network of networks)
    for (let guess = 1; guess <= 4; guess += 1) expect(await statusFrom(network)).toBe(403);
  for (const network of networks) expect(await statusFrom(network, OPERATOR_PASSWORD)).toBe(303);
  const rest = [];
  for (const network of networks) rest.push(await statusFrom(network), await statusFrom(network));
  expect(rest).toEqual([...Array<number>(6).fill(403), ...Array<number>(6).fill(429)]);
  expect(await statusFrom('2001:db8:8::1')).toBe(403);
});

test('the sign-in is not compressed, because its length would reveal parts of it', async () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const answer = await send(world.url, '/operator/sign-in?to=a', { method: 'GET', headers });
  expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
});

test('a sign-in redirects to the requested page, and never to another server', async () => {
  const leadsTo = async (to: string) => (await signIn({ to })).location;
  expect(await leadsTo('/operator/orders?status=paid')).toBe('/operator/orders?status=paid');
  const elsewhere = ['//evil.example', 'https://evil.example/operator', '/operator/../cards', '/operator\\x'];
  for (const to of [...elsewhere, '/operatorx']) expect([to, await leadsTo(to)]).toEqual([to, '/operator']);
});
