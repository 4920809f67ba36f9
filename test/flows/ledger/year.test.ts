// A year of one shop, exported month by month as CSV and page by page from the API, and added up again: it is, to the won, what
// the tables of payments, refunds and settlements have, by method of payment and PG.

import { importSettlement } from '../../../src/merchant/options/ledger/import-settlement';
import { ledgerSettings } from '../../../src/merchant/options/ledger/settings';
import { readSettlementFile } from '../../../src/merchant/options/ledger/settlement-file';
import { settingsOf } from '../../../src/merchant/platform/settings';
import { signedIn } from '../../support/browsers';
import { createPaymentRows, type HistoryEntry } from '../../support/payment-rows';
import { useContext, useWorld } from '../../support/use-world';

const world = useWorld();
const context = useContext(world);
const rows = createPaymentRows({ query: (...args) => world.rows.query(...args) });

const DAY_MS = 86_400_000;
/** Midnight in Seoul, on the first of January 2025. */
const START = Date.UTC(2024, 11, 31, 15);
const CHANNELS = [
  ['card', 'nice'],
  ['card', 'tosspayments'],
  ['kakaopay', 'kakaopay'],
  ['vbank', 'nice'],
] as const;
const MONTHS = Array.from({ length: 12 }, (_, index) => {
  const month = `2025-${String(index + 1).padStart(2, '0')}`;
  return {
    month,
    from: `${month}-01`,
    to: `${month}-${new Date(Date.UTC(2025, index + 1, 0)).getUTCDate()}`,
  };
});

/** The file of the PG says what it has paid out: each movement but one of 25, with 3 % of its amount as fee. */
const settled: { month: string; line: string; amount: number; fee: number }[] = [];

beforeAll(async () => {
  let moved = 0;
  const settle = (svcUid: string, amount: number, at: number) => {
    moved += 1;
    if (moved % 25 === 0) return;
    const fee = Math.trunc(amount * 0.03);
    const day = new Date(at + 9 * 3_600_000).toISOString().slice(0, 10);
    settled.push({ month: day.slice(0, 7), line: `${svcUid},${amount},${fee},${day}`, amount, fee });
  };
  for (let number = 0; number < 365; number += 1) {
    const [method, provider] = CHANNELS[number % CHANNELS.length] ?? ['card', 'nice'];
    const svcUid = `svc_year${number}`;
    // Also in the last and the first second of a day in Seoul.
    const at = START + number * DAY_MS + ([0, DAY_MS - 1000, 43_210_000][number % 3] ?? 0);
    const amount = 1_000 + ((number * 7_919) % 90_000);
    const taxFree = [undefined, undefined, 500, amount][number % 4];
    const currency = number % 50 === 49 ? 'USD' : 'KRW';
    if (number % 11 === 10) {
      await rows.payment(svcUid, {
        status: 'failed',
        method,
        provider,
        createdAt: new Date(at),
        updatedAt: new Date(at),
      });
      continue;
    }
    // Two parts, often in two months. Of some the service shows no history, so that our own refunds say when.
    const parts: HistoryEntry[] =
      number % 5 === 0
        ? [13, 37].map((days, index) => ({
            amount: index === 0 ? 333 : number % 10 === 0 ? amount - 333 : 250,
            at: at / 1000 + days * 86_400,
          }))
        : [];
    const kept = parts.filter((part) => (part.at ?? 0) * 1000 < START + 364 * DAY_MS);
    const cancelled = kept.reduce((sum, part) => sum + part.amount, 0);
    const hasHistory = number % 15 !== 0;
    await rows.payment(svcUid, {
      status: cancelled > 0 ? 'cancelled' : 'paid',
      amount,
      cancelled,
      currency,
      method,
      provider,
      ...(taxFree !== undefined && { taxFree }),
      paidAt: new Date(at),
      createdAt: new Date(at + 1000),
      updatedAt: new Date(Math.max(at, ...kept.map((part) => (part.at ?? 0) * 1000)) + 2000),
      history: hasHistory ? kept : null,
    });
    let before = 0;
    for (const part of kept) {
      if (!hasHistory)
        await rows.refund(svcUid, {
          amount: part.amount,
          before,
          startedAt: new Date((part.at ?? 0) * 1000),
        });
      before += part.amount;
    }
    settle(svcUid, amount, at);
    for (const part of kept) settle(svcUid, -part.amount, (part.at ?? 0) * 1000);
  }
  const columns = settingsOf(context.config, ledgerSettings).SETTLEMENT_COLUMNS;
  for (const { month } of MONTHS) {
    const lines = settled.filter((each) => each.month === month).map(({ line }) => line);
    const text = ['svc_uid,amount,fee,paid_out_on', ...lines].join('\n');
    const { added, problems } = await importSettlement(context, columns.id.kind, {
      ...readSettlementFile(text, columns),
      name: `${month}.csv`,
    });
    expect([month, added, problems]).toEqual([month, lines.length, []]);
  }
});

type Movement = { channel: string; month: string; kind: string; amount: number; fee: number | null };
type Sums = Record<string, { paid: number; refunded: number; fee: number; settled: number }>;

function addUp(movements: readonly Movement[], nameOf: (movement: Movement) => string): Sums {
  const sums: Sums = {};
  for (const movement of movements) {
    const sum = (sums[nameOf(movement)] ??= { paid: 0, refunded: 0, fee: 0, settled: 0 });
    sum[movement.kind === 'payment' ? 'paid' : 'refunded'] += movement.amount;
    if (movement.fee !== null) {
      sum.fee += movement.fee;
      sum.settled += movement.amount;
    }
  }
  return sums;
}

let ofCsv: Movement[];
let ofApi: Movement[];
let totals: Record<string, any>[];

beforeAll(async () => {
  ofCsv = [];
  ofApi = [];
  totals = [];
  const kim = await signedIn(world);
  for (const { month, from, to } of MONTHS) {
    const { html } = await kim.get(`/operator/ledger.csv?from=${from}&to=${to}&heads=en`);
    const [head = '', ...lines] = html.replace('\ufeff', '').trim().split('\r\n');
    const names = head.split(',');
    for (const cells of lines.map((line) => line.split(','))) {
      const cell = (name: string) => cells[names.indexOf(name)] ?? '';
      expect(cell('Time (KST)').slice(0, 7)).toBe(month);
      ofCsv.push({
        channel: `${METHODS[cell('Method')]} ${cell('PG')} ${cell('Currency')}`,
        month,
        kind: cell('Kind').toLowerCase(),
        amount: Number(cell('Amount')),
        fee: cell('Fee') === '' ? null : Number(cell('Fee')),
      });
    }
    let next: string | null = null;
    do {
      const query = new URLSearchParams({ from, to, limit: '17', ...(next !== null && { after: next }) });
      const { body } = await world.api('GET', `/api/ledger?${query.toString()}`);
      for (const row of body.list)
        ofApi.push({
          channel: `${row.pay_method} ${row.pg_provider} ${row.currency}`,
          month,
          kind: row.kind,
          amount: row.amount,
          fee: row.fee,
        });
      if (next === null) totals.push(...body.totals);
      next = body.next;
    } while (next !== null);
  }
});

const METHODS: Record<string, string> = { Card: 'card', KakaoPay: 'kakaopay', 'Virtual account': 'vbank' };
const byChannel = ({ channel }: Movement) => channel;

test('CSV and API of the twelve months add up to the rows of payments, refunds and settlements', async () => {
  const stored = await world.rows.query(`
    select p.pay_method || ' ' || p.pg_provider || ' ' || p.currency as channel, sum(p.amount)::int as paid,
      -sum(p.cancel_amount)::int as refunded, coalesce(sum(s.fee), 0)::int as fee
    from payments p left join lateral (select sum(fee) as fee from settlements s where s.svc_uid = p.svc_uid) s on true
    where p.status = 'paid' or p.cancel_amount > 0 group by 1 order by 1`);
  expect(stored).toHaveLength(6);
  for (const movements of [ofCsv, ofApi]) {
    const sums = addUp(movements, byChannel);
    const shown = Object.entries(sums).map(([channel, { paid, refunded, fee }]) => ({
      channel,
      paid,
      refunded,
      fee,
    }));
    expect(shown.sort((one, other) => (one.channel < other.channel ? -1 : 1))).toEqual(stored);
  }
  const whole = (name: 'amount' | 'fee') => settled.reduce((sum, each) => sum + each[name], 0);
  const { fee = NaN, settled: named } = addUp(ofCsv, () => 'year')['year'] ?? {};
  expect([fee, named]).toEqual([whole('fee'), whole('amount')]);
  const [{ count = 0, fees = 0 } = {}] = await world.rows.query<{ count: number; fees: number }>(
    'select count(*)::int as count, sum(fee)::int as fees from settlements',
  );
  expect([count, fees]).toEqual([settled.length, fee]);
});

test('the totals of each month, method and PG are the sums of its rows, and what was not paid out is found', async () => {
  const sums = addUp(ofApi, ({ month, channel }) => `${month} ${channel}`);
  const shown = totals.map((each) => [
    `${each['month']} ${each['pay_method']} ${each['pg_provider']} ${each['currency']}`,
    { paid: each['paid'], refunded: each['refunded'], fee: each['fee'], settled: each['settled'] },
  ]);
  expect(Object.fromEntries(shown)).toEqual(sums);
  for (const each of totals) {
    expect(each['paid_out']).toBe(each['settled'] - each['fee']);
    expect(each['settled'] + each['unsettled']).toBe(each['paid'] + each['refunded']);
  }
  let unsettled = 0;
  for (const { from, to } of MONTHS)
    unsettled += (await world.api('GET', `/api/ledger?from=${from}&to=${to}&paid_out=false&limit=1000`)).body
      .list.length;
  expect(unsettled).toBe(ofApi.length - settled.length);
  // Of each one that a later movement of its method overtook.
  const { list } = (await world.api('GET', '/api/ledger/problems?problem=missing&open=true&limit=1000')).body;
  expect(list.length).toBeGreaterThan(unsettled - 2 * CHANNELS.length);
  expect(list.length).toBeLessThanOrEqual(unsettled);
});

test('the VAT of the parts of a refund adds up to that of the payment', async () => {
  const whole = `select svc_uid from payments p join orders o using (merchant_uid)
    where cancel_amount = p.amount and coalesce(o.tax_free, 0) in (0, p.amount) and p.currency = 'KRW'`;
  const refunded = new Set(
    (await world.rows.query<{ svc_uid: string }>(whole)).map(({ svc_uid: uid }) => uid),
  );
  expect(refunded.size).toBeGreaterThan(5);
  const left = new Map([...refunded].map((uid) => [uid, { vat: 0, taxFree: 0 }]));
  for (const { from, to } of MONTHS) {
    const { body } = await world.api('GET', `/api/ledger?from=${from}&to=${to}&limit=1000`);
    for (const { svc_uid: uid, vat, tax_free: taxFree } of body.list) {
      const sum = left.get(uid);
      if (sum) Object.assign(sum, { vat: sum.vat + vat, taxFree: sum.taxFree + taxFree });
    }
  }
  expect([...left.values()].filter((sum) => sum.vat !== 0 || sum.taxFree !== 0)).toEqual([]);
});
