// The row of a charge or a refund is inserted only if the data that its caller has read is unchanged.

import { Client } from 'pg';
import { insertCharges } from '../../../src/merchant/core/charges/charge-store';
import { saveDecision } from '../../../src/merchant/core/discrepancies/store';
import { registerOrder } from '../../../src/merchant/core/orders/register-order';
import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { insertRefund } from '../../../src/merchant/core/refunds/refund-store';
import { discrepancyOf, refundsOf } from '../../support/discrepancies';
import { paySilently } from '../../support/orders';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();

const register = (merchantUid: string) =>
  registerOrder(running.context, { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null });
const insertCharge = (merchantUid: string) =>
  insertCharges(running.context, [
    { id: `of-${merchantUid}`, merchantUid, customerUid: null, scheduleAt: null, kind: 'onetime' },
  ]);
const chargesOf = (merchantUid: string) =>
  running.rows.query('select id from charges where merchant_uid = $1', [merchantUid]);

/** Inserts while another transaction has changed what the insert depends on, which is committed once the insert waits. */
async function insertBeside<T>(change: string, value: string, table: string, insert: () => Promise<T>) {
  const sync = new Client({ connectionString: running.database.url });
  await sync.connect();
  try {
    await sync.query('begin');
    await sync.query(change, [value]);
    const inserted = insert();
    await running.rows.waitFor(`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like '%insert into ${table}%'`);
    await sync.query('commit');
    return await inserted;
  } finally {
    await sync.end();
  }
}

/** A payment for nobody, its discrepancy, and the refund that its reader would write. */
async function readForRefund(merchantUid: string) {
  const { svc_uid: svcUid } = await paySilently(running, merchantUid);
  expect((await syncPayment(running.context, { svcUid, merchantUid })).outcome).toBe('unknown_order');
  const discrepancyId = BigInt((await discrepancyOf(running, svcUid, 'unknown_order')).id);
  const amounts = { amount: 1000, taxFree: null, currency: 'KRW', cancelledBefore: 0, isStored: false };
  return { svcUid, ...amounts, cancelReason: 'fits no order', discrepancyId, requestedBy: 'kim' };
}

test('M37 a charge waits for a payment of its order that is being written, and is then refused', async () => {
  await register('m37-charge');
  const change = `update orders set status = 'paid', version = version + 1 where merchant_uid = $1`;
  const isInserted = await insertBeside(change, 'm37-charge', 'charges', () => insertCharge('m37-charge'));
  expect(isInserted).toBe(false);
  expect(await chargesOf('m37-charge')).toEqual([]);
});

test('a charge waits for a removal of its key that is being written, and is then refused', async () => {
  await register('removed-charge');
  await running.rows.query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     values ('removed-key', 'kim', 'active', now(), now())`,
  );
  const charge = {
    id: 'of-removed',
    merchantUid: 'removed-charge',
    customerUid: 'removed-key',
    scheduleAt: null,
  };
  const insert = () => insertCharges(running.context, [{ ...charge, kind: 'again' }]);
  const change = `update billing_keys set status = 'removing' where customer_uid = $1`;
  expect(await insertBeside(change, 'removed-key', 'charges', insert)).toBe(false);
  expect(await chargesOf('removed-charge')).toEqual([]);
});

test('of several charges none is written if one cannot be, and an order has one open charge, also of two at once', async () => {
  for (const uid of ['together-1', 'together-2']) await register(uid);
  const both = ['together-1', 'together-2'].map((merchantUid) => ({
    ...{
      id: `of-${merchantUid}`,
      merchantUid,
      customerUid: null,
      scheduleAt: null,
      kind: 'onetime' as const,
    },
  }));
  await running.rows.query(`update orders set status = 'paid' where merchant_uid = 'together-2'`);
  expect(await insertCharges(running.context, both)).toBe(false);
  expect(await chargesOf('together-1')).toEqual([]);
  const [first] = both;
  if (!first) throw new Error('there are two');
  const twice = [first, { ...first, id: 'another' }].map((each) => insertCharges(running.context, [each]));
  expect((await Promise.all(twice)).sort()).toEqual([false, true]);
  expect(await chargesOf('together-1')).toHaveLength(1);
});

test('an erased order is not charged', async () => {
  await register('erased-charge');
  await running.rows.query(`update orders set erased_at = now() where merchant_uid = 'erased-charge'`);
  expect(await insertCharge('erased-charge')).toBe(false);
  expect(await chargesOf('erased-charge')).toEqual([]);
});

test('a refund of a discrepancy that was resolved meanwhile is not written', async () => {
  const refund = await readForRefund('insert-settled');
  const decision = { resolution: 'accepted', by: 'lee', note: 'agreed' } as const;
  expect(await saveDecision(running.context, refund.discrepancyId, decision)).toBe(true);
  expect(await insertRefund(running.context, refund)).toBeNull();
  expect(await refundsOf(running, refund.svcUid)).toEqual([]);
});

test('a refund of a discrepancy waits for a decision about it that is being written, and is then refused', async () => {
  const refund = await readForRefund('insert-beside');
  const change = 'update discrepancies set resolved_at = now() where svc_uid = $1';
  const insert = () => insertRefund(running.context, refund);
  expect(await insertBeside(change, refund.svcUid, 'refunds', insert)).toBeNull();
  expect(await refundsOf(running, refund.svcUid)).toEqual([]);
});

test('a refund of a payment without a row is not written once the payment has a row and pays for its order', async () => {
  const refund = await readForRefund('insert-recorded');
  await register('insert-recorded');
  const reported = { svcUid: refund.svcUid, merchantUid: 'insert-recorded' };
  expect((await syncPayment(running.context, reported)).outcome).toBe('recorded');
  await running.rows.query('update discrepancies set resolved_at = null');
  expect(await insertRefund(running.context, refund)).toBeNull();
  expect(await refundsOf(running, refund.svcUid)).toEqual([]);
});

test('a payment has at most one open refund, with a row or without', async () => {
  const refund = await readForRefund('insert-twice');
  const written = await Promise.all([refund, refund].map((each) => insertRefund(running.context, each)));
  expect(written.filter((id) => id !== null)).toHaveLength(1);
  expect(await refundsOf(running, refund.svcUid)).toMatchObject([{ status: 'pending', requested_by: 'kim' }]);
});

test('M37 a refund waits for a cancellation that is being written, and does not use the old balance', async () => {
  await register('m37-refund');
  const { svc_uid: svcUid } = await paySilently(running, 'm37-refund');
  await syncPayment(running.context, { svcUid, merchantUid: 'm37-refund' });
  const refund = {
    svcUid,
    amount: 1000,
    taxFree: null,
    currency: 'KRW',
    cancelledBefore: 0,
    isStored: true,
    cancelReason: 'cold',
  };
  const change = 'update payments set cancel_amount = 300 where svc_uid = $1';
  const insert = () => insertRefund(running.context, { ...refund, discrepancyId: null, requestedBy: null });
  expect(await insertBeside(change, svcUid, 'refunds', insert)).toBeNull();
  expect(await refundsOf(running, svcUid)).toEqual([]);
});
