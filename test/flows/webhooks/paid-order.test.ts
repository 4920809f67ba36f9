// The second story: an order is paid at the service, the notification arrives, is checked and stored.

import { startWorld, TEST_BUTTON_ADDRESS, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function registerOrder(merchantUid: string, amount = 1000): Promise<void> {
  const { status } = await world.api('POST', '/api/orders', {
    merchant_uid: merchantUid,
    name: 'Tea',
    amount,
  });
  expect(status).toBe(201);
}
const orderStatus = async (merchantUid: string): Promise<string> =>
  (await world.api('GET', `/api/orders/${merchantUid}`)).body.status as string;
const outcomesOf = async (merchantUid: string): Promise<unknown[]> =>
  (
    await world.rows.query<{ outcome: string }>(
      'select outcome from notifications where merchant_uid = $1 order by id',
      [merchantUid],
    )
  ).map(({ outcome }) => outcome);

describe.each(['json', 'form'])('notifications as %s', (contentType) => {
  beforeAll(() => world.sandbox.settings({ content_type: contentType }));

  test('a paid order is recorded and shown as paid', async () => {
    const uid = `paid-${contentType}`;
    await registerOrder(uid);
    const payment = await world.sandbox.pay({ merchant_uid: uid, amount: 1000 });
    expect(await orderStatus(uid)).toBe('paid');
    const stored = await world.api('GET', `/api/payments/${payment.svc_uid}`);
    expect(stored).toMatchObject({
      status: 200,
      body: { svc_uid: payment.svc_uid, merchant_uid: uid, status: 'paid', amount: 1000, currency: 'KRW' },
    });
    expect(stored.body.record).toMatchObject({ svc_uid: payment.svc_uid, amount: 1000 });
    expect(await outcomesOf(uid)).toEqual(['recorded']);
    expect(await world.sandbox.requests('POST /users/getToken')).toBe(1);
  });

  test('the same notification again changes nothing', async () => {
    const uid = `again-${contentType}`;
    await registerOrder(uid);
    const payment = await world.sandbox.pay({ merchant_uid: uid, amount: 1000 });
    const before = await world.rows.money();
    await world.sandbox.control(payment.svc_uid, 'notify', { times: 3 });
    expect(await outcomesOf(uid)).toEqual(['recorded', 'unchanged', 'unchanged', 'unchanged']);
    expect(await world.rows.money()).toBe(before);
  });
});

test('a virtual account waits for its deposit, and is paid with it', async () => {
  await registerOrder('vbank');
  const payment = await world.sandbox.pay({
    merchant_uid: 'vbank',
    amount: 1000,
    outcome: 'virtual_account',
  });
  expect(await orderStatus('vbank')).toBe('awaiting_deposit');
  await world.sandbox.control(payment.svc_uid, 'deposit');
  expect(await orderStatus('vbank')).toBe('paid');
});

test('a cancellation in part and then in full is followed', async () => {
  await registerOrder('refund');
  const payment = await world.sandbox.pay({ merchant_uid: 'refund', amount: 1000 });
  await world.sandbox.control(payment.svc_uid, 'cancel', { amount: 300, reason: 'one of three' });
  const { body } = await world.api('GET', '/api/orders/refund');
  expect(body).toMatchObject({ status: 'partially_cancelled', payments: [{ cancel_amount: 300 }] });
  await world.sandbox.control(payment.svc_uid, 'cancel');
  expect(await orderStatus('refund')).toBe('cancelled');
});

test('a failed attempt is stored when its notification is forged as paid, and the order can still be paid', async () => {
  await registerOrder('second-try');
  const failed = await world.sandbox.pay({ merchant_uid: 'second-try', amount: 1000, outcome: 'failed' });
  expect(await orderStatus('second-try')).toBe('open');
  await world.sandbox.control(failed.svc_uid, 'notify', { status: 'paid' });
  expect(await orderStatus('second-try')).toBe('failed');
  await world.sandbox.pay({ merchant_uid: 'second-try', amount: 1000 });
  expect(await orderStatus('second-try')).toBe('paid');
  expect((await world.api('GET', '/api/orders/second-try')).body.payments).toHaveLength(2);
});

test('the test button is answered and touches nothing', async () => {
  const before = await world.rows.money();
  const sent = await world.sandbox.call('POST', '/settings/test-webhook');
  expect(JSON.stringify(sent)).toContain('test');
  expect(await world.rows.money()).toBe(before);
  const [row] = await world.rows.query(
    'select outcome, source_address from notifications where source_address = $1',
    [TEST_BUTTON_ADDRESS],
  );
  expect(row).toEqual({ outcome: 'test', source_address: TEST_BUTTON_ADDRESS });
});

test('while the service is down the notification is kept, and checked when it is back', async () => {
  await registerOrder('down');
  const payment = await world.sandbox.pay({ merchant_uid: 'down', amount: 1000, notify: false });
  await world.sandbox.fault({ endpoint: 'GET /payments/:svc_uid', kind: 'status', status: 503, times: 1000 });
  await world.sandbox.control(payment.svc_uid, 'notify');
  expect(await outcomesOf('down')).toEqual(['queued']);
  await world.advance(2);
  expect(await outcomesOf('down')).toEqual(['queued']);
  await world.sandbox.call('DELETE', '/faults');
  await world.advance(4);
  expect(await outcomesOf('down')).toEqual(['queued']);
  await world.advance(1);
  expect(await outcomesOf('down')).toEqual(['recorded']);
  expect(await orderStatus('down')).toBe('paid');
});

test('what a process left unchecked is checked by the next one', async () => {
  await registerOrder('crash');
  const payment = await world.sandbox.pay({ merchant_uid: 'crash', amount: 1000, notify: false });
  await world.sandbox.fault({ endpoint: 'GET /payments/:svc_uid', kind: 'status', status: 503, times: 1 });
  await world.sandbox.control(payment.svc_uid, 'notify');
  // As after kill -9: the row is there, and no job.
  await world.rows.query('delete from graphile_worker._private_jobs');
  await world.restartMerchant();
  await world.runEveryMinute(60);
  expect(await orderStatus('crash')).toBe('paid');
});

test('an order that is committed a moment after its notification ends paid', async () => {
  const payment = await world.sandbox.pay({ merchant_uid: 'late', amount: 1000 });
  expect(await outcomesOf('late')).toEqual(['unknown_order']);
  expect((await world.api('GET', `/api/payments/${payment.svc_uid}`)).status).toBe(404);
  await registerOrder('late');
  await world.advance(2);
  expect(await orderStatus('late')).toBe('paid');
  expect(await outcomesOf('late')).toEqual(['recorded']);
  const open = await world.rows.query(
    'select kind from discrepancies where merchant_uid = $1 and resolved_at is null',
    ['late'],
  );
  expect(open).toEqual([]);
});
