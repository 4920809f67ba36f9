// `npm run seed` fills the last 30 days: afterwards the clock shows the real time, nothing lies in the future, and the overview
// of 30 days has the money of all seeded payments. start.test.ts runs it beside `npm start` on a shop that has these days.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findSeeded } from '../../../src/local/seed-shop';
import { systemClock } from '../../../src/merchant/platform/clock';
import { startMerchant, type RunningMerchant } from '../../../src/merchant/start-merchant';
import { createMemberBrowser } from '../../support/browsers';
import { API_KEY, OPERATOR_PASSWORD, testConfig } from '../../support/config';
import { ROOT } from '../../support/shop-copy';
import { useWorld } from '../../support/use-world';

let merchant: RunningMerchant | undefined;
// Before the world and its database end: hooks run in the order in which they are registered.
afterAll(() => merchant?.close());
const world = useWorld();
/** How many of each the command says that it has made. */
let made: Record<string, number>;
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
  made = await seed();
}, 300_000);

async function seed(): Promise<Record<string, number>> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/local/seed.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(tmpdir(), 'no-such-folder'),
      PORT: new URL(places.merchant.url).port,
      SANDBOX_PORT: new URL(places.sandboxUrl).port,
      API_KEY,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(code).toBe(0);
  const rows = [...printed.matchAll(/^ {2}(\S.*?) +(\d+)$/gm)];
  return Object.fromEntries(rows.map(([, name, count]) => [name, Number(count)]));
}

const HOUR_MS = 3_600_000;

test('the command says what it has made', () => {
  expect(made).toMatchObject({ orders: 227, discrepancies: 6 });
});

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
  const known = sumOf('paid in the window', 'paid with a card', 'deposited');
  expect(payments).toBeGreaterThan(known);
  const operator = createMemberBrowser(places.merchant);
  await operator.post('/operator/sign-in', { by: 'kim', password: OPERATOR_PASSWORD });
  // A day more than the month, in case a day has begun in Seoul since the shop was seeded.
  const day = (ago: number) =>
    new Date(Date.now() + 9 * HOUR_MS - ago * 24 * HOUR_MS).toISOString().slice(0, 10);
  const { html } = await operator.get(`/operator?from=${day(30)}&to=${day(0)}&lang=en`);
  const [, month = ''] = /<dl class="figures">([^]*?)<\/dl>/.exec(html) ?? [];
  const shown = month.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(shown).toContain(`Paid ₩${paid.toLocaleString('en')} ${payments}`.replace(/ (\d+)$/, ' ($1)'));
  expect(shown).toMatch(new RegExp(`Refunded ₩${refunded.toLocaleString('en')} `));
});

test('a second run finds what is there', async () => {
  const seeded = await findSeeded(places);
  const number = Object.values(seeded?.orders ?? {}).reduce((sum, each) => sum + each, 0);
  expect([seeded?.isWhole, number >= sumOf('orders')]).toEqual([true, true]);
});

const sumOf = (...kinds: string[]) => kinds.reduce((sum, kind) => sum + (made[kind] ?? NaN), 0);
