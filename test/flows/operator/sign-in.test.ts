// Operators sign in with a password, under a name; nobody else sees or changes anything.

import { merchantRoutes } from '../../support/all-routes';
import { OPERATOR_PASSWORD } from '../../support/config';
import { createMemberBrowser } from '../../support/member-browser';
import { expectNoEffect } from '../../support/no-effect';
import { signedIn } from '../../support/operator-browser';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';

const OLD = 'operator-password-before-0123';
const world = useWorld({ environment: { OPERATOR_PASSWORD: `${OPERATOR_PASSWORD}, ${OLD}` } });
beforeEach(() => world.rows.query('delete from card_limits'));

const WRONG = 'not-the-password-0123456789';

test('signed in, the pages open; signed out, they do not', async () => {
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

test('without a session every page leads to the sign-in, and every action is refused and does nothing', async () => {
  const stranger = createMemberBrowser(world);
  const routes = merchantRoutes().filter(
    ({ path }) => /^\/operator/.test(path) && !path.endsWith('/sign-in'),
  );
  expect(routes.length).toBeGreaterThan(0);
  for (const { method, path } of routes) {
    const address = path.replace(/\{\w+\}/g, '1');
    const answer = await expectNoEffect(world, () =>
      method === 'get' ? stranger.get(address) : stranger.post(address, { note: 'x' }),
    );
    const expected =
      method === 'get' ? [303, `/operator/sign-in?to=${encodeURIComponent(address)}`] : [403, null];
    expect([address, answer.status, answer.location]).toEqual([address, ...expected]);
  }
});

test('the cookie is of this host and no script reads it', async () => {
  const browser = createMemberBrowser(world);
  const answer = await browser.post('/operator/sign-in', { by: 'kim', password: OPERATOR_PASSWORD });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^operator=[\w-]+\.[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
});

test('a session ends twelve hours after the sign-in, however much it is used', async () => {
  const operator = await signedIn(world);
  await world.advance(12 * 3600 - 5);
  expect((await operator.get('/operator/orders')).status).toBe(200);
  await world.advance(6);
  expect((await operator.get('/operator/orders')).status).toBe(303);
});

test('a forged or changed cookie is no session', async () => {
  const operator = await signedIn(world);
  const [content = '', signature = ''] = (operator.cookies.get('operator') ?? '').split('.');
  const other = Buffer.from(JSON.stringify({ by: 'lee', endsAt: 9_999_999_999 })).toString('base64url');
  for (const value of [`${other}.${signature}`, `${content}.${'A'.repeat(43)}`, content, 'x', '']) {
    operator.cookies.set('operator', value);
    expect([value, (await operator.get('/operator/orders')).status]).toEqual([value, 303]);
  }
});

test('a wrong password is refused, logged without it and counted, and the eleventh from one network waits, the right one as well', async () => {
  const stranger = createMemberBrowser(world);
  for (let tries = 1; tries <= 10; tries += 1) {
    const answer = await stranger.post('/operator/sign-in', { by: 'kim', password: WRONG });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(answer.html).not.toContain(WRONG);
  }
  const last = await stranger.post('/operator/sign-in', { by: 'kim', password: OPERATOR_PASSWORD });
  expect([last.status, last.headers.getSetCookie()]).toEqual([429, []]);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(800);
  const elsewhere = await stranger.post(
    '/operator/sign-in',
    { by: 'kim', password: OPERATOR_PASSWORD },
    { 'x-forwarded-for': '203.0.113.9' },
  );
  expect(elsewhere.status).toBe(303);
  const lines = world.log.lines().filter(({ event }) => event === 'operator_sign_in_failed');
  expect(lines.map(({ reason }) => reason)).toEqual([
    ...Array<string>(10).fill('wrong_password'),
    'too_many',
  ]);
  expect(lines[0]).toMatchObject({ by: 'kim', source: '127.0.0.1' });
  const signedInLines = world.log.lines().filter(({ event }) => event === 'operator_signed_in');
  expect(signedInLines.at(-1)).toMatchObject({ by: 'kim', source: '203.0.113.9' });
  expect(JSON.stringify(world.log.lines())).not.toContain(WRONG);
});

test('a password that was typed in the place of the name is not logged', async () => {
  const stranger = createMemberBrowser(world);
  await stranger.post('/operator/sign-in', { by: OPERATOR_PASSWORD, password: 'kim' });
  expect(world.log.events('operator_sign_in_failed').at(-1)).toMatchObject({ by: null });
  expect(JSON.stringify(world.log.lines())).not.toContain(OPERATOR_PASSWORD);
});

test('the addresses of one /64 have ten guesses together, those of another their own', async () => {
  const guess = (source: string) =>
    createMemberBrowser(world).post(
      '/operator/sign-in',
      { by: 'kim', password: WRONG },
      { 'x-forwarded-for': source },
    );
  for (let time = 1; time <= 10; time += 1) expect((await guess(`2001:db8:0:1::${time}`)).status).toBe(403);
  expect((await guess('2001:db8:0:1:ffff::1')).status).toBe(429);
  expect((await guess('2001:db8:0:2::1')).status).toBe(403);
});

test('N13 a wrong password from six networks of one /48 is counted together, and a right one counts for nothing', async () => {
  const signInFrom = async (source: string, password = WRONG) => {
    const browser = createMemberBrowser(world);
    return (await browser.post('/operator/sign-in', { by: 'kim', password }, { 'x-forwarded-for': source }))
      .status;
  };
  // Each in a /56 of its own.
  const networks = [1, 2, 3, 4, 5, 6].map((nth) => `2001:db8:7:${nth}00::1`);
  for (const network of networks)
    for (let guess = 1; guess <= 4; guess += 1) expect(await signInFrom(network)).toBe(403);
  for (const network of networks) expect(await signInFrom(network, OPERATOR_PASSWORD)).toBe(303);
  const rest = [];
  for (const network of networks) rest.push(await signInFrom(network), await signInFrom(network));
  expect(rest).toEqual([...Array<number>(6).fill(403), ...Array<number>(6).fill(429)]);
  expect(await signInFrom('2001:db8:8::1')).toBe(403);
});

test('guesses that come at once over two processes do not pass together', async () => {
  const second = await startWorld({ environment: { DATABASE_URL: world.databaseUrl } });
  try {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        createMemberBrowser(index % 2 ? world : second).post('/operator/sign-in', {
          by: 'x',
          password: WRONG,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  } finally {
    await second.close();
  }
});

test('a password that is no longer accepted signs out whoever used it, and nobody else', async () => {
  const kim = await signedIn(world, { by: 'kim' });
  const lee = await signedIn(world, { by: 'lee', password: OLD });
  expect((await lee.get('/operator/orders')).status).toBe(200);
  const rotated = await startWorld({
    environment: {
      DATABASE_URL: world.databaseUrl,
      OPERATOR_PASSWORD: `the-newest-password-0123,${OPERATOR_PASSWORD}`,
    },
  });
  try {
    const at = (cookies: Map<string, string>) => createMemberBrowser(rotated, cookies);
    expect((await at(kim.cookies).get('/operator/orders')).status).toBe(200);
    expect((await at(lee.cookies).get('/operator/orders')).status).toBe(303);
  } finally {
    await rotated.close();
  }
});

test('a sign-in leads to the page that was asked for, and to no other server', async () => {
  const password = OPERATOR_PASSWORD;
  const leadsTo = async (to: string) =>
    (await createMemberBrowser(world).post('/operator/sign-in', { by: 'kim', password, to })).location;
  expect(await leadsTo('/operator/orders?status=paid')).toBe('/operator/orders?status=paid');
  for (const to of [
    '//evil.example',
    'https://evil.example/operator',
    '/operator/../cards',
    '/operatorx',
    '/operator\\x',
  ])
    expect([to, await leadsTo(to)]).toEqual([to, '/operator']);
});

test('a post that another site causes is refused, also with the cookie', async () => {
  const operator = await signedIn(world);
  const answer = await expectNoEffect(world, () =>
    operator.post(
      '/operator/sign-out',
      {},
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ),
  );
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
});

test('a name is needed, and stands escaped on every page', async () => {
  const browser = createMemberBrowser(world);
  for (const by of ['', '   ', 'a\nb', 'ki\u202em', 'x'.repeat(65)])
    expect((await browser.post('/operator/sign-in', { by, password: OPERATOR_PASSWORD })).status).toBe(400);
  const operator = await signedIn(world, { by: '<img src=x onerror=alert(1)>' });
  const { html } = await operator.get('/operator/orders?lang=en');
  expect(html).toContain('&lt;img src=x');
  expect(html).not.toContain('<img');
});
