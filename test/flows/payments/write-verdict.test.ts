// Verdicts are written in statements that they share (payment-store.ts): one that cannot be written is put aside alone.

import { Client } from 'pg';
import type { Context } from '../../../src/merchant/context';
import { registerOrder } from '../../../src/merchant/orders/register-order';
import { gatherEvidence } from '../../../src/merchant/payments/gather-evidence';
import { judgePayment } from '../../../src/merchant/payments/judge-payment';
import { writeVerdict, type JudgedPayment } from '../../../src/merchant/payments/payment-store';
import { readSnapshot } from '../../../src/merchant/payments/snapshot-store';
import { useRunningContext } from '../../support/context';
import { paySilently } from '../../support/orders';

const running = useRunningContext();
let context: Context;
beforeAll(() => {
  context = running.context;
});

/** What a sync of a paid order would write. */
async function judged(merchantUid: string): Promise<JudgedPayment> {
  await registerOrder(context, {
    merchantUid,
    name: 'Tea',
    amount: 1000,
    currency: 'KRW',
    memberId: null,
  });
  const { svc_uid: svcUid } = await paySilently(running, merchantUid);
  const claim = { svcUid, merchantUid };
  const snapshot = await readSnapshot(context, claim);
  const verdict = judgePayment({ ...(await gatherEvidence(context, claim, snapshot)), confirmed: true });
  if (verdict.outcome === 'needs_confirmation') throw new Error('the payment is new');
  const now = running.clock.now();
  return { claim, verdict, order: snapshot.order, fetchedAt: now, now, settlement: null };
}

/** The same payment under the order of another verdict: the service has changed its mind. */
const underOrderOf = (payment: JudgedPayment, { claim, order }: JudgedPayment): JudgedPayment => ({
  ...payment,
  claim: { ...payment.claim, merchantUid: claim.merchantUid },
  order,
});

const orders = (like: string) =>
  running.rows.query(
    'select merchant_uid, status, version from orders where merchant_uid like $1 order by merchant_uid',
    [like],
  );
const payments = (like: string) =>
  running.rows.query('select merchant_uid from payments where merchant_uid like $1 order by merchant_uid', [
    like,
  ]);

test('M21 one payment under two orders in one statement is written under one of them, and the rest of the statement as well', async () => {
  const first = await judged('m21-a');
  const second = underOrderOf(first, await judged('m21-b'));
  const beside = await judged('m21-c');
  const results = await Promise.all([first, second, beside].map((each) => writeVerdict(context, each)));
  expect(results).toEqual(['written', 'overtaken', 'written']);
  expect(await payments('m21-%')).toEqual([{ merchant_uid: 'm21-a' }, { merchant_uid: 'm21-c' }]);
  expect(await orders('m21-%')).toEqual([
    { merchant_uid: 'm21-a', status: 'paid', version: 1 },
    { merchant_uid: 'm21-b', status: 'open', version: 0 },
    { merchant_uid: 'm21-c', status: 'paid', version: 1 },
  ]);
});

test('F6 a payment whose row somebody else has locked fails alone, and the rest of its statement is written', async () => {
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
      [locked.claim.svcUid],
    );
    const results = await Promise.allSettled([locked, beside].map((each) => writeVerdict(context, each)));
    expect(results).toMatchObject([
      { status: 'rejected', reason: { name: 'DatabaseError', code: '55P03' } },
      { status: 'fulfilled', value: 'written' },
    ]);
  } finally {
    await holder.end();
  }
  expect(await payments('f6-%')).toEqual([{ merchant_uid: 'f6-b' }]);
  expect(await writeVerdict(context, locked)).toBe('written');
});

test('M37 a payment that is stored under another order by now is not written again', async () => {
  const first = await judged('m37-a');
  const second = underOrderOf(first, await judged('m37-b'));
  expect(await writeVerdict(context, first)).toBe('written');
  expect(await writeVerdict(context, second)).toBe('overtaken');
  expect(await payments('m37-%')).toEqual([{ merchant_uid: 'm37-a' }]);
  expect(await orders('m37-%')).toEqual([
    { merchant_uid: 'm37-a', status: 'paid', version: 1 },
    { merchant_uid: 'm37-b', status: 'open', version: 0 },
  ]);
});
