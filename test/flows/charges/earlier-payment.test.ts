// Before money is taken for an order, the payment service is asked whether its buyer has paid already: we may not have
// heard of it, or a copy of the service may have shown an older state.

import { callService } from '../../support/call-service';
import { CHARGE_KEY, FETCH_PAYMENT, FIND_PAYMENTS } from '../../support/endpoints';
import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import {
  charge,
  chargesOf,
  getOrder,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});
beforeEach(() => world.forgetJobs());
afterEach(() => world.sandbox.waitForNotifications());

const inAnHour = () => Math.floor(world.clock.now().getTime() / 1000) + 3600;

/** Charges the order; no call that takes money may leave, and no charge may begin. */
async function refusedCharge(merchantUid: string) {
  let answer: Awaited<ReturnType<typeof charge>> | undefined;
  const before = await chargesOf(world, merchantUid);
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    answer = await charge(world, merchantUid, key.customerUid);
  });
  expect(calls).toBe(0);
  expect(await chargesOf(world, merchantUid)).toHaveLength(before.length);
  return [answer?.status, answer?.body.error?.code];
}

test('a payment that nobody told of is stored, and its order is not charged', async () => {
  await registerOrder(world, 'paid-unheard');
  await paySilently(world, 'paid-unheard');
  expect(await refusedCharge('paid-unheard')).toEqual([409, 'order_not_payable']);
  expect(await orderStatus(world, 'paid-unheard')).toBe('paid');
});

test('M5 an older copy of a paid payment, shown twice within a second, does not make its order chargeable', async () => {
  await registerOrder(world, 'older-copy');
  const { svc_uid, ...paid } = await world.sandbox.pay({ merchant_uid: 'older-copy', amount: 1000 });
  for (const status of ['failed', 'ready']) {
    const body = { code: 0, message: null, response: { ...paid, abc_uid: svc_uid, status } };
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times: 2 });
    for (let looks = 0; looks < 2; looks += 1)
      expect(await sendNotification(world, svc_uid, 'older-copy')).toEqual({
        status: 200,
        outcome: 'queued',
      });
  }
  expect(await getOrder(world, 'older-copy')).toMatchObject({
    status: 'paid',
    payments: [{ status: 'paid' }],
  });
  expect(await refusedCharge('older-copy')).toEqual([409, 'order_not_payable']);
  await world.advance(60);
});

test('M5 an order whose payment went back and came again is not charged', async () => {
  await registerOrder(world, 'back-again');
  const { svc_uid, ...paid } = await world.sandbox.pay({ merchant_uid: 'back-again', amount: 1000 });
  const body = { code: 0, message: null, response: { ...paid, abc_uid: svc_uid, status: 'failed' } };
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times: 3 });
  await sendNotification(world, svc_uid, 'back-again');
  await world.advance(2);
  await world.advance(5);
  expect(await orderStatus(world, 'back-again')).toBe('failed');

  expect(await refusedCharge('back-again')).toEqual([409, 'order_not_payable']);
  expect(await orderStatus(world, 'back-again')).toBe('paid');
});

test('a schedule that turns out to be revoked does not hide a payment that nobody told of', async () => {
  const { customerUid } = key;
  const schedule = { merchant_uid: 'once-planned', schedule_at: inAnHour(), amount: 1000, name: 'Tea' };
  await world.api('POST', '/api/schedules', { customer_uid: customerUid, ...schedule });
  const planned = { customer_uid: customerUid, merchant_uid: 'once-planned' };
  await callService(world, '/subscribe/payments/unschedule', planned);
  await world.withoutNotifications(async () => {
    const { svc_uid } = await paySilently(world, 'once-planned');
    // The service itself refuses only to charge an order of which nothing was given back.
    await world.sandbox.control(svc_uid, 'cancel', { amount: 400 });
  });

  expect(await refusedCharge('once-planned')).toEqual([409, 'order_not_payable']);
  expect(await chargesOf(world, 'once-planned')).toMatchObject([{ kind: 'schedule', status: 'revoked' }]);
  expect(await orderStatus(world, 'once-planned')).toBe('partially_cancelled');
});

test('a payment that cannot be judged now keeps its order from being charged', async () => {
  await registerOrder(world, 'not-judged');
  await paySilently(world, 'not-judged');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  expect(await refusedCharge('not-judged')).toEqual([409, 'payment_not_judged']);
  expect(await orderStatus(world, 'not-judged')).toBe('open');
});

test('without an answer of the payment service nothing is written and nothing is sent', async () => {
  await registerOrder(world, 'not-asked');
  await world.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'status', status: 503, times: 1 });
  expect(await refusedCharge('not-asked')).toEqual([503, 'service_unavailable']);
});

test('an order that cannot be charged is refused without a question to the payment service', async () => {
  await registerOrder(world, 'known-paid');
  await world.sandbox.pay({ merchant_uid: 'known-paid', amount: 1000 });
  const { status } = await expectNoEffect(world, () => charge(world, 'known-paid', key.customerUid));
  expect(status).toBe(409);
});

test('M14 a charge whose payment is found cancelled in full has not paid', async () => {
  await registerOrder(world, 'given-back');
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await world.withoutNotifications(async () => {
    expect((await charge(world, 'given-back', key.customerUid)).status).toBe(202);
    const { list } = await callService(world, '/payments/findAll/given-back');
    await world.sandbox.control(list[0].abc_uid, 'cancel', { reason: '승인 취소' });
    await world.advance(6);
  });

  expect(await chargesOf(world, 'given-back')).toMatchObject([{ status: 'failed', reason: '승인 취소' }]);
  expect(await orderStatus(world, 'given-back')).toBe('cancelled');
});
