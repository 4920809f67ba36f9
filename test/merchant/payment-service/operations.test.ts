// Every operation works with the real sandbox and another prefix than the document's.

import { newerGenerationOperations } from '../../../src/merchant/payment-service/newer-generation';
import { CARD_INPUT } from '../../support/cards';
import { factsOf, startClient, type Client } from '../../support/service-client';

let client: Client;
let service: Client['service'];
beforeAll(async () => {
  client = await startClient();
  service = client.service;
});
afterAll(() => client.close());
beforeEach(() => client.sandbox.call('POST', '/reset'));

const inAnHour = () => new Date(client.clock.now().getTime() + 3_600_000);
const issue = (customerUid = 'c1') => service.issueBillingKey(customerUid, CARD_INPUT);
const charge = (merchantUid = 'o1', amount = 1_000) =>
  service.payAgain({ customerUid: 'c1', merchantUid, amount, name: 'Tea' });
const ordersOf = (records: readonly { merchantUid: string }[]) =>
  records.map(({ merchantUid }) => merchantUid).sort();

describe('billing keys', () => {
  test('§4.2, §4.7: issued keys are found, masked, also if they need several calls', async () => {
    await issue('c1');
    await issue('c120');
    const { list: found } = await service.findBillingKeys(
      Array.from({ length: 120 }, (_, index) => `c${index + 1}`),
    );
    expect(found.map(({ customerUid }) => customerUid)).toEqual(['c1', 'c120']);
    expect(found[0]).toMatchObject({ cardNumber: '5409-13**-****-9012' });
  });

  test('a deleted key is not found', async () => {
    await issue();
    expect(await service.deleteBillingKey('c1')).toMatchObject({ customerUid: 'c1' });
    expect(await factsOf(service.deleteBillingKey('c1'))).toMatchObject({ kind: 'refused', code: 1 });
    await client.sandbox.settings({ operation_errors: 'http' });
    expect(await factsOf(service.deleteBillingKey('c1'))).toMatchObject({ kind: 'not_found' });
  });

  test.each(['paged', 'array'])('§4.6: payments of a key come in the %s shape', async (shape) => {
    await client.sandbox.settings({ billing_key_payments_shape: shape });
    await issue();
    for (const order of ['o1', 'o2']) await charge(order);
    const page = await service.getBillingKeyPayments('c1', 1);
    expect(ordersOf(page.list)).toEqual(['o1', 'o2']);
    expect(page).toMatchObject({ total: 2, next: 0, unreadable: [] });
  });
});

describe('charges', () => {
  test('a stored key pays, and the payment is found by each of its names', async () => {
    await issue();
    const payment = await charge();
    expect(payment).toMatchObject({ merchantUid: 'o1', status: 'paid', amount: 1_000, customerUid: 'c1' });
    expect(payment.raw['svc_uid']).toBe(payment.svcUid);
    expect(await service.findPayment(payment.svcUid)).toEqual(payment);
    expect((await service.findAllPaymentsByMerchantUid('o1')).list).toEqual([payment]);
  });

  test('§4.3: a key-in payment stores its key under the customer_uid, or nothing', async () => {
    const onetime = { card: CARD_INPUT, merchantUid: 'o1', amount: 700 };
    const paid = { status: 'paid', amount: 700, customerUid: null };
    expect(await service.payOnetime(onetime)).toMatchObject(paid);
    await service.payOnetime({ ...onetime, merchantUid: 'o2', customerUid: 'c9', name: 'Tea' });
    expect((await service.findBillingKeys(['c9'])).list).toHaveLength(1);
  });

  test('a partial and a full cancellation succeed, and one with another balance than expected is refused', async () => {
    await issue();
    const { svcUid } = await charge();
    const part = { svcUid, amount: 300, reason: 'broken' };
    expect(await factsOf(service.cancelPayment({ ...part, checksum: 5 }))).toMatchObject({ kind: 'refused' });
    const cancelHistory = [{ amount: 300, reason: 'broken' }];
    const cancelled = { status: 'cancelled', cancelAmount: 300, cancelHistory };
    expect(await service.cancelPayment({ ...part, checksum: 1_000 })).toMatchObject(cancelled);
    expect(await service.cancelPayment({ svcUid })).toMatchObject({ cancelAmount: 1_000 });
  });

  test('a cancellation of 0, which would cancel everything, is never sent', async () => {
    const cancelled = factsOf(service.cancelPayment({ svcUid: 'svc_1', amount: 0 }));
    expect(await cancelled).toMatchObject({ kind: 'refused' });
    expect(await client.sandbox.requests('POST /payments/cancel')).toBe(0);
  });
});

describe('payments', () => {
  test('an unknown payment is null or an empty list, or else an error', async () => {
    expect(await service.findPayment('svc_none')).toBeNull();
    expect((await service.findAllPaymentsByMerchantUid('none')).list).toEqual([]);
    expect(await service.findNewerPayment('none')).toBeNull();
    for (const uids of [['nobody'], []]) expect((await service.findBillingKeys(uids)).list).toEqual([]);
    const payments = factsOf(service.getBillingKeyPayments('nobody'));
    expect(await payments).toMatchObject({ kind: 'not_found', status: 404 });
  });

  test('every payment of an order is found, over all pages', async () => {
    for (let count = 0; count < 23; count += 1)
      await client.sandbox.pay({ merchant_uid: 'o1', amount: 10, outcome: 'failed', notify: false });
    expect((await service.findAllPaymentsByMerchantUid('o1')).list).toHaveLength(23);
  });

  test('§4.5: payments by status in pages; E26: a page past the end is empty', async () => {
    await issue();
    for (const order of ['o1', 'o2', 'o3']) await charge(order);
    const pages: unknown[] = [];
    for (const page of [1, 2, 3]) {
      const query = { limit: 2, sorting: 'updated', page } as const;
      const { next, list } = await service.getPaymentsByStatus('paid', query);
      pages.push([next, list.length]);
    }
    expect(pages).toEqual([
      [2, 2],
      [0, 1],
      [0, 0],
    ]);
    expect((await service.getPaymentsByStatus('all')).total).toBe(3);
  });
});

describe('schedules', () => {
  beforeEach(async () => {
    await issue();
    await service.schedulePayments('c1', [
      { merchantUid: 's1', scheduleAt: inAnHour(), amount: 500, name: 'Box', buyer: { name: 'Kim' } },
      { merchantUid: 's2', scheduleAt: inAnHour(), amount: 600, currency: 'KRW' },
    ]);
  });

  test('schedules are found by period, by key and by order', async () => {
    const period = { scheduleFrom: client.clock.now(), scheduleTo: new Date(inAnHour().getTime() + 1_000) };
    const planned = { ...period, scheduleStatus: 'scheduled', sorting: 'scheduled' } as const;
    expect(ordersOf((await service.getSchedules(planned)).list)).toEqual(['s1', 's2']);
    expect((await service.getSchedules({ ...period, scheduleStatus: 'revoked' })).list).toEqual([]);
    const { scheduleFrom: from, scheduleTo: to } = period;
    const ofKey = await service.getSchedulesOfBillingKey('c1', { from, to, scheduleStatus: 'scheduled' });
    expect(ordersOf(ofKey.list)).toEqual(['s1', 's2']);
    const schedule = { merchantUid: 's1', customerUid: 'c1', status: 'scheduled', paymentStatus: null };
    const asGiven = { amount: 500, raw: { buyer_name: 'Kim' } };
    expect(await service.getScheduleByMerchantUid('s1')).toMatchObject({ ...schedule, ...asGiven });
    expect(await factsOf(service.getScheduleByMerchantUid('none'))).toMatchObject({ kind: 'not_found' });
  });

  test('a revocation names its orders or all; an empty list revokes nothing', async () => {
    expect(await service.unschedulePayments('c1', [])).toEqual([]);
    const [revoked] = await service.unschedulePayments('c1', ['s1']);
    expect(revoked).toMatchObject({ merchantUid: 's1', status: 'revoked' });
    expect((await service.getScheduleByMerchantUid('s2')).status).toBe('scheduled');
    expect(await service.unschedulePayments('c1', 'all')).toMatchObject([{ merchantUid: 's2' }]);
  });
});

test('newer generation (§5.7, §9): the same payment in the same shape', async () => {
  await issue();
  const { svcUid } = await charge('o.1');
  await service.cancelPayment({ svcUid, amount: 300 });
  const amounts = { amount: 1_000, cancelAmount: 300, currency: 'KRW' };
  const payment = { merchantUid: 'o.1', status: 'cancelled', ...amounts };
  expect(await service.findNewerPayment('o.1')).toMatchObject(payment);
  expect(client.calls.at(-1)).toMatchObject({ method: 'GET', path: '/v2/payments/{payment_id}' });
});

test('newer generation, switched off: no call is made, and the error says why', async () => {
  expect(await factsOf(newerGenerationOperations(null).findNewerPayment('o.1'))).toEqual({
    kind: 'unauthorized',
    method: 'GET',
    path: '/v2/payments/{payment_id}',
    detail: 'switched off',
    mayHaveHappened: false,
  });
});

test('each call is counted under its template, without identifiers', async () => {
  await service.findPayment('svc_none');
  const request = { method: 'GET', path: '/payments/{svc_uid}' };
  const outcome = { status: 404, error: 'not_found' };
  expect(client.calls.at(-1)).toEqual({ ...request, ...outcome });
});
