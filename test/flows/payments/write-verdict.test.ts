// Results share statements (verdict-store.ts): one that cannot be written is left out alone.

import { Client } from 'pg';
import { registerOrder } from '../../../src/merchant/core/orders/register-order';
import type { ReportedIds } from '../../../src/merchant/core/payments/fetch-payment';
import { gatherEvidence } from '../../../src/merchant/core/payments/gather-evidence';
import { judgePayment } from '../../../src/merchant/core/payments/judge-payment';
import { readSnapshot } from '../../../src/merchant/core/payments/payment-store';
import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { writeVerdict, type JudgedPayment } from '../../../src/merchant/core/payments/verdict-store';
import { paySilently } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();

const TEA = { name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
async function orderAndPay(merchantUid: string) {
  await registerOrder(running.context, { merchantUid, ...TEA });
  return { svcUid: (await paySilently(running, merchantUid)).svc_uid, merchantUid };
}

/** The result of a sync of a paid order. */
async function judged(merchantUid: string): Promise<JudgedPayment> {
  const reported = await orderAndPay(merchantUid);
  const snapshot = await readSnapshot(running.context, reported);
  const evidence = await gatherEvidence(running.context, reported, snapshot);
  const verdict = judgePayment({ ...evidence, confirmed: true });
  if (verdict.outcome === 'needs_confirmation') throw new Error('the payment is new');
  const now = running.clock.now();
  return { reported, verdict, order: snapshot.order, fetchedAt: now, refundId: null };
}

/** The same payment for the order of another result: the service has changed it. */
const underOrderOf = (payment: JudgedPayment, { reported, order }: JudgedPayment): JudgedPayment => ({
  ...payment,
  reported: { ...payment.reported, merchantUid: reported.merchantUid },
  order,
});

const write = (payment: JudgedPayment) => writeVerdict(running.context, payment);

/** The status of each order, its version and the number of its stored payments. */
async function stored(like: string) {
  const rows = await running.rows.query<{ line: string }>(
    `select concat_ws(' ', merchant_uid, o.status, version, count(p)) as line
     from orders o left join payments p using (merchant_uid) where merchant_uid like $1
     group by merchant_uid, o.status, version order by merchant_uid`,
    [like],
  );
  return rows.map(({ line }) => line);
}

test('M21 one payment for two orders in one statement is written for one of them', async () => {
  const first = await judged('m21-a');
  const second = underOrderOf(first, await judged('m21-b'));
  const beside = await judged('m21-c');
  const results = await Promise.all([first, second, beside].map(write));
  expect(results).toEqual(['written', 'overtaken', 'written']);
  expect(await stored('m21-%')).toEqual(['m21-a paid 1 1', 'm21-b open 0 0', 'm21-c paid 1 1']);
});

test('F6 a payment whose row is locked fails alone, and the rest of its statement is written', async () => {
  const locked = await judged('f6-a');
  const beside = await judged('f6-b');
  const holder = new Client({ connectionString: running.database.url });
  await holder.connect();
  try {
    // The same row, not committed yet.
    await holder.query('begin');
    await holder.query(
      `insert into payments (svc_uid, merchant_uid, created_at, updated_at, status, amount, cancel_amount, currency,
         counted, fetched_at, record) values ($1, 'f6-a', now(), now(), 'paid', 1000, 0, 'KRW', true, now(), '{}')`,
      [locked.reported.svcUid],
    );
    const results = await Promise.allSettled([locked, beside].map(write));
    expect(results).toMatchObject([
      { status: 'rejected', reason: { name: 'DatabaseError', code: '55P03' } },
      { status: 'fulfilled', value: 'written' },
    ]);
  } finally {
    await holder.end();
  }
  expect(await stored('f6-%')).toEqual(['f6-a open 0 0', 'f6-b paid 1 1']);
  expect(await write(locked)).toBe('written');
});

test('M37 a payment that was stored for another order meanwhile is not written again', async () => {
  const first = await judged('m37-a');
  const second = underOrderOf(first, await judged('m37-b'));
  expect(await write(first)).toBe('written');
  expect(await write(second)).toBe('overtaken');
  expect(await stored('m37-%')).toEqual(['m37-a paid 1 1', 'm37-b open 0 0']);
});

describe('a payment that fits resolves what was found before it', () => {
  const outcomeOf = async (reported: ReportedIds) => (await syncPayment(running.context, reported)).outcome;
  const notFoundOnce = () => running.sandbox.fault({ endpoint: FETCH_PAYMENT, status: 404, times: 1 });
  const noted = 'select kind, resolved_at is not null as resolved from discrepancies where merchant_uid = $1';
  const discrepancies = ({ merchantUid }: ReportedIds) => running.rows.query(noted, [merchantUid]);

  test('M20 the discrepancy of an unknown payment is resolved by the statement that records the payment', async () => {
    const reported = await orderAndPay('resolved-1');
    await notFoundOnce();
    expect(await outcomeOf(reported)).toBe('unknown_payment');
    expect(await discrepancies(reported)).toEqual([{ kind: 'unknown_payment', resolved: false }]);
    expect(await outcomeOf(reported)).toBe('recorded');
    expect(await discrepancies(reported)).toEqual([{ kind: 'unknown_payment', resolved: true }]);
  });

  test('M20 the discrepancy of a stored payment that was not found once is resolved although the payment has not changed', async () => {
    const reported = await orderAndPay('resolved-2');
    expect(await outcomeOf(reported)).toBe('recorded');
    await notFoundOnce();
    expect(await outcomeOf(reported)).toBe('unknown_payment');
    expect(await outcomeOf(reported)).toBe('unchanged');
    expect(await discrepancies(reported)).toEqual([{ kind: 'unknown_payment', resolved: true }]);
  });

  test('M20 the discrepancy of an unknown order is resolved once the order is registered and paid', async () => {
    const merchantUid = 'resolved-3';
    const reported = { svcUid: (await paySilently(running, merchantUid)).svc_uid, merchantUid };
    expect(await outcomeOf(reported)).toBe('unknown_order');
    await registerOrder(running.context, { merchantUid, ...TEA });
    expect(await outcomeOf(reported)).toBe('recorded');
    expect(await discrepancies(reported)).toEqual([{ kind: 'unknown_order', resolved: true }]);
  });
});
