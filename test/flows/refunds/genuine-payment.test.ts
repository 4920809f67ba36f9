// If a discrepancy names a payment that pays for one of our orders, or may do so, that payment is not refunded and nothing is sent.
// If an order was paid twice, one payment stays.

import {
  CANCEL_PAYMENT,
  discrepancyOf,
  expectRefundNotSent,
  payForNobody,
  payTwice,
  refundDiscrepancy,
  refundsOf,
} from '../../support/discrepancies';
import { registerKey } from '../../support/keys';
import { newUid, orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld();
// Polls of an earlier test would be counted.
beforeEach(() => world.forgetJobs());
afterEach(() => world.sandbox.clearFaults());

const refund = (id: string) => refundDiscrepancy(world, id);
const expectNotSent = (id: string) => expectRefundNotSent(world, id);

test.each([
  ['that it pays for', 'recorded'],
  ['and that we had not heard of', null],
])(
  'a genuine payment of an order %s that is replayed for another is not refunded and pays',
  async (_, heard) => {
    const genuine = await registerOrder(world);
    const other = await registerOrder(world);
    const { svc_uid: svcUid } = await paySilently(world, genuine);
    if (heard) expect((await sendNotification(world, svcUid, genuine)).outcome).toBe(heard);
    expect((await sendNotification(world, svcUid, other)).outcome).toBe('order_mismatch');
    const { id } = await discrepancyOf(world, svcUid, 'order_mismatch');
    expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
    expect(await orderStatus(world, genuine)).toBe('paid');
    expect(await orderStatus(world, other)).toBe('open');
    expect(await refundsOf(world, svcUid)).toEqual([]);
  },
);

test('a payment whose order was registered meanwhile is not refunded, also while it cannot be verified', async () => {
  const merchantUid = newUid();
  const { svcUid, id } = await payForNobody(world, merchantUid);
  await registerOrder(world, merchantUid);
  // The first fetch says what is held, the second one is the sync.
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 0, times: 1 });
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  expect(await expectNotSent(id)).toEqual([409, 'payment_not_judged']);
  expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await refundsOf(world, svcUid)).toEqual([]);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolution: null });
});

test.each([
  ['once the first was refunded', 200],
  ['while the outcome of the first one’s refund is open', 202],
])('an order that was paid twice keeps the second payment %s', async (_, status) => {
  const { first, second, id } = await payTwice(world, newUid());
  if (status === 202) await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  const cancelled = await world.api('POST', `/api/payments/${first}/cancel`, { reason: 'paid twice' });
  expect(cancelled.status).toBe(status);
  expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
  expect(await refundsOf(world, second)).toEqual([]);
});

test('the second payment of an order is refunded although a part of the first one was, as long as that one pays', async () => {
  const { first, id } = await payTwice(world, newUid());
  const part = { amount: 300, checksum: 1000, reason: 'a part' };
  expect((await world.api('POST', `/api/payments/${first}/cancel`, part)).status).toBe(200);
  expect((await refund(id)).body.outcome).toBe('refunded');
});

/** Another discrepancy about a payment and its order. Returns its id. */
async function alsoNoted(kind: string, svcUid: string, merchantUid: string): Promise<string> {
  await world.rows.query(
    `insert into discrepancies (kind, svc_uid, merchant_uid, first_seen_at, last_seen_at)
     values ($1::discrepancy_kind, $2, $3, now(), now())`,
    [kind, svcUid, merchantUid],
  );
  return (await discrepancyOf(world, svcUid, kind)).id;
}

test.each([
  ['status_went_back', 'discrepancy_not_refundable'],
  ['amount_mismatch', 'payment_pays_order'],
  ['unknown_order', 'payment_pays_order'],
  ['dispute_opened', 'payment_pays_order'],
])('a payment that pays for its order is not refunded for a discrepancy %s', async (kind, code) => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  expect(await expectNotSent(await alsoNoted(kind, svcUid, merchantUid))).toEqual([409, code]);
});

test('a payment that pays for its order is not refunded for a discrepancy of another order', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const id = await alsoNoted('paid_after_close', svcUid, await registerOrder(world));
  expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
});

test('a payment of the order with the card of another member is refunded for that discrepancy', async () => {
  const { customerUid } = await registerKey(world);
  const merchantUid = await registerOrder(world, newUid(), { member_id: 'somebody-else' });
  const { svc_uid: svcUid } = await world.sandbox.pay({
    merchant_uid: merchantUid,
    amount: 1000,
    customer_uid: customerUid,
  });
  const { id } = await discrepancyOf(world, svcUid, 'foreign_billing_key');
  expect((await refund(id)).body.outcome).toBe('refunded');
});

test.each([
  ['no currency', { currency: undefined }],
  ['a history of other cancellations', { cancel_history: [{ amount: 50, cancelled_at: 1 }] }],
])(
  'a payment that shows %s is refunded for the discrepancy that says so, and for no other reason',
  async (_, odd) => {
    const merchantUid = await registerOrder(world);
    const { svc_uid: svcUid } = await paySilently(world, merchantUid);
    await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount: 100 }));
    const shows = (times: number, fields: object) => {
      const ids = { abc_uid: svcUid, merchant_uid: merchantUid };
      const response = {
        ...ids,
        status: 'paid',
        currency: 'KRW',
        amount: 1000,
        cancel_amount: 100,
        ...fields,
      };
      const body = { code: 0, message: null, response };
      return world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times });
    };
    await shows(3, odd);
    expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('queued');
    const { id } = await discrepancyOf(world, svcUid, 'needs_review');
    const other = await alsoNoted('amount_mismatch', svcUid, merchantUid);
    expect(await expectNotSent(other)).toEqual([409, 'payment_not_judged']);
    await shows(2, { status: 'something_new' });
    expect(await expectNotSent(id)).toEqual([409, 'payment_not_judged']);
    await shows(2, odd);
    expect((await refund(id)).body.outcome).toBe('refunded');
  },
);

/** A payment that is stored under its order and then shows another one, which is not ours. */
async function payAndRename() {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const other = newUid();
  await world.sandbox.control(svcUid, 'tamper', { merchant_uid: other });
  await sendNotification(world, svcUid, other);
  return { svcUid, merchantUid, id: (await discrepancyOf(world, svcUid, 'order_mismatch')).id };
}

test('a payment that now shows another order is refunded only if it does not pay for the one that it is stored under', async () => {
  const pays = await payAndRename();
  expect(await expectNotSent(pays.id)).toEqual([409, 'payment_pays_order']);
  const doubted = await payAndRename();
  await alsoNoted('amount_mismatch', doubted.svcUid, doubted.merchantUid);
  const uncounted = await payAndRename();
  await world.rows.query('update payments set counted = false where svc_uid = $1', [uncounted.svcUid]);
  for (const { id } of [doubted, uncounted])
    expect(await world.sandbox.requestsDuring(CANCEL_PAYMENT, () => refund(id))).toBe(1);
});
