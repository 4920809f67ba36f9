// An order holds the expected amount. It is registered once and does not change; orders are listed by last change; an unpaid order can
// be closed.

import {
  BUYER,
  charge,
  chargesOf,
  discrepanciesOf,
  getOrder,
  newUid,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { CHARGE_KEY } from '../../support/sandbox-controls';
import { useKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useKey(world);

const FIELDS = {
  card_quota: 3,
  tax_free: 1000,
  buyer: BUYER,
  custom_data: { cart: [7, 8], note: '한글 \u0000 "quoted"', at: 1763740800000 },
};
const tea = (fields: Record<string, unknown> = {}) => ({
  merchant_uid: newUid(),
  name: 'Tea',
  amount: 60_000,
  ...fields,
});
const register = (body: Record<string, unknown>) => world.api('POST', '/api/orders', body);

test('an order shows the fields of its registration, and the same order again is a 200 that changes nothing', async () => {
  const body = tea(FIELDS);
  const calls = await world.sandbox.allRequests();
  expect(await register(body)).toMatchObject({ status: 201, body: FIELDS });
  // Without ANNOUNCE_ORDERS the service is not called.
  expect(await world.sandbox.allRequests()).toBe(calls);
  const before = await world.rows.money();
  const other = { name: 'Coffee', card_quota: 6, tax_free: 0, buyer: { name: 'Lee' }, custom_data: 'other' };
  const known = { name: 'Tea', ...FIELDS };
  expect(await register({ ...body, ...other })).toMatchObject({ status: 200, body: known });
  expect(await getOrder(world, body.merchant_uid)).toMatchObject(known);
  for (const changed of [{ amount: 60_001 }, { currency: 'USD', card_quota: 0 }, { member_id: 'member-1' }])
    expect(await register({ ...body, ...changed })).toMatchObject({
      status: 409,
      body: { error: { code: 'order_conflict' } },
    });
  expect(await world.rows.money()).toBe(before);
});

test('F12 an amount above 2^31 is stored unchanged', async () => {
  const uid = await registerOrder(world, newUid(), { amount: 2_147_483_648 });
  const { svc_uid } = await paySilently(world, uid, { amount: 2_147_483_648 });
  expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect((await getOrder(world, uid)).amount).toBe(2_147_483_648);
});

const order = { merchant_uid: 'strict-1', name: 'Tea', amount: 1000 };

test.each([
  ['POST /api/orders', '/api/orders', { ...order, memberid: 'm' }, 'memberid'],
  ['POST …/cancel', '/api/payments/svc_1/cancel', { reason: 'cold', ammount: 1 }, 'ammount'],
])('M33 an unknown field in %s gets a 400 that names it', async (_, path, body, named) => {
  const answer = await expectNoEffect(world, () => world.api('POST', path, body));
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_request']);
  expect(answer.body.error.message).toContain(`has unknown fields: ${named}`);
});

const list = async (query: string) => (await world.api('GET', `/api/orders?${query}`)).body;
const uids = (page: { list: { merchant_uid: string }[] }) =>
  page.list.map(({ merchant_uid }) => merchant_uid);

test('orders are listed by the time of their change, in pages without gaps', async () => {
  world.clock.advance(60);
  const since = `updated_from=${world.clock.now().toISOString()}`;
  // Three at one time, and one a minute later.
  for (const name of ['a', 'b', 'c']) await registerOrder(world, `list-${name}`);
  world.clock.advance(60);
  await registerOrder(world, 'list-d');
  const first = await list(`status=open&${since}&limit=2`);
  const second = await list(`status=open&${since}&limit=2&after=${encodeURIComponent(first.next)}`);
  expect([...uids(first), ...uids(second)]).toEqual(['list-a', 'list-b', 'list-c', 'list-d']);
  expect(second.next).toBeNull();

  world.clock.advance(60);
  await world.sandbox.pay({ merchant_uid: 'list-b', amount: 1000 });
  expect(uids(await list(since))).toEqual(['list-a', 'list-c', 'list-d', 'list-b']);
  expect(uids(await list(`status=paid&${since}`))).toEqual(['list-b']);
});

const close = (merchantUid: string) => world.api('POST', `/api/orders/${merchantUid}/close`);
const PAID_AFTER_CLOSE = { kind: 'paid_after_close', expected: 'closed', actual: '1000 KRW' };

test('an open order is closed with one event and can then not be charged, and a later payment is paid_after_close', async () => {
  const merchantUid = await registerOrder(world);
  const closed = await close(merchantUid);
  expect([closed.status, closed.body.status]).toEqual([200, 'closed']);
  expect(await expectNoEffect(world, () => close(merchantUid))).toEqual({ status: 200, body: closed.body });
  const told = await world.rows.query(
    `select version, data->>'previous_status' as before from events where stream = $1 and type = 'order.closed'`,
    [merchantUid],
  );
  expect(told).toEqual([{ version: 1, before: 'open' }]);

  const refused = await charge(world, merchantUid, key.customerUid);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'order_not_payable']);
  expect(await chargesOf(world, merchantUid)).toEqual([]);
  await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([PAID_AFTER_CLOSE]);
});

test('an order with a payment, or with a charge that takes money now, is not closed', async () => {
  const paid = await registerOrder(world);
  await world.sandbox.pay({ merchant_uid: paid, amount: 1000 });
  const lost = await registerOrder(world);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await world.withoutNotifications(async () => {
    expect((await charge(world, lost, key.customerUid)).status).toBe(202);
  });

  expect((await close('nobody')).status).toBe(404);
  for (const merchantUid of [paid, lost]) {
    const { status, body } = await expectNoEffect(world, () => close(merchantUid));
    expect([status, body.error.code]).toEqual([409, 'order_not_closable']);
  }
});

test('of a charge and a closing at the same time one is refused', async () => {
  for (let round = 0; round < 12; round += 1) {
    const merchantUid = await registerOrder(world);
    const both = [close(merchantUid), charge(world, merchantUid, key.customerUid)];
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    const isClosed = statuses[0] === 200;
    expect(statuses).toEqual(isClosed ? [200, 409] : [409, 200]);
    expect(await orderStatus(world, merchantUid)).toBe(isClosed ? 'closed' : 'paid');
    expect(await chargesOf(world, merchantUid)).toHaveLength(isClosed ? 0 : 1);
  }
});

test('an order with a virtual account can be closed, and its deposit is recorded as paid_after_close', async () => {
  const merchantUid = await registerOrder(world);
  const account = { merchant_uid: merchantUid, amount: 1000, outcome: 'virtual_account' };
  const { svc_uid } = await world.sandbox.pay(account);
  expect(await orderStatus(world, merchantUid)).toBe('awaiting_deposit');
  expect((await close(merchantUid)).body.status).toBe('closed');
  // It is notified again, also with another account, and stays closed.
  await world.sandbox.control(svc_uid, 'notify');
  await world.sandbox.pay(account);
  expect(await orderStatus(world, merchantUid)).toBe('closed');
  await world.sandbox.control(svc_uid, 'deposit');
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([PAID_AFTER_CLOSE]);
});

test('the orders of a member are listed in pages, and none of another member', async () => {
  const member = { member_id: `${key.memberId}-lists` };
  const uids = [];
  for (let n = 0; n < 3; n += 1) uids.push(await registerOrder(world, newUid(), member));
  await registerOrder(world, newUid(), { member_id: `${key.memberId}-other` });
  const read = async (after = '') =>
    (await world.api('GET', `/api/orders?member_id=${member.member_id}&limit=2${after}`)).body;
  const first = await read();
  const second = await read(`&after=${encodeURIComponent(first.next)}`);
  expect([first.list.length, second.next]).toEqual([2, null]);
  const listed = [...first.list, ...second.list] as { merchant_uid: string }[];
  expect(listed.map(({ merchant_uid }) => merchant_uid).sort()).toEqual(uids.sort());
});
