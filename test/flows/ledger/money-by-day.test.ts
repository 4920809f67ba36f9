// The money of the operator pages is that of the ledger, day by day: list of payments, its CSV and the overview. Payments are
// recorded late, refunded in parts on several days and at the service's console, paid around midnight in Seoul, and in two
// currencies.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { signedIn, type OperatorBrowser } from '../../support/browsers';
import { newUid, paySilently, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SEOUL_SECONDS = 9 * HOUR;

const seoulSeconds = () => Math.floor(world.clock.nowMs() / 1000) + SEOUL_SECONDS;
const today = () => new Date(seoulSeconds() * 1000).toISOString().slice(0, 10);
const untilMidnight = () => DAY - (seoulSeconds() % DAY);

let kim: OperatorBrowser;
let days: string[];

async function pay(amount: number, changes: Record<string, unknown> = {}) {
  const uid = await registerOrder(world, newUid(), { amount, currency: changes['currency'] ?? 'KRW' });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: uid, amount, ...changes });
  return { uid, svcUid };
}

const refund = (svcUid: string, amount: number, checksum: number) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { amount, checksum, reason: 'a part' });

beforeAll(async () => {
  await world.advance(untilMidnight() + 9 * HOUR);
  days = [today()];
  const nextDay = async (afterMidnight = HOUR) => {
    await world.advance(untilMidnight() + afterMidnight);
    days.push(today());
  };
  const first = await pay(10_000);
  const late = await registerOrder(world, newUid(), { amount: 7000 });
  const { svc_uid: lateUid } = await paySilently(world, late, { amount: 7000 });
  const dollars = await pay(250, { currency: 'USD' });
  await pay(900, { outcome: 'failed' });
  await nextDay();
  await refund(first.svcUid, 1000, 10_000);
  await world.advance(untilMidnight() - 1);
  const lastSecond = await pay(2000);
  await nextDay(0);
  await pay(4000);
  await refund(first.svcUid, 500, 9000);
  // Its notification was lost.
  await syncPayment(world.context(), { svcUid: lateUid, merchantUid: late });
  await nextDay();
  await world.sandbox.control(dollars.svcUid, 'cancel', { amount: 50 });
  await world.sandbox.control(lastSecond.svcUid, 'cancel', { amount: 2000 });
  await pay(3000);
  await nextDay();
  await refund(lateUid, 7000, 7000);
  kim = await signedIn(world, { by: 'kim' });
});

type Sum = { day: string; currency: string; paid: number; refunded: number };
const ledgerOf = async (from: string, to = from): Promise<Sum[]> =>
  (await world.api('GET', `/api/ledger?from=${from}&to=${to}`)).body.sums;

/** Money by currency, without what is 0. */
function byCurrency(sums: readonly Sum[], what: 'paid' | 'refunded'): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { currency, [what]: amount } of sums)
    if (amount !== 0) total[currency] = (total[currency] ?? 0) + Math.abs(amount);
  return total;
}

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Such as ₩3,000 and 25 USD. */
function readMoney(texts: Iterable<RegExpMatchArray>): Record<string, number> {
  const found = [...texts].map(([, won, other, currency]) => [
    currency ?? 'KRW',
    Number((won ?? other ?? '').replaceAll(',', '')),
  ]);
  return Object.fromEntries(found.filter(([, amount]) => amount !== 0)) as Record<string, number>;
}

test('the list of payments and its CSV have, for each day, what the ledger has', async () => {
  for (const day of days) {
    const paid = byCurrency(await ledgerOf(day), 'paid');
    const { html } = await kim.get(`/operator/payments?from=${day}&to=${day}&lang=en`);
    const totals = plain(/<p class="totals">([^]*?)<\/p>/.exec(html)?.[1] ?? '');
    expect([day, readMoney(totals.matchAll(/(?:Sum|Total) (?:₩([\d,]+)|([\d,]+) (\w{3}))/g))]).toEqual([
      day,
      paid,
    ]);

    const csv = (await kim.get(`/operator/payments.csv?from=${day}&to=${day}&lang=en`)).html;
    const [head = '', ...rows] = csv.trim().split('\r\n');
    const at = (name: string) => head.split(',').indexOf(name);
    const inCsv: Record<string, number> = {};
    for (const cells of rows.map((row) => row.split(','))) {
      if (cells[at('Status')] === 'failed') continue;
      const currency = cells[at('Currency')] ?? '';
      inCsv[currency] = (inCsv[currency] ?? 0) + Number(cells[at('Amount')]);
      expect(cells[at('Paid on (KST)')]).toMatch(new RegExp(`^${day} `));
    }
    expect([day, inCsv]).toEqual([day, paid]);
  }
});

test('the overview has, for its periods, what the ledger has', async () => {
  const last = days.at(-1) ?? '';
  const lengths = { today: 1, week: 7, month: 30 };
  for (const [name, length] of Object.entries(lengths)) {
    const from = new Date(Date.parse(last) - (length - 1) * DAY * 1000).toISOString().slice(0, 10);
    const sums = await ledgerOf(from, last);
    for (const query of [`period=${name}`, `from=${from}&to=${last}`]) {
      const { html } = await kim.get(`/operator?${query}&lang=en`);
      for (const what of ['paid', 'refunded'] as const) {
        const figures = [
          ...html.matchAll(
            new RegExp(
              `<div class="${what === 'paid' ? 'paid' : 'refunds'}">([^]*?)<span class="before">`,
              'g',
            ),
          ),
        ];
        const shown = figures.flatMap(([figure]) => [
          ...plain(figure).matchAll(/(?:₩([\d,]+)|([\d,]+) (USD))/g),
        ]);
        expect([query, what, readMoney(shown)]).toEqual([query, what, byCurrency(sums, what)]);
      }
    }
  }
});

test('each list says which time its days and its sum follow', async () => {
  const labels = async (place: string) =>
    plain((await kim.get(`/operator/${place}?lang=en`)).html).match(/[A-Z][a-z ]+: From/g);
  expect(await labels('payments')).toEqual(['Paid on: From']);
  expect(await labels('orders')).toEqual(['Last change: From']);
  expect(await labels('notifications')).toEqual(['Received: From']);
  expect(await labels('discrepancies')).toEqual(['Last detected: From']);
  const { html } = await kim.get('/operator/orders?lang=en');
  expect(html).toMatch('is what the orders cost, whether they were paid or not.');
});
