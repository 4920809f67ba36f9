// The ledger: each movement of money once, on the day on which it happened in Seoul, with sums of the whole period.

import { DAY_MS, SEOUL_OFFSET_MS } from '../../../src/merchant/platform/clock';
import { signedIn } from '../../support/browsers';
import { newUid, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

const ACCOUNT = { holder: '김카나리아', bank: '088', account: '110-4321-987654' };

const today = (shift = 0) =>
  new Date(world.clock.nowMs() + SEOUL_OFFSET_MS + shift * DAY_MS).toISOString().slice(0, 10);
/** Moves the clock to the last second of the next day in Seoul, on which nothing has happened before. */
async function toLastSecond(): Promise<void> {
  const left = 2 * DAY_MS - ((world.clock.nowMs() + SEOUL_OFFSET_MS) % DAY_MS);
  await world.advance(Math.ceil(left / 1000) - 1);
}
async function paid(amount: number, payment: Record<string, unknown> = {}) {
  const { currency = 'KRW' } = payment;
  const merchantUid = await registerOrder(world, newUid(), { amount, currency });
  return (await world.sandbox.pay({ merchant_uid: merchantUid, amount, ...payment })).svc_uid;
}
async function refund(svcUid: string, fields: Record<string, unknown> = {}): Promise<void> {
  const answer = await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'cold', ...fields });
  expect(answer.status).toBe(200);
}
async function readLedger(query: Record<string, string | number> = {}) {
  const text = new URLSearchParams(query as Record<string, string>);
  const { status, body } = await world.api('GET', `/api/ledger?${text.toString()}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body as {
    list: (Record<string, unknown> & { kind: string; amount: number; at: string; svc_uid: string })[];
    sums: { day: string; currency: string; paid: number; refunded: number }[];
    next: string | null;
  };
}
async function walk(query: Record<string, string | number>) {
  const rows = [];
  let next: string | null = null;
  do {
    const page = await readLedger({ ...query, ...(next !== null && { after: next }) });
    rows.push(...page.list);
    next = page.next;
  } while (next !== null);
  return rows;
}
/** As the tables of payments and refunds have it: the ledger must say the same. */
async function totals(svcUids: readonly string[]): Promise<Record<string, unknown>[]> {
  return world.rows.query(
    `select currency, sum(amount)::int as paid, -sum(cancel_amount)::int as refunded from payments
     where svc_uid = any($1) and (status = 'paid' or cancel_amount > 0) group by 1 order by 1`,
    [svcUids],
  );
}
const sumUp = (rows: { currency: string; paid: number; refunded: number }[]) =>
  [...new Set(rows.map(({ currency }) => currency))].sort().map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    return {
      currency,
      paid: own.reduce((sum, row) => sum + row.paid, 0),
      refunded: own.reduce((sum, row) => sum + row.refunded, 0),
    };
  });

test('payments, each part of a refund, console cancellations and deposits stand on their days in Seoul', async () => {
  await toLastSecond();
  const lastDay = today();
  const before = await paid(12_000);
  const account = await paid(30_000, { outcome: 'virtual_account' });
  const dollars = await paid(50, { currency: 'USD' });
  const failed = await paid(7_000, { outcome: 'failed' });
  await world.advance(1);
  const day = today();
  const after = await paid(5_000);
  await refund(before, { amount: 3_000, checksum: 12_000 });
  await world.sandbox.control(before, 'cancel', { amount: 2_000 });
  await refund(before, { amount: 3_000, checksum: 7_000 });
  await world.sandbox.control(account, 'deposit');
  await world.advance(60);
  await refund(account, { refund_account: ACCOUNT });
  await refund(dollars);

  const { list, sums, next } = await readLedger({ from: lastDay, to: day, limit: 1000 });
  expect(next).toBeNull();
  expect(sums).toEqual([
    { day: lastDay, currency: 'KRW', paid: 12_000, refunded: 0 },
    { day: lastDay, currency: 'USD', paid: 50, refunded: 0 },
    { day, currency: 'KRW', paid: 35_000, refunded: -38_000 },
    { day, currency: 'USD', paid: 0, refunded: -50 },
  ]);
  expect(sumUp(sums)).toEqual(await totals([before, account, dollars, failed, after]));
  const of = (svcUid: string) =>
    list
      .filter((row) => row.svc_uid === svcUid)
      .map(({ kind, amount, refund_id }) => [kind, amount, refund_id]);
  const [first, second] = (await world.api('GET', `/api/refunds?svc_uid=${before}`)).body.list.reverse();
  expect(of(before)).toEqual([
    ['payment', 12_000, undefined],
    ['refund', -3_000, first.id],
    ['refund', -2_000, null],
    ['refund', -3_000, second.id],
  ]);
  expect(of(account).map(([kind]) => kind)).toEqual(['payment', 'refund']);
  const [payment, , cancelled] = list.filter((row) => row.svc_uid === before);
  expect(payment).toMatchObject({
    approval_number: expect.stringMatching(/^\d{8}$/),
    card_company: expect.any(String),
    pg_provider: 'nice',
    fee: null,
    paid_out_on: null,
  });
  expect(cancelled?.['pg_tid']).toBe(`${String(payment?.['pg_tid'])}_c2`);

  const onlyOne = await readLedger({ from: day, to: day });
  expect(onlyOne.list.every(({ at }) => Date.parse(at) >= Date.parse(`${day}T00:00:00+09:00`))).toBe(true);
  expect(onlyOne.list.filter(({ svc_uid }) => svc_uid === after)).toHaveLength(1);
  expect(onlyOne.sums).toEqual(sums.filter((each) => each.day === day));
});

test('the pages of a period have each movement once, and every page has the sums of the period', async () => {
  // All of the same second.
  for (let number = 0; number < 4; number += 1) {
    const svcUid = await paid(1_000);
    if (number % 2 === 0) await refund(svcUid, { amount: 400, checksum: 1_000 });
    if (number % 2 === 0) await refund(svcUid, { amount: 100, checksum: 600 });
  }
  const period = { from: today(-1), to: today() };
  const whole = await readLedger({ ...period, limit: 1000 });
  expect(whole.list.length).toBeGreaterThanOrEqual(8);
  for (const limit of [1, 3]) expect(await walk({ ...period, limit })).toEqual(whole.list);
  const { sums, next } = await readLedger({ ...period, limit: 2 });
  expect([sums, next !== null]).toEqual([whole.sums, true]);
});

test('without a history the own refunds and the rest are listed, and a movement keeps its day', async () => {
  const svcUid = await paid(10_000);
  await refund(svcUid, { amount: 1_000, checksum: 10_000 });
  const day = today();
  await world.advance(DAY_MS / 1000);
  await world.sandbox.control(svcUid, 'cancel', { amount: 2_500 });
  await world.rows.query(`update payments set record = record - 'cancel_history' where svc_uid = $1`, [
    svcUid,
  ]);
  const { list } = await readLedger({ from: day, to: today(), limit: 1000 });
  const refunds = list.filter((row) => row.svc_uid === svcUid && row.kind === 'refund');
  const seoulDay = (at: string) => new Date(Date.parse(at) + SEOUL_OFFSET_MS).toISOString().slice(0, 10);
  expect(refunds.map(({ amount, at }) => [amount, seoulDay(at)])).toEqual([
    [-1_000, day],
    [-2_500, today()],
  ]);
});

test('what only the newer generation has shown gets its time, approval number and history from the legacy record', async () => {
  await world.advance(DAY_MS / 1000);
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  await world.advance(3600);
  expect((await world.notify({ tx_id: svcUid, payment_id: merchantUid, status: 'PAID' })).outcome).toBe(
    'recorded',
  );
  // The month may just have begun.
  const period = { from: today(-1), to: today(), limit: 1000 };
  const find = async () => (await readLedger(period)).list.find((row) => row.svc_uid === svcUid);
  expect(await find()).toMatchObject({ amount: 1000, approval_number: null });
  await world.rows.query(`select graphile_worker.add_job('complete-ledger')`);
  await world.advance(0);
  const row = await find();
  expect(row?.['approval_number']).toMatch(/^\d{8}$/);
  expect(world.clock.nowMs() - Date.parse(row?.at ?? '')).toBeGreaterThanOrEqual(3600_000);
});

test('a payment that fits no order is not in the ledger', async () => {
  const merchantUid = await registerOrder(world, newUid(), { amount: 999 });
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('amount_mismatch');
  const fitting = await registerOrder(world, newUid());
  const { svc_uid: beside } = await world.sandbox.pay({ merchant_uid: fitting, amount: 1000 });
  const listed = (await readLedger({ limit: 1000 })).list.map((row) => row.svc_uid);
  expect([listed.includes(beside), listed.includes(svcUid)]).toEqual([true, false]);
});

test.each([
  [{ from: '2026-02-30' }, 'from: must be a day such as 2026-11-21'],
  [{ to: 'yesterday' }, 'to: must be a day such as 2026-11-21'],
  [{ from: '2026-11-02', to: '2026-11-01' }, 'from: must not be later than to'],
  [{ from: '2026-01-01', to: '2026-04-03' }, 'to: must be less than 92 days after from'],
  [{ after: 'page-2' }, 'after: must be the "next" of a page'],
  [{ day: '2026-11-01' }, 'query: takes from, to, paid_out, after, limit'],
])('%j is refused with a clear message', async (query, message) => {
  const text = new URLSearchParams(query as Record<string, string>).toString();
  const { status, body } = await world.api('GET', `/api/ledger?${text}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain(message);
});

test('a quarter can be read, and by default it is this month in Seoul', async () => {
  await readLedger({ from: '2026-10-01', to: '2026-12-31' });
  const month = { from: `${today().slice(0, 7)}-01`, to: today(), limit: 1000 };
  expect(await readLedger({ limit: 1000 })).toEqual(await readLedger(month));
});

test('the operator page and its CSV have the same movements, with Korean heads and times of Seoul', async () => {
  await toLastSecond();
  const svcUid = await paid(8_000);
  const day = today();
  await refund(svcUid, { amount: 500, checksum: 8_000 });
  // The clock has moved too far for a sign-in before.
  const kim = await signedIn(world);
  const page = await kim.get(`/operator/ledger?from=${day}&to=${day}&lang=ko`);
  expect(page.status).toBe(200);
  const [year, month, date] = day.split('-').map(Number);
  const time = `${year}. ${month}. ${date}. 23:59:59`;
  for (const text of [svcUid, time, '일별 합계', '승인번호', '거래 장부', '8,000원', '-500원'])
    expect([text, page.html.includes(text)]).toEqual([text, true]);
  const csv = await kim.get(`/operator/ledger.csv?from=${day}&to=${day}&heads=ko`);
  expect(csv.headers.get('content-disposition')).toContain(`ledger-${day}-${day}.csv`);
  const [head, ...lines] = csv.html.trimEnd().split('\r\n');
  expect(head).toContain(
    '일시 (KST),구분,금액,통화,면세 금액,부가세,결제수단,주문번호,결제번호,환불번호,승인번호,카드사,PG사,PG 거래번호,수수료,정산일',
  );
  const { list } = await readLedger({ from: day, to: day, limit: 1000 });
  expect(lines).toHaveLength(list.length);
  expect(lines.find((line) => line.includes(svcUid))).toMatch(
    new RegExp(`^${day} 23:59:59,결제,8000,KRW,0,727,카드,[\\w-]+,${svcUid},,\\d{8},[^,]+,nice,[^,]+,,$`),
  );
  expect((await kim.get('/operator/ledger.csv?from=tomorrow')).status).toBe(400);
  const english = await kim.get(`/operator/ledger.csv?from=${day}&to=${day}&heads=en`);
  expect(english.html).toContain('Time (KST),Kind');
});
