// The figures of the overview are the sums of the rows, by day of Seoul and by currency: also of refunds made on several days,
// at the service's console, and by an interface that shows no history.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { signedIn } from '../../support/browsers';
import { CANCEL_PAYMENT } from '../../support/discrepancies';
import { newUid, registerOrder } from '../../support/orders';
import { resetWorld } from '../../support/reconciliation';
import { useWorld } from '../../support/use-world';

const world = useWorld();
// The figures are those of all rows.
beforeEach(async () => {
  await resetWorld(world);
  await world.rows.query('truncate refunds');
});
const DAY = 86_400;

async function pay(amount: number, changes: Record<string, unknown> = {}) {
  const uid = await registerOrder(world, newUid(), { amount, currency: changes['currency'] ?? 'KRW' });
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: uid, amount, ...changes });
  // The service sends no notification of a failure.
  if (changes['outcome']) await syncPayment(world.context(), { svcUid: svc_uid, merchantUid: uid });
  return svc_uid;
}

const plain = (text = '') =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The texts of each figure of each period, the current value and the one before. */
async function figures(lang = 'en') {
  const kim = await signedIn(world, { by: 'kim' });
  const shown: Record<string, Record<string, string>> = {};
  for (const period of ['today', 'week', 'month']) {
    const { html } = await kim.get(`/operator?period=${period}&lang=${lang}`);
    const [, list = ''] = /<dl class="figures">([^]*?)<\/dl>/.exec(html) ?? [];
    shown[period] = Object.fromEntries(
      [...list.matchAll(/<dt>([^]*?)<\/dt><dd>([^]*?)<\/dd>/g)].map(([, term, value]) => [
        plain(term),
        plain(value),
      ]),
    );
  }
  return shown;
}

test('paid and refunded amounts, success rate and cards of today, 7 and 30 days, beside the period before', async () => {
  const old = await pay(5000);
  await world.advance(8 * DAY);
  const first = await pay(10_000);
  await pay(700, { outcome: 'failed' });
  await world.advance(DAY);
  // A refund of each kind on one day: by us, at the console of the service, and a second part.
  await world.api('POST', `/api/payments/${first}/cancel`, {
    amount: 1000,
    checksum: 10_000,
    reason: 'a part',
  });
  await world.sandbox.control(old, 'cancel', { amount: 2000 });
  await world.advance(DAY);
  await world.api('POST', `/api/payments/${first}/cancel`, { amount: 500, checksum: 9000, reason: 'more' });
  const dollars = await pay(25, { currency: 'USD' });
  await world.sandbox.control(dollars, 'cancel', { amount: 5 });
  await pay(3000);
  expect(await figures()).toEqual({
    today: expect.objectContaining({
      'Paid (KRW)': '₩3,000 (1) Yesterday: ₩0 (0)',
      'Refunded (KRW)': '₩500 (1) Yesterday: ₩3,000 (2)',
      'Paid (USD)': '25 USD (1) Yesterday: 0 USD (0)',
      'Refunded (USD)': '5 USD (1) Yesterday: 0 USD (0)',
      'Success rate': '100% Yesterday: –',
      'Failed payments': '0 Yesterday: 0',
      'New cards': '0 Yesterday: 0',
    }),
    week: expect.objectContaining({
      'Paid (KRW)': '₩13,000 (2) 7 days before: ₩5,000 (1)',
      'Refunded (KRW)': '₩3,500 (3) 7 days before: ₩0 (0)',
      'Success rate': '75% 7 days before: 100%',
      'Failed payments': '1 7 days before: 0',
    }),
    month: expect.objectContaining({
      'Paid (KRW)': '₩18,000 (3) 30 days before: ₩0 (0)',
      'Refunded (KRW)': '₩3,500 (3) 30 days before: ₩0 (0)',
      'Success rate': '80% 30 days before: –',
    }),
  });
  const [rows] = await world.rows.query(
    `select sum(amount) filter (where currency = 'KRW')::int as paid,
       sum(cancel_amount) filter (where currency = 'KRW')::int as refunded
     from payments where paid_at is not null`,
  );
  expect(rows).toEqual({ paid: 18_000, refunded: 3500 });
  // Without a history, our own refunds say when, and the rest counts on the day of the last one, as in the ledger.
  await world.rows.query("update payments set record = record - 'cancel_history'");
  const { today, month } = await figures();
  expect(today?.['Refunded (KRW)']).toBe('₩500 (1) Yesterday: ₩3,000 (2)');
  expect(month?.['Refunded (KRW)']).toBe('₩3,500 (3) 30 days before: ₩0 (0)');
});

test('a payment just before midnight in Seoul counts for that day', async () => {
  const toMidnight = DAY - Math.floor((world.clock.nowMs() / 1000 + 9 * 3600) % DAY);
  await world.advance(toMidnight - 60);
  await pay(4000);
  await world.advance(120);
  await pay(1000);
  const { today } = await figures();
  expect(today?.['Paid']).toBe('₩1,000 (1) Yesterday: ₩4,000 (1)');
});

test('each number leads to a list with the same sum, and the chart and its table have the rows', async () => {
  for (const [day, amount] of [3000, 0, 5000, 1200].entries()) {
    if (day > 0) await world.advance(DAY);
    if (amount === 0) continue;
    const svcUid = await pay(amount);
    await pay(400, { outcome: 'failed' });
    await world.api('POST', `/api/payments/${svcUid}/cancel`, {
      amount: 100,
      checksum: amount,
      reason: 'a part',
    });
    await world.sandbox.control(svcUid, 'cancel', { amount: 50 });
  }
  await pay(70, { currency: 'USD' });
  const kim = await signedIn(world, { by: 'kim' });
  const total = async (address: string) => {
    const { html } = await kim.get(address.replaceAll('&amp;', '&'));
    return plain(/<p class="totals">[^]*?<\/p>(?:\s*<p[^]*?<\/p>)?/.exec(html)?.[0]);
  };
  const { html } = await kim.get('/operator?period=week&lang=en');
  const [, main = ''] = /<main[^>]*>([^]*)<\/main>/.exec(html) ?? [];
  const linked = [...main.matchAll(/<a href="(\/operator\/(?:payments|keys)\?[^"]*)">([^]*?)<\/a>/g)];
  // Both currencies, failed payments, and the tables: three days with payments and refunds, and the dollars.
  expect(linked.length).toBe(3 + 1 + 6 + 1);
  for (const [, address = '', content] of linked) {
    const shown = plain(content);
    const [money] = /₩[\d,]+|[\d,]+ USD/.exec(shown) ?? [];
    const [, counted] = /\((\d+)\)$/.exec(shown) ?? (money ? [] : [null, shown]);
    const sum = await total(address);
    if (money) expect([address, sum]).toEqual([address, expect.stringContaining(money)]);
    const count = address.includes('money=refunded')
      ? /total of (\d+) refunds/.exec(sum)?.[1]
      : /(\d+)/.exec(sum)?.[1];
    if (counted) expect([address, count]).toEqual([address, counted]);
  }
  const [stored] = await world.rows.query(`select sum(amount) filter (where currency = 'KRW')::int as paid,
    sum(cancel_amount)::int as refunded, count(*) filter (where currency = 'KRW')::int as payments
    from payments where status <> 'failed'`);
  expect(stored).toEqual({ paid: 9200, refunded: 450, payments: 3 });
  const { week } = await figures();
  expect(week).toMatchObject({
    'Paid (KRW)': '₩9,200 (3) 7 days before: ₩0 (0)',
    'Refunded (KRW)': '₩450 (6) 7 days before: ₩0 (0)',
    'Paid (USD)': '70 USD (1) 7 days before: 0 USD (0)',
    'Failed payments': '3 7 days before: 0',
  });
  const [chart = ''] = /<svg[^]*?<\/svg>/.exec(html) ?? [];
  const bars = [...chart.matchAll(/height="([\d.]+)"><title>\w{3} \d+, \d{4} ₩([\d,]+)</g)].map(
    ([, height, amount]) => [Number(height), Number(amount?.replace(',', ''))],
  );
  expect(bars).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
    [50, 3000],
    [0, 0],
    [83.33, 5000],
    [20, 1200],
  ]);
  expect(chart).not.toMatch(/style=|fill=/);
});

test('a period without payments has a sentence in place of a chart, and a wrong one is refused', async () => {
  const kim = await signedIn(world, { by: 'kim' });
  const { html } = await kim.get('/operator?from=2026-01-01&to=2026-03-31&lang=en');
  expect(html).toContain('There are no payments in this period.');
  expect(html).not.toContain('<svg');
  for (const query of [
    'from=2026-01-02&to=2026-01-01',
    'from=2026-01-01&to=2026-04-03',
    'from=x',
    'period=year',
  ])
    expect([query, (await kim.get(`/operator?${query}`)).status]).toEqual([query, 400]);
});

test('each tile leads to a list with as many rows, and attempts without an outcome to the list that has them', async () => {
  const first = await pay(1000);
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  await world.api('POST', `/api/payments/${first}/cancel`, { reason: 'cold' });
  for (const amount of [10, 20]) {
    const uid = await registerOrder(world, newUid(), { amount });
    await world.sandbox.pay({ merchant_uid: uid, amount: amount + 1 });
  }
  const kim = await signedIn(world, { by: 'kim' });
  const { html } = await kim.get('/operator?lang=en');
  const [tiles = ''] = /<dl class="tiles">[^]*?<\/dl>/.exec(html) ?? [];
  const linked = [...tiles.matchAll(/<a href="([^"]*)">[^<]*<\/a><\/dt><dd>(\d+)</g)]
    .map(([, address = '', number]) => [address.replaceAll('&amp;', '&'), Number(number)] as const)
    // The event of the payment may be delivered meanwhile.
    .filter(([address]) => !address.includes('/events'));
  expect(linked).toEqual([
    ['/operator/desk?lang=en', 2],
    ['/operator/discrepancies?open=true&lang=en', 2],
    ['/operator/refunds?status=unknown&lang=en', 1],
  ]);
  for (const [address, number] of linked.slice(1)) {
    const list = await kim.get(address);
    const [, rows = ''] = /<tbody role="rowgroup">([^]*?)<\/tbody>/.exec(list.html) ?? [];
    expect([address, rows.match(/<tr /g)?.length]).toEqual([address, number]);
  }
});
