// `npm run seed` fills the last 30 days: afterwards the clock shows the real time, nothing lies in the future, and the overview
// of 30 days has the money of all seeded payments.

import { fillShop, findSeeded, type Made } from '../../../src/local/seed-shop';
import { systemClock } from '../../../src/merchant/platform/clock';
import { startMerchant, type RunningMerchant } from '../../../src/merchant/start-merchant';
import { createMemberBrowser } from '../../support/browsers';
import { API_KEY, OPERATOR_PASSWORD, testConfig } from '../../support/config';
import { useWorld } from '../../support/use-world';

let merchant: RunningMerchant | undefined;
// Before the world and its database end: hooks run in the order in which they are registered.
afterAll(() => merchant?.close());
const world = useWorld();
let made: Made;
const places = { sandboxUrl: '', merchant: { url: '', apiKey: API_KEY } };

beforeAll(async () => {
  const config = testConfig({
    DATABASE_URL: world.databaseUrl,
    SERVICE_BASE_URL: world.sandbox.url,
    SERVICE_V2_BASE_URL: world.sandbox.url,
  });
  merchant = await startMerchant({ config, clock: systemClock, logger: world.log.logger, role: 'all' });
  const url = `http://127.0.0.1:${merchant.port}`;
  Object.assign(places, { sandboxUrl: world.sandbox.url, merchant: { url, apiKey: API_KEY } });
  await world.sandbox.settings({ webhook_url: `${url}/webhooks/payments` });
  made = await fillShop(places, () => undefined);
}, 300_000);

test('the clock shows the real time, and no seeded row lies in the future', async () => {
  expect(await world.sandbox.call('GET', '/clock/shop')).toMatchObject({ ahead_ms: 0, shop_ahead_ms: 0 });
  const [latest] = await world.rows.query(`
    select greatest((select max(updated_at) from orders), (select max(updated_at) from payments),
      (select max(paid_at) from payments), (select max(received_at) from notifications),
      (select max(occurred_at) from events), (select max(started_at) from refunds)) as at`);
  // The sandbox of the tests is three minutes ahead of the host.
  expect(Number(latest?.['at'])).toBeLessThanOrEqual(Date.now() + 4 * 60_000);
});

test('the overview of 30 days and the ledger have the money of all seeded payments', async () => {
  const [money] = await world.rows.query<{ paid: number; refunded: number; payments: number }>(`
    select sum(amount)::int as paid, sum(cancel_amount)::int as refunded, count(*)::int as payments
    from payments where status = 'paid' or cancel_amount > 0`);
  const { paid = 0, refunded = 0, payments = 0 } = money ?? {};
  // The payments of plans come on top.
  const known = made['paid in the window'] + made['paid with a card'] + made.deposited;
  expect(payments).toBeGreaterThan(known);
  const operator = createMemberBrowser(places.merchant);
  await operator.post('/operator/sign-in', { by: 'kim', password: OPERATOR_PASSWORD });
  const { html } = await operator.get('/operator?lang=en');
  const [, month = ''] = /id="period-month">([^]*?)<\/section>/.exec(html) ?? [];
  const shown = month.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(shown).toContain(`Paid ₩${paid.toLocaleString('en')} ${payments}`.replace(/ (\d+)$/, ' ($1)'));
  expect(shown).toMatch(new RegExp(`Refunded ₩${refunded.toLocaleString('en')} `));
});

test('a second run finds what is there', async () => {
  const seeded = await findSeeded(places);
  const number = Object.values(seeded?.orders ?? {}).reduce((sum, each) => sum + each, 0);
  expect([seeded?.isWhole, number >= made.orders]).toEqual([true, true]);
});
