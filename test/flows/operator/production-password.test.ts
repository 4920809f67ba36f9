// In production OPERATOR_PASSWORD makes the first account, and does nothing else: no page shows data, nothing is refunded.

import { loadConfig } from '../../../src/merchant/settings';
import { startMerchant } from '../../../src/merchant/start-merchant';
import { merchantRoutes } from '../../support/all-routes';
import { createMemberBrowser } from '../../support/browsers';
import { OPERATOR_PASSWORD, PRODUCTION_ENVIRONMENT, withConstants } from '../../support/config';
import { openForAll } from '../../support/open-between';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
/** As the proxy would send it. */
const PROXIED = { host: new URL(PRODUCTION_ENVIRONMENT.PUBLIC_URL).host, 'x-forwarded-for': '203.0.113.9' };

const merchant = openForAll(() => {
  const config = loadConfig({
    ...PRODUCTION_ENVIRONMENT,
    DATABASE_URL: world.databaseUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    OPERATOR_PASSWORD,
    TRUSTED_PROXIES: '127.0.0.1',
  });
  const { clock, log } = world;
  // With that of production, a hash takes a third of a second of CPU.
  const cheap = withConstants(config, { passwordCost: { N: 16, r: 8, p: 1 } });
  return startMerchant({ config: cheap, clock, logger: log.logger, role: null });
});
// OPERATOR_PASSWORD signs in while there are no accounts.
beforeEach(() => world.rows.query('delete from operator_sessions; delete from operators'));

async function signIn(by = 'admin', password = OPERATOR_PASSWORD) {
  const browser = createMemberBrowser({ url: `http://127.0.0.1:${merchant.port}` });
  const headers = { ...PROXIED, origin: PRODUCTION_ENVIRONMENT.PUBLIC_URL };
  const answer = await browser.post('/operator/sign-in', { by, password }, headers);
  return { answer, browser: { ...browser, get: getWith(browser), post: postWith(browser) } };
}
type Browser = ReturnType<typeof createMemberBrowser>;
const getWith = (browser: Browser) => (path: string) => browser.get(path, PROXIED);
const postWith = (browser: Browser) => (path: string, fields: Record<string, string>) =>
  browser.post(path, fields, { ...PROXIED, origin: PRODUCTION_ENVIRONMENT.PUBLIC_URL });

test('in production the session of OPERATOR_PASSWORD opens the page of the first account, and every other route is refused', async () => {
  const merchantUid = await registerOrder(world, newUid(), { amount: 1000 });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const money = await world.rows.money();
  const { answer, browser } = await signIn();
  expect(answer.status).toBe(303);
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-operator=.*; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  const open = new Set(['/operator/sign-in', '/operator/sign-out', '/operator/accounts']);
  const routes = merchantRoutes().filter(({ path }) => path.startsWith('/operator') && !open.has(path));
  expect(routes.length).toBeGreaterThan(30);
  for (const { method, path } of routes) {
    const address = path.replace(/\{svc_uid\}/g, svcUid).replace(/\{\w+\}/g, '1');
    const fields = { how: 'all', checksum: '1000', reason: 'x', note: 'x' };
    const { status, location, html } =
      method === 'get' ? await browser.get(address) : await browser.post(address, fields);
    const expected = method === 'get' ? [303, '/operator/accounts'] : [403, null];
    expect([address, status, location]).toEqual([address, ...expected]);
    expect(html).not.toContain(svcUid);
  }
  expect(await world.rows.money()).toBe(money);
  const page = await browser.get('/operator/accounts');
  expect(page.status).toBe(200);
  // Neither the search, nor the other pages, nor how much waits.
  for (const hidden of ['role="search"', 'class="places"', 'class="waiting"'])
    expect([hidden, page.html.includes(hidden)]).toEqual([hidden, false]);
});

test('of two browsers with OPERATOR_PASSWORD one makes the first account, and then neither is signed in', async () => {
  const browsers = [(await signIn()).browser, (await signIn('other')).browser];
  const answers = await Promise.all(
    browsers.map((browser, i) => browser.post('/operator/accounts', { name: `kim-${i}`, role: 'admin' })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await world.rows.query('select role from operators')).toEqual([{ role: 'admin' }]);
  for (const browser of browsers)
    expect((await browser.get('/operator/accounts')).location).toBe(
      '/operator/sign-in?to=%2Foperator%2Faccounts',
    );
  expect((await signIn()).answer.status).toBe(403);
});
