// faults.md C: whether the money is what the merchant expects.

import { createPaidOrders, type PaidOrders } from '../support/paid-orders';
import { startWorld, type World } from '../support/world';

let world: World;
let orders: PaidOrders;
beforeAll(async () => {
  world = await startWorld();
  orders = createPaidOrders(world);
});
afterAll(() => world.close());

test.each([999, 1001])(
  'C9 %d won for an order of 1000 is a mismatch, told once however often it is seen',
  async (amount) => {
    const uid = await orders.order(orders.newUid());
    const { svc_uid } = await orders.pay(uid, { amount });
    for (let times = 1; times <= 5; times += 1) await orders.expectRefused(svc_uid, uid, 'amount_mismatch');
    expect(await orders.discrepancies(uid)).toEqual([
      { kind: 'amount_mismatch', expected: '1000 KRW', actual: `${amount} KRW`, times_seen: 5 },
    ]);
    expect(await orders.status(uid)).toBe('open');
    expect((await world.api('GET', `/api/payments/${svc_uid}`)).status).toBe(404);
  },
);

test('C9 an amount that was changed at the service after it was stored is not taken over', async () => {
  const uid = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(uid);
  await orders.ring(svc_uid, uid);
  await world.sandbox.control(svc_uid, 'tamper', { amount: 1 });
  await orders.expectRefused(svc_uid, uid, 'amount_mismatch');
  expect(await orders.status(uid)).toBe('paid');
});

test.each([
  ',"amount":"1000"',
  ',"amount":null',
  '',
  ',"amount":-1000',
  ',"amount":9007199254740993',
  ',"amount":10.5',
])(
  'C10 the amount %j is no amount: asked again later, never paid, never called a mismatch',
  async (amount) => {
    const uid = await orders.order(orders.newUid());
    const { svc_uid } = await orders.pay(uid);
    await orders.answerWith(svc_uid, uid, amount);
    expect(await orders.ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
    expect(await orders.outcomes(uid)).toEqual([{ outcome: 'queued', reason: 'bad_answer' }]);
    expect(await orders.discrepancies(uid)).toEqual([]);
    expect(await orders.status(uid)).toBe('open');
    await world.advance(2);
    expect(await orders.status(uid)).toBe('paid');
  },
);

test.each([',"amount":1000.0', ',"amount":1e3'])('C11 %s is the integer it equals', async (amount) => {
  const uid = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(uid);
  await orders.answerWith(svc_uid, uid, amount);
  expect(await orders.ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect(await orders.status(uid)).toBe('paid');
});

test('C12 a thousand dollars are not a thousand won', async () => {
  const uid = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(uid, { currency: 'USD' });
  await orders.expectRefused(svc_uid, uid, 'currency_mismatch');
  expect(await orders.discrepancies(uid)).toEqual([
    { kind: 'currency_mismatch', expected: 'KRW', actual: 'USD', times_seen: 1 },
  ]);
});

test('C13 an amount without a currency is held for review', async () => {
  const uid = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(uid);
  const body = {
    code: 0,
    message: null,
    response: { abc_uid: svc_uid, merchant_uid: uid, status: 'paid', amount: 1000 },
  };
  await world.sandbox.fault({ endpoint: 'GET /payments/:svc_uid', kind: 'status', status: 200, body });
  expect(await orders.ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
  expect(await orders.discrepancies(uid)).toMatchObject([
    { kind: 'needs_review', expected: 'KRW', actual: null },
  ]);
  expect(await orders.status(uid)).toBe('open');
});

test('C22 more cancelled than paid is held for review', async () => {
  const uid = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(uid);
  await orders.answerWith(svc_uid, uid, ',"amount":1000,"cancel_amount":1001');
  expect(await orders.ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'queued' });
  expect(await orders.discrepancies(uid)).toMatchObject([{ kind: 'needs_review' }]);
});

test('C27 huge and marked-up texts of the record are bounded', async () => {
  const uid = await orders.order(orders.newUid());
  const { svc_uid } = await orders.pay(uid);
  await orders.answerWith(
    svc_uid,
    uid,
    `,"amount":1000,"buyer_name":"${'<b>'.repeat(50_000)}","fail_reason":"${'x'.repeat(5000)}","custom_data":"'; drop table orders; --"`,
  );
  expect(await orders.ring(svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  const [row] = await world.rows.query<{ size: number }>(
    'select length(record::text) as size from payments where svc_uid = $1',
    [svc_uid],
  );
  expect(row?.size).toBeLessThan(10_000);
});
