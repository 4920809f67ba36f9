// An order is paid at the service and the notification of it arrives. The payment is fetched, compared and stored.

import { getOrder, notificationsOf, orderStatus, paySilently, registerOrder } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';
import { TEST_BUTTON_ADDRESS } from '../../support/world';

const world = useWorld();

const outcomesOf = async (merchantUid: string) =>
  (await notificationsOf(world, merchantUid)).map(({ outcome }) => outcome);
const pay = (merchantUid: string, outcome?: string) =>
  world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, ...(outcome && { outcome }) });
const failFetches = (times: number) =>
  world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times });

test('a paid order is recorded and shown as paid', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await pay(uid);
  expect(await orderStatus(world, uid)).toBe('paid');
  const { body } = await world.api('GET', `/api/payments/${svc_uid}`);
  const payment = { svc_uid, merchant_uid: uid, status: 'paid', amount: 1000, currency: 'KRW' };
  expect(body).toMatchObject({ ...payment, record: { svc_uid, amount: 1000 } });
  expect(await outcomesOf(uid)).toEqual(['recorded']);
});

test('a repeated notification changes nothing', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await pay(uid);
  const before = await world.rows.money();
  await world.sandbox.control(svc_uid, 'notify', { times: 3 });
  expect(await outcomesOf(uid)).toEqual(['recorded', 'unchanged', 'unchanged', 'unchanged']);
  expect(await world.rows.money()).toBe(before);
});

test('a virtual account waits for its deposit and is then paid', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await pay(uid, 'virtual_account');
  expect(await orderStatus(world, uid)).toBe('awaiting_deposit');
  await world.sandbox.control(svc_uid, 'deposit');
  expect(await orderStatus(world, uid)).toBe('paid');
});

test('a partial and then a full cancellation are recorded', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await pay(uid);
  await world.sandbox.control(svc_uid, 'cancel', { amount: 300, reason: 'one of three' });
  const inPart = { status: 'partially_cancelled', payments: [{ cancel_amount: 300 }] };
  expect(await getOrder(world, uid)).toMatchObject(inPart);
  await world.sandbox.control(svc_uid, 'cancel');
  expect(await orderStatus(world, uid)).toBe('cancelled');
});

test('a failed payment is stored as failed although its notification says paid', async () => {
  const uid = await registerOrder(world);
  const failed = await pay(uid, 'failed');
  expect(await orderStatus(world, uid)).toBe('open');
  await world.sandbox.control(failed.svc_uid, 'notify', { status: 'paid' });
  expect(await orderStatus(world, uid)).toBe('failed');
  await pay(uid);
  expect(await getOrder(world, uid)).toMatchObject({ status: 'paid', payments: [{}, {}] });
});

test('the test button is answered and changes nothing', async () => {
  const before = await world.rows.money();
  const sent = await world.sandbox.call('POST', '/settings/test-webhook');
  expect(JSON.stringify(sent)).toContain('test');
  expect(await world.rows.money()).toBe(before);
  const fromTheButton = 'select outcome from notifications where source_address = $1';
  expect(await world.rows.query(fromTheButton, [TEST_BUTTON_ADDRESS])).toEqual([{ outcome: 'test' }]);
});

test('during an outage of the service a notification is stored, and checked afterwards', async () => {
  // Without an earlier answer the service counts as down, and is asked every 15 seconds only.
  await pay(await registerOrder(world));
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  await failFetches(1000);
  await world.sandbox.control(svc_uid, 'notify');
  expect(await outcomesOf(uid)).toEqual(['queued']);
  await world.advance(2);
  expect(await outcomesOf(uid)).toEqual(['queued']);
  await world.sandbox.clearFaults();
  await world.advance(5);
  expect(await outcomesOf(uid)).toEqual(['recorded']);
  expect(await orderStatus(world, uid)).toBe('paid');
});

test('a notification that a process left unchecked is checked by the next one', async () => {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  await failFetches(1);
  await world.sandbox.control(svc_uid, 'notify');
  await world.forgetJobs();
  await world.restartMerchant();
  await world.runEveryMinute(60);
  expect(await orderStatus(world, uid)).toBe('paid');
});

test('an order that is committed just after its notification ends as paid', async () => {
  const { svc_uid } = await pay('late');
  expect(await outcomesOf('late')).toEqual(['unknown_order']);
  expect((await world.api('GET', `/api/payments/${svc_uid}`)).status).toBe(404);
  await registerOrder(world, 'late');
  await world.advance(2);
  expect(await orderStatus(world, 'late')).toBe('paid');
  expect(await outcomesOf('late')).toEqual(['recorded']);
  const open = `select from discrepancies where merchant_uid = 'late' and resolved_at is null`;
  expect(await world.rows.query(open)).toEqual([]);
});
