// A notification of the service's test button (§6.3) with the ids of a genuine one, which anybody who may press the button
// can send (row M23 of docs/faults.md): it does not end the attempts of the genuine notification.

import { FETCH_PAYMENT } from '../../support/endpoints';
import { newUid, orderStatus, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useFreshWorld } from '../../support/use-world';
import { TEST_BUTTON_ADDRESS } from '../../support/world';

const world = useFreshWorld();

/** Paid at the service, which does not show it yet. */
async function payOrder() {
  const merchantUid = await registerOrder(world, newUid());
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  const pressButton = () =>
    world.notify(
      { svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' },
      { source: TEST_BUTTON_ADDRESS },
    );
  return { svcUid, merchantUid, pressButton };
}

const answerFetches = (status: number) =>
  world.sandbox.fault({
    endpoint: FETCH_PAYMENT,
    kind: 'status',
    status,
    body: { code: -1, message: 'no', response: null },
    times: 1000,
  });
const outcomes = () =>
  world.rows.query(
    `select host(source_address::inet) as source, outcome, next_attempt_at is not null as open
     from notifications order by id`,
  );
const GENUINE = '52.78.100.19';

test('M23 the test button with the pair of a payment that is not shown yet is a test, and the genuine notification is tried again and recorded', async () => {
  const { svcUid, merchantUid, pressButton } = await payOrder();
  await answerFetches(404);
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('unknown_payment');
  expect(await pressButton()).toEqual({ status: 200, outcome: 'test' });
  expect(await outcomes()).toEqual([
    { source: GENUINE, outcome: 'unknown_payment', open: true },
    { source: TEST_BUTTON_ADDRESS, outcome: 'test', open: false },
  ]);
  await world.sandbox.clearFaults();
  await world.advance(5);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});

test('M23 an attempt for both, in which the payment is not shown, does not end as a test: it is tried again and recorded', async () => {
  const { svcUid, merchantUid, pressButton } = await payOrder();
  await answerFetches(503);
  expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe('queued');
  expect((await pressButton()).outcome).toBe('queued');
  await world.sandbox.clearFaults();
  await answerFetches(404);
  await world.advance(2);
  expect(await outcomes()).toEqual([
    { source: GENUINE, outcome: 'unknown_payment', open: true },
    { source: TEST_BUTTON_ADDRESS, outcome: 'unknown_payment', open: true },
  ]);
  expect(await orderStatus(world, merchantUid)).toBe('open');
  await world.sandbox.clearFaults();
  await world.advance(20);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await outcomes()).toEqual([
    { source: GENUINE, outcome: 'recorded', open: false },
    { source: TEST_BUTTON_ADDRESS, outcome: 'recorded', open: false },
  ]);
});
