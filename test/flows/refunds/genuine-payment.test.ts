// A discrepancy may name a genuine payment: one that was replayed for another order, came before its order, or pays alone
// by now. It is not given back, and nothing is sent. Of an order that was paid twice, one payment stays.

import { callService } from '../../support/call-service';
import {
  CANCEL_PAYMENT,
  discrepancyOf,
  expectRefundNotSent,
  payForNobody,
  payTwice,
  refundDiscrepancy,
  refundsOf,
} from '../../support/discrepancies';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
afterEach(() => world.sandbox.clearFaults());

const refund = (id: string, fields?: Record<string, unknown>) => refundDiscrepancy(world, id, fields);
const atService = async (svcUid: string) =>
  (await callService(world, `/payments/${svcUid}`)) as { status: string; cancel_amount: number };
const expectNotSent = (id: string, fields?: Record<string, unknown>) =>
  expectRefundNotSent(world, id, fields);

describe('a genuine payment that was replayed for another order', () => {
  const replayed = async (genuine: string, other: string, isStored: boolean) => {
    await registerOrder(world, genuine);
    await registerOrder(world, other);
    const { svc_uid: svcUid } = await paySilently(world, genuine);
    if (isStored) expect((await sendNotification(world, svcUid, genuine)).outcome).toBe('recorded');
    expect((await sendNotification(world, svcUid, other)).outcome).toBe('order_mismatch');
    return { svcUid, id: (await discrepancyOf(world, svcUid, 'order_mismatch')).id };
  };

  test('is not given back where it pays for its order', async () => {
    const { svcUid, id } = await replayed('back-genuine', 'back-other', true);
    const money = await world.rows.money();
    expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
    expect(await refundsOf(world, svcUid)).toEqual([]);
    expect(await world.rows.money()).toBe(money);
    expect(await orderStatus(world, 'back-genuine')).toBe('paid');
  });

  test('is recorded for its own order instead of being given back where we had not heard of it', async () => {
    const { svcUid, id } = await replayed('back-unheard', 'back-other-2', false);
    expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
    expect(await orderStatus(world, 'back-unheard')).toBe('paid');
    expect(await orderStatus(world, 'back-other-2')).toBe('open');
    expect(await refundsOf(world, svcUid)).toEqual([]);
    expect(await atService(svcUid)).toMatchObject({ status: 'paid' });
  });

  test('is not given back where the service names a third order, and it is stored and counted', async () => {
    const { svcUid, id } = await replayed('back-moved', 'back-other-3', true);
    await world.sandbox.call('POST', `/payments/${svcUid}/tamper`, { merchant_uid: 'back-third' });
    expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
    expect(await refundsOf(world, svcUid)).toEqual([]);
  });
});

test('an order that was registered meanwhile keeps its payment', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-late-order');
  await registerOrder(world, 'back-late-order');
  expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
  expect(await orderStatus(world, 'back-late-order')).toBe('paid');
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({ resolution: null });
});

test('a payment that cannot be judged now may be genuine: nothing is sent', async () => {
  const { svcUid, id } = await payForNobody(world, 'back-unjudged');
  await registerOrder(world, 'back-unjudged');
  // The first fetch says what is held, the second one is the sync.
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 0, times: 1 });
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  expect(await expectNotSent(id)).toEqual([409, 'payment_not_judged']);
  expect(await refundsOf(world, svcUid)).toEqual([]);
});

describe('an order that was paid twice', () => {
  test('stays paid by the first payment when the second is given back', async () => {
    const { first, second, id } = await payTwice(world, 'back-twice');
    const { status, body } = await refund(id, { reason: 'paid twice' });
    expect([status, body.discrepancy.resolution]).toEqual([200, 'refunded']);
    expect(await atService(second)).toMatchObject({ cancel_amount: 1000 });
    expect(await atService(first)).toMatchObject({ status: 'paid', cancel_amount: 0 });
    expect(await orderStatus(world, 'back-twice')).toBe('paid');
    expect(await refundsOf(world, second)).toMatchObject([{ status: 'refunded', discrepancy_id: id }]);
    expect(await refundsOf(world, first)).toEqual([]);
  });

  test('keeps the second payment once the first went back: only that one pays now', async () => {
    const { first, second, id } = await payTwice(world, 'back-first');
    await world.api('POST', `/api/payments/${first}/cancel`, { reason: 'paid twice' });
    expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
    expect(await orderStatus(world, 'back-first')).toBe('paid');
    expect(await refundsOf(world, second)).toEqual([]);
  });

  test('keeps the second payment while the outcome of the first one’s refund is open', async () => {
    const { first, second, id } = await payTwice(world, 'back-first-open');
    await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
    const lost = await world.api('POST', `/api/payments/${first}/cancel`, { reason: 'paid twice' });
    expect(lost.status).toBe(202);
    expect(await expectNotSent(id)).toEqual([409, 'payment_pays_order']);
    expect(await refundsOf(world, second)).toEqual([]);
  });

  test('is given back once, whoever asks at the same time', async () => {
    const { second, id } = await payTwice(world, 'back-both');
    let answers: { status: number; body: any }[] = [];
    const calls = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
      answers = await Promise.all(['kim', 'lee', 'park'].map((by) => refund(id, { by })));
    });
    expect(calls).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await refundsOf(world, second)).toHaveLength(1);
  });
});
