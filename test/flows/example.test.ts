// The example of docs/03-guides/9-testing.md: a failed payment, a deposit some days later, a month that passes, and a lost answer.

import { CARD_THAT_FAILS } from '../support/cards';
import { registerKey } from '../support/keys';
import { charge, orderStatus, registerOrder } from '../support/orders';
import { FETCH_PAYMENT } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';

const DAY = 24 * 3600;

const world = useWorld();

/** The events of an order, in order. */
async function told(merchantUid: string): Promise<string[]> {
  const { body } = await world.api('GET', `/api/events?merchant_uid=${merchantUid}`);
  return body.list.map(({ type }: { type: string }) => type);
}

test('an order whose card is declined is paid with another card, and both cause an event', async () => {
  const merchantUid = await registerOrder(world, 'tea-1');
  const [declined, good] = [
    await registerKey(world, { card_number: CARD_THAT_FAILS }),
    await registerKey(world),
  ];
  expect((await charge(world, merchantUid, declined.customerUid)).status).toBe(402);
  expect((await charge(world, merchantUid, good.customerUid)).status).toBe(200);
  expect(await told(merchantUid)).toEqual(['order.failed', 'order.paid']);
});

test('a deposit after two days pays its order', async () => {
  const merchantUid = await registerOrder(world, 'tea-2');
  const account = await world.sandbox.pay({
    merchant_uid: merchantUid,
    amount: 1000,
    outcome: 'virtual_account',
  });
  expect(await orderStatus(world, merchantUid)).toBe('awaiting_deposit');
  await world.advance(2 * DAY);
  await world.sandbox.control(account.svc_uid, 'deposit');
  expect(await told(merchantUid)).toEqual(['order.awaiting_deposit', 'order.paid']);
});

test('a scheduled payment is made after a month', async () => {
  const { customerUid } = await registerKey(world);
  const inAMonth = Math.floor(world.clock.nowMs() / 1000) + 31 * DAY;
  const planned = {
    merchant_uid: 'tea-of-march',
    schedule_at: inAMonth,
    amount: 1000,
    name: 'Tea of the month',
  };
  expect((await world.api('POST', '/api/schedules', { customer_uid: customerUid, ...planned })).status).toBe(
    201,
  );
  await world.advance(31 * DAY);
  expect(await orderStatus(world, 'tea-of-march')).toBe('paid');
});

test('a notification whose payment cannot be fetched is stored, and pays the order when the service answers again', async () => {
  const merchantUid = await registerOrder(world, 'tea-3');
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'lost_response' });
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  expect(await orderStatus(world, merchantUid)).toBe('open');
  await world.advance(3);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});
