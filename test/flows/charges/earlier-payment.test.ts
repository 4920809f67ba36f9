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

/** A paid order, whose payment the service then shows in another status, so many times. */
async function paidAndShownAs(merchantUid: string) {
  await registerOrder(world, merchantUid);
  const { svc_uid: svcUid, ...paid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const showAs = (status: string, times: number) => {
    const body = { code: 0, message: null, response: { ...paid, abc_uid: svcUid, status } };
    return world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times });
  };
  return { showAs, notify: () => sendNotification(world, svcUid, merchantUid) };
}

test('a payment that nobody told of is stored, and its order is not charged', async () => {
  await registerOrder(world, 'paid-unheard');
  await paySilently(world, 'paid-unheard');
  expect(await refusedCharge('paid-unheard')).toEqual([409, 'order_not_payable']);
  expect(await orderStatus(world, 'paid-unheard')).toBe('paid');
});

test('M5 an older copy of a paid payment, shown twice within a second, does not make its order chargeable', async () => {
  const { showAs, notify } = await paidAndShownAs('older-copy');
  for (const status of ['failed', 'ready']) {
    await showAs(status, 2);
    for (let looks = 0; looks < 2; looks += 1)
      expect(await notify()).toEqual({ status: 200, outcome: 'queued' });
  }
  expect(await getOrder(world, 'older-copy')).toMatchObject({
    status: 'paid',
    payments: [{ status: 'paid' }],
  });
  expect(await refusedCharge('older-copy')).toEqual([409, 'order_not_payable']);
  await world.advance(60);
});

test('M5 an order whose payment went back and came again is not charged', async () => {
  const { showAs, notify } = await paidAndShownAs('back-again');
  await showAs('failed', 3);
  await notify();
  await world.advance(2);
  await world.advance(5);
  expect(await orderStatus(world, 'back-again')).toBe('failed');

  expect(await refusedCharge('back-again')).toEqual([409, 'order_not_payable']);
  expect(await orderStatus(world, 'back-again')).toBe('paid');
});

test('a schedule that turns out to be revoked does not hide a payment that nobody told of', async () => {
  const planned = { customer_uid: key.customerUid, merchant_uid: 'once-planned' };
  const schedule_at = Math.floor(world.clock.nowMs() / 1000) + 3600;
  await world.api('POST', '/api/schedules', { ...planned, schedule_at, amount: 1000, name: 'Tea' });
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

test.each([
  ['cannot be judged now', FETCH_PAYMENT, 409, 'payment_not_judged'],
  ['cannot be asked for', FIND_PAYMENTS, 503, 'service_unavailable'],
])(
  'a payment that %s keeps its order from being charged, and nothing is written',
  async (name, endpoint, status, code) => {
    const merchantUid = name.replaceAll(' ', '-');
    await registerOrder(world, merchantUid);
    await paySilently(world, merchantUid);
    await world.sandbox.fault({ endpoint, kind: 'status', status: 503, times: 1 });
    expect(await refusedCharge(merchantUid)).toEqual([status, code]);
    expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'open', payments: [] });
  },
);

test('an order that is known to be paid is refused without a question to the payment service', async () => {
  await registerOrder(world, 'known-paid');
  await world.sandbox.pay({ merchant_uid: 'known-paid', amount: 1000 });
  const answer = await expectNoEffect(world, () => refusedCharge('known-paid'));
  expect(answer).toEqual([409, 'order_not_payable']);
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
