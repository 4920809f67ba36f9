// An order is paid at the service and the notification of it arrives. The payment is fetched, compared and stored.

import { FETCH_PAYMENT, TOKEN } from '../../support/endpoints';
import { getOrder, notificationsOf, orderStatus, paySilently, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { startWorld, TEST_BUTTON_ADDRESS } from '../../support/world';

const world = useWorld();

const outcomesOf = async (merchantUid: string) =>
  (await notificationsOf(world, merchantUid)).map(({ outcome }) => outcome);

describe.each(['json', 'form'])('notifications as %s', (contentType) => {
  beforeAll(() => world.sandbox.settings({ content_type: contentType }));

  test('a paid order is recorded and shown as paid', async () => {
    const uid = `paid-${contentType}`;
    await registerOrder(world, uid);
    const payment = await world.sandbox.pay({ merchant_uid: uid, amount: 1000 });
    expect(await orderStatus(world, uid)).toBe('paid');
    const stored = await world.api('GET', `/api/payments/${payment.svc_uid}`);
    expect(stored).toMatchObject({
      status: 200,
      body: { svc_uid: payment.svc_uid, merchant_uid: uid, status: 'paid', amount: 1000, currency: 'KRW' },
    });
    expect(stored.body.record).toMatchObject({ svc_uid: payment.svc_uid, amount: 1000 });
    expect(await outcomesOf(uid)).toEqual(['recorded']);
    expect(await world.sandbox.requests(TOKEN)).toBe(1);
  });

  test('the same notification again changes nothing', async () => {
    const uid = `again-${contentType}`;
    await registerOrder(world, uid);
    const payment = await world.sandbox.pay({ merchant_uid: uid, amount: 1000 });
    const before = await world.rows.money();
    await world.sandbox.control(payment.svc_uid, 'notify', { times: 3 });
    expect(await outcomesOf(uid)).toEqual(['recorded', 'unchanged', 'unchanged', 'unchanged']);
    expect(await world.rows.money()).toBe(before);
  });
});

test('a virtual account waits for its deposit, and is paid with it', async () => {
  await registerOrder(world, 'vbank');
  const payment = await world.sandbox.pay({
    merchant_uid: 'vbank',
    amount: 1000,
    outcome: 'virtual_account',
  });
  expect(await orderStatus(world, 'vbank')).toBe('awaiting_deposit');
  await world.sandbox.control(payment.svc_uid, 'deposit');
  expect(await orderStatus(world, 'vbank')).toBe('paid');
});

test('a cancellation in part and then in full is followed', async () => {
  await registerOrder(world, 'refund');
  const payment = await world.sandbox.pay({ merchant_uid: 'refund', amount: 1000 });
  await world.sandbox.control(payment.svc_uid, 'cancel', { amount: 300, reason: 'one of three' });
  expect(await getOrder(world, 'refund')).toMatchObject({
    status: 'partially_cancelled',
    payments: [{ cancel_amount: 300 }],
  });
  await world.sandbox.control(payment.svc_uid, 'cancel');
  expect(await orderStatus(world, 'refund')).toBe('cancelled');
});

test('a failed attempt is stored when its notification is forged as paid, and the order can still be paid', async () => {
  await registerOrder(world, 'second-try');
  const failed = await world.sandbox.pay({ merchant_uid: 'second-try', amount: 1000, outcome: 'failed' });
  expect(await orderStatus(world, 'second-try')).toBe('open');
  await world.sandbox.control(failed.svc_uid, 'notify', { status: 'paid' });
  expect(await orderStatus(world, 'second-try')).toBe('failed');
  await world.sandbox.pay({ merchant_uid: 'second-try', amount: 1000 });
  expect(await orderStatus(world, 'second-try')).toBe('paid');
  expect((await getOrder(world, 'second-try')).payments).toHaveLength(2);
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
  await registerOrder(world, 'down');
  const payment = await paySilently(world, 'down');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1000 });
  await world.sandbox.control(payment.svc_uid, 'notify');
  expect(await outcomesOf('down')).toEqual(['queued']);
  await world.advance(2);
  expect(await outcomesOf('down')).toEqual(['queued']);
  await world.sandbox.clearFaults();
  await world.advance(5);
  expect(await outcomesOf('down')).toEqual(['recorded']);
  expect(await orderStatus(world, 'down')).toBe('paid');
});

test('what a process left unchecked is checked by the next one', async () => {
  // A world of its own: after a restart the merchant asks for another token.
  const restarted = await startWorld();
  await registerOrder(restarted, 'crash');
  const payment = await paySilently(restarted, 'crash');
  await restarted.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  await restarted.sandbox.control(payment.svc_uid, 'notify');
  await restarted.forgetJobs();
  await restarted.restartMerchant();
  await restarted.runEveryMinute(60);
  expect(await orderStatus(restarted, 'crash')).toBe('paid');
  await restarted.close();
});

test('an order that is committed a moment after its notification ends paid', async () => {
  const payment = await world.sandbox.pay({ merchant_uid: 'late', amount: 1000 });
  expect(await outcomesOf('late')).toEqual(['unknown_order']);
  expect((await world.api('GET', `/api/payments/${payment.svc_uid}`)).status).toBe(404);
  await registerOrder(world, 'late');
  await world.advance(2);
  expect(await orderStatus(world, 'late')).toBe('paid');
  expect(await outcomesOf('late')).toEqual(['recorded']);
  const open = await world.rows.query(
    'select kind from discrepancies where merchant_uid = $1 and resolved_at is null',
    ['late'],
  );
  expect(open).toEqual([]);
});
