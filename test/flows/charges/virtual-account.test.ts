// Anyone who knows the id and the amount of an order can open a virtual account for it in the payment window. The member's own card
// can still pay; a later deposit is recorded as a second payment, with a discrepancy.

import { callService, codeOf } from '../../support/calls';
import { discrepancyOf, expectRefundNotSent, refundDiscrepancy } from '../../support/discrepancies';
import { charge, discrepanciesOf, newUid, orderStatus, registerOrder } from '../../support/orders';
import { useOneKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useOneKey(world);

/** An order of the member, and a virtual account that somebody has opened for it. */
async function orderWithAccount() {
  const merchantUid = await registerOrder(world, newUid(), { member_id: key.memberId });
  const account = { merchant_uid: merchantUid, amount: 1000, outcome: 'virtual_account' };
  const { svc_uid: svcUid } = await world.sandbox.pay(account);
  expect(await orderStatus(world, merchantUid)).toBe('awaiting_deposit');
  const deposit = () => world.sandbox.control(svcUid, 'deposit');
  return { merchantUid, svcUid, deposit };
}

const eventsOf = async (merchantUid: string): Promise<string[]> =>
  (await world.api('GET', `/api/events?merchant_uid=${merchantUid}`)).body.list.map(
    ({ type }: { type: string }) => type,
  );

test('a charge of the member’s card pays the order, and a later deposit is a second payment', async () => {
  const { merchantUid, svcUid, deposit } = await orderWithAccount();
  expect((await charge(world, merchantUid, key.customerUid)).status).toBe(200);
  expect(await orderStatus(world, merchantUid)).toBe('paid');

  await deposit();
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await eventsOf(merchantUid)).toEqual(['order.awaiting_deposit', 'order.paid']);
  const second = { kind: 'duplicate_payment', actual: '1000 KRW' };
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([second]);
  const again = codeOf(charge(world, merchantUid, key.customerUid));
  expect(await again).toEqual([409, 'order_not_payable']);

  const { id } = await discrepancyOf(world, svcUid, 'duplicate_payment');
  expect(await expectRefundNotSent(world, id)).toEqual([400, 'invalid_request']);
  const refundAccount = { holder: 'Kim', bank: '088', account: '110123456789' };
  expect((await refundDiscrepancy(world, id, { refund_account: refundAccount })).status).toBe(200);
  expect(await callService(world, `/payments/${svcUid}`)).toMatchObject({ cancel_amount: 1000 });
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});

test('a deposit and a charge at the same moment are both recorded, the order is paid once, and one is reported', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { merchantUid, deposit } = await orderWithAccount();
    const [charged] = await Promise.all([charge(world, merchantUid, key.customerUid), deposit()]);
    expect([200, 409]).toContain(charged.status);
    expect(await orderStatus(world, merchantUid)).toBe('paid');
    const kinds = (await discrepanciesOf(world, merchantUid)).map(({ kind }) => kind);
    expect(kinds).toEqual(charged.status === 200 ? ['duplicate_payment'] : []);
    expect((await eventsOf(merchantUid)).filter((type) => type === 'order.paid')).toHaveLength(1);
  }
});

test('a scheduled payment of an order with a virtual account is made at its time', async () => {
  const { merchantUid, deposit } = await orderWithAccount();
  const schedule_at = Math.floor(world.clock.nowMs() / 1000) + 3600;
  const planned = { merchant_uid: merchantUid, name: 'Tea', amount: 1000, schedule_at };
  const schedule = { customer_uid: key.customerUid, ...planned };
  expect((await world.api('POST', '/api/schedules', schedule)).status).toBe(201);
  await world.advance(3600);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  await deposit();
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([{ kind: 'duplicate_payment' }]);
});
