// The rows that the ledger adds up: what is a movement and when it was made, where a period and a page end, and which refund
// of ours a part belongs to.

import {
  findIncompletePayments,
  findMovements,
  type LedgerPeriod,
  type Movement,
  type Place,
} from '../../../src/merchant/options/ledger/ledger-store';
import { findMovementsOf, saveSettlements } from '../../../src/merchant/options/ledger/settlement-store';
import { sumMovements } from '../../../src/merchant/options/ledger/sum-store';
import { ALL_PAYMENT_ROWS, createPaymentRows, type PaymentRow } from '../../support/payment-rows';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
beforeEach(() => running.rows.query(ALL_PAYMENT_ROWS));

const rows = createPaymentRows({ query: (...args) => running.rows.query(...args) });
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Midnight in Seoul. */
const START = Date.UTC(2026, 10, 20, 15);
const at = (seconds: number) => new Date(START + seconds * 1000);
const unix = (seconds: number) => START / 1000 + seconds;

/** Paid two days before, and written last an hour later than the test needs. */
const payment = (svcUid: string, changes: Partial<PaymentRow> = {}) =>
  rows.payment(svcUid, { paidAt: at(-2 * DAY), createdAt: at(-2 * DAY), updatedAt: at(HOUR), ...changes });

const brief = ({ svcUid, part, amount }: Movement) => `${svcUid} ${part} ${amount}`;
const between = async (from: number, to: number, after?: Place) =>
  findMovements(running.context, { from: at(from), to: at(to) }, after, 100);
const of = (svcUid: string) => findMovementsOf(running.context, 'svc_uid', [svcUid]);

test('a period has the payments and refunds of its first and its last moment, and none before or after', async () => {
  const moments = [-1, 0, 10, 11];
  for (const moment of moments) await payment(`paid${moment}`, { paidAt: at(moment) });
  await payment('refunded', {
    cancelled: 400,
    // Our clock may be behind that of the service.
    updatedAt: at(-HOUR),
    history: moments.map((moment) => ({ amount: 100, at: unix(moment) })),
  });
  expect((await between(0, 10)).map(brief)).toEqual([
    'paid0 0 1000',
    'refunded 200 -100',
    'paid10 0 1000',
    'refunded 300 -100',
  ]);
  const sums = async (period: LedgerPeriod) => (await sumMovements(running.context, period)).days;
  expect(await sums({ from: at(0), to: at(10) })).toEqual([
    { day: '2026-11-21', currency: 'KRW', paid: 2000, refunded: -200 },
  ]);
  expect(await sums({ from: at(-2), to: at(-1) })).toEqual([
    { day: '2026-11-20', currency: 'KRW', paid: 1000, refunded: -100 },
  ]);
  // The payment was written last long before the end of this period.
  expect(await between(0, 3 * DAY)).toHaveLength(6);
  expect(await sums({ from: at(0), to: at(3 * DAY) })).toEqual([
    { day: '2026-11-21', currency: 'KRW', paid: 3000, refunded: -300 },
  ]);
});

test('a payment that holds or held money is a movement, in its currency, and no other one', async () => {
  const now = { paidAt: at(0) };
  await payment('paid', now);
  await payment('refunded', {
    ...now,
    status: 'cancelled',
    cancelled: 1000,
    history: [{ amount: 1000, at: unix(0) }],
  });
  await payment('dollars', { ...now, currency: 'USD', amount: 20 });
  for (const status of ['ready', 'failed', 'cancelled']) await payment(`no-${status}`, { ...now, status });
  const all = ['dollars 0 20', 'paid 0 1000', 'refunded 0 1000', 'refunded 1000 -1000'];
  expect((await between(0, 0)).map(brief)).toEqual(all);
  const uids = ['paid', 'refunded', 'dollars', 'no-ready', 'no-failed', 'no-cancelled'];
  expect((await findMovementsOf(running.context, 'svc_uid', uids)).map(brief)).toEqual(all);
  expect((await sumMovements(running.context, { from: at(0), to: at(0) })).days).toEqual([
    { day: '2026-11-21', currency: 'KRW', paid: 2000, refunded: -1000 },
    { day: '2026-11-21', currency: 'USD', paid: 20, refunded: 0 },
  ]);
});

test('a movement whose time the service does not show has the time at which we stored it', async () => {
  await payment('paid', { paidAt: null, createdAt: at(1), updatedAt: at(9) });
  const parts = { cancelled: 300, history: [{ amount: 300 }], updatedAt: at(9) };
  await payment('part', { ...parts, cancelledAt: at(2) });
  await payment('part-without', parts);
  await payment('rest', { ...parts, history: null, cancelledAt: at(3) });
  await payment('rest-without', { ...parts, history: null });
  const times = async (svcUid: string) => (await of(svcUid)).map((each) => [Number(each.part), each.at]);
  expect(await times('paid')).toEqual([[0, at(1)]]);
  expect((await times('part')).at(-1)).toEqual([300, at(2)]);
  expect((await times('part-without')).at(-1)).toEqual([300, at(9)]);
  expect((await times('rest')).at(-1)).toEqual([-1, at(3)]);
  expect((await times('rest-without')).at(-1)).toEqual([-1, at(9)]);
});

test('a part of the history has our refund of this amount after the same amount, and its own PG transaction', async () => {
  const history = [
    { amount: 300, at: unix(1), tid: 'first' },
    { amount: 300, at: unix(2) },
    { amount: 100, at: unix(3) },
  ];
  await payment('same', { cancelled: 700, history });
  await payment('other', { cancelled: 700, history });
  const refund = (before: number, status = 'refunded', amount = 300) =>
    rows.refund('same', { amount, before, status, startedAt: at(0) });
  await refund(300, 'refused');
  // Of the right sum, and of another amount.
  await refund(100, 'refunded', 500);
  const [second, first] = [await refund(300), await refund(0)];
  const shown = (await of('same')).map(({ part, refundId, pgTid }) => [Number(part), refundId, pgTid]);
  expect(shown).toEqual([
    [0, null, 'tid-same'],
    [300, first, 'first'],
    [600, second, 'tid-same'],
    [700, null, 'tid-same'],
  ]);
  expect((await of('other')).map(({ refundId }) => refundId)).toEqual([null, null, null, null]);
});

test('beside a history that is not complete our refunds that were made are listed, and what is left', async () => {
  await payment('odd', { cancelled: 900, cancelledAt: at(5), history: [{ amount: 100, at: unix(1) }] });
  const own = await rows.refund('odd', { amount: 300, startedAt: at(2) });
  for (const status of ['refused', 'not_executed'])
    await rows.refund('odd', { amount: 300, before: 300, status, startedAt: at(3) });
  const shown = (await of('odd')).map((each) => [brief(each), each.refundId, each.at]);
  expect(shown.slice(1)).toEqual([
    ['odd 300 -300', own, at(2)],
    ['odd -1 -600', null, at(5)],
  ]);
  await payment('none', { cancelled: 300, history: null });
  await rows.refund('none', { amount: 300, startedAt: at(2) });
  for (const record of ['{}', '{"cancel_history": null}', '{"cancel_history": "x"}']) {
    await running.rows.query(`update payments set record = $1 where svc_uid = 'none'`, [record]);
    expect((await of('none')).map(brief)).toEqual(['none 0 1000', 'none 300 -300']);
  }
});

test('movements of one moment have one order, by payment and part, on every page', async () => {
  // As the service lists them: not by time.
  const history = [
    { amount: 50, at: unix(1) },
    { amount: 100, at: unix(0) },
    { amount: 200, at: unix(0) },
  ];
  for (const svcUid of ['b', 'a']) await payment(svcUid, { paidAt: at(0), cancelled: 350, history });
  const whole = await between(0, 1);
  expect(whole.map(brief)).toEqual([
    ...['a', 'b'].flatMap((svcUid) => [`${svcUid} 0 1000`, `${svcUid} 100 -100`, `${svcUid} 300 -200`]),
    'a 350 -50',
    'b 350 -50',
  ]);
  for (const [index, place] of whole.entries())
    expect(await between(0, 1, place)).toEqual(whole.slice(index + 1));
});

test('the limit of a page is of the earliest movements', async () => {
  const history = [1, 3].map((second) => ({ amount: 100, at: unix(second) }));
  await payment('a', { paidAt: at(2), cancelled: 200, history });
  for (const [svcUid, moment] of Object.entries({ b: 4, c: 5 }))
    await payment(svcUid, { paidAt: at(moment) });
  const page = (take: number) => findMovements(running.context, { from: at(0), to: at(10) }, undefined, take);
  const all = ['a 100 -100', 'a 0 1000', 'a 200 -100', 'b 0 1000', 'c 0 1000'];
  for (const take of [1, 2, 3, 4, 5]) expect((await page(take)).map(brief)).toEqual(all.slice(0, take));
});

test('payments of the last hour without a time or a history are fetched again, the latest first', async () => {
  const lacking = async (svcUid: string, changes: Partial<PaymentRow>) => payment(svcUid, changes);
  await lacking('no-time', { paidAt: null, updatedAt: at(5) });
  await lacking('refunded-no-time', {
    paidAt: null,
    status: 'cancelled',
    cancelled: 1000,
    history: [{ amount: 1000, at: unix(0) }],
    updatedAt: at(4),
  });
  await lacking('no-history', { cancelled: 300, updatedAt: at(3) });
  await lacking('empty-history', { cancelled: 300, history: [], updatedAt: at(2) });
  await lacking('null-history', { cancelled: 300, updatedAt: at(1) });
  await running.rows.query(
    `update payments set record = '{"cancel_history": null}' where svc_uid = 'null-history'`,
  );
  // Complete, without money, or written before.
  await lacking('complete', { cancelled: 300, history: [{ amount: 300, at: unix(0) }] });
  await lacking('failed', { paidAt: null, status: 'failed' });
  await lacking('old', { paidAt: null, updatedAt: at(-1) });
  await lacking('old-refund', { cancelled: 300, updatedAt: at(-1) });
  const found = async (take: number) =>
    (await findIncompletePayments(running.context, at(0), take)).map(({ svcUid }) => svcUid);
  const all = ['no-time', 'refunded-no-time', 'no-history', 'empty-history', 'null-history'];
  expect(await found(10)).toEqual(all);
  expect(await found(3)).toEqual(all.slice(0, 3));
});

test('a settlement is of one movement, and a later file replaces all that an earlier one said about it', async () => {
  await payment('paid', { cancelled: 300, history: [{ amount: 300, at: unix(0) }] });
  const settle = (part: bigint, fee: number, paidOutOn: string) =>
    saveSettlements(running.context, [{ svcUid: 'paid', part, fee, paidOutOn }]);
  const shown = async () => (await of('paid')).map(({ fee, paidOutOn }) => [fee, paidOutOn]);
  await settle(0n, 30, '2026-11-25');
  expect(await shown()).toEqual([
    [30n, '2026-11-25'],
    [null, null],
  ]);
  running.clock.advance(60);
  await settle(300n, -9, '2026-11-26');
  await settle(0n, 31, '2026-11-27');
  expect(await shown()).toEqual([
    [31n, '2026-11-27'],
    [-9n, '2026-11-26'],
  ]);
  const now = running.clock.now();
  expect(await running.rows.query('select imported_at as at from settlements')).toEqual([
    { at: now },
    { at: now },
  ]);
});
