// Records of the service that cannot be read (row O15 of docs/13-faults.md), and values that PostgreSQL refuses for ever (row
// O16). Each is a case for a person, and stops nothing else.

import { payOrder, QUEUED, RECORDED } from '../flows/webhooks/setup';
import { createMemberBrowser } from '../support/browsers';
import { codeOf } from '../support/calls';
import { NAME_PREFIX } from '../support/config';
import { CANCEL_PAYMENT, discrepancyOf, refundDiscrepancy, refundsOf } from '../support/discrepancies';
import { keyOf, memberIdOf, registerKey } from '../support/keys';
import { getOrder, newUid, paySilently, registerOrder, sendNotification } from '../support/orders';
import { resetWorld, runReconcileJob as reconcile } from '../support/reconciliation';
import { refuseRows } from '../support/refused-rows';
import { CHARGE_KEY, FIND_KEYS, LIST_PAYMENTS } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';

const world = useWorld();
/** What allows refused rows again. */
const allow: (() => Promise<unknown>)[] = [];
beforeEach(() => resetWorld(world));
afterEach(async () => {
  for (const again of allow.splice(0)) await again();
});

/** From now on until the end of the test. */
async function refuse(table: string, condition: string, sqlState?: string): Promise<void> {
  allow.push(await refuseRows(world, table, condition, sqlState));
}

/** A payment whose record is then not as described, and no notification of it. */
async function payOddly(merchantUid: string, odd: Record<string, unknown>): Promise<string> {
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  await world.sandbox.control(svcUid, 'tamper', odd);
  return svcUid;
}
const caseOf = (svcUid: string) => discrepancyOf(world, svcUid, 'needs_review');
const ODD_ID = { merchant_uid: '주문:1001' };
const refundable = { currency: 'KRW', status: 'refunded' };

test('O15 payments that the lists show and that cannot be read are cases with ids and amount as shown; the others are stored', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: fine } = await paySilently(world, merchantUid);
  const korean = await payOddly(newUid(), { merchant_uid: '주문:1001' });
  const path = await payOddly(newUid(), { merchant_uid: '../payments/cancel?x' });
  const long = await payOddly(newUid(), { merchant_uid: 'o'.repeat(300) });
  const fraction = await payOddly(await registerOrder(world), { amount: 10.5 });

  await reconcile(world);
  expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'paid' });
  expect(await caseOf(korean)).toMatchObject({
    merchant_uid: '주문:1001',
    actual: '1000 KRW paid; cannot be read: merchant_uid',
  });
  expect(await caseOf(path)).toMatchObject({ merchant_uid: '../payments/cancel?x' });
  expect(await caseOf(long)).toMatchObject({ merchant_uid: 'o'.repeat(300) });
  expect(await caseOf(fraction)).toMatchObject({ actual: '10.5 KRW paid; cannot be read: amount' });
  await reconcile(world);
  expect(await caseOf(korean)).toMatchObject({ times_seen: 2 });

  const { body } = await world.api('GET', '/api/payments?status=paid');
  expect(body.list).toMatchObject([{ svc_uid: fine }]);
  expect(new Set(body.unreadable)).toEqual(new Set([korean, path, long, fraction]));
});

test('O15 a payment that cannot be read is refunded by its svc_uid, also one whose amount has a fraction', async () => {
  const korean = await payOddly(newUid(), { merchant_uid: '주문:1001' });
  const fraction = await payOddly(await registerOrder(world), { amount: 10.5 });
  await reconcile(world);
  for (const [svcUid, amount] of [
    [korean, 1000n],
    [fraction, null],
  ] as const) {
    const { id } = await caseOf(svcUid);
    expect((await refundDiscrepancy(world, id)).body).toMatchObject({ outcome: 'refunded' });
    expect(await refundsOf(world, svcUid)).toMatchObject([
      { ...refundable, amount: amount === null ? null : String(amount) },
    ]);
    expect(await caseOf(svcUid)).toMatchObject({ resolution: 'refunded' });
  }
  expect(await world.sandbox.requests(CANCEL_PAYMENT)).toBe(2);
});

test('O15 a notification of a record that cannot be read is a case, and is recorded once the record can be read', async () => {
  const { notify, svcUid, order } = await payOrder(world);
  await world.sandbox.control(svcUid, 'tamper', { amount: 10.5 });
  expect(await notify()).toEqual(QUEUED);
  expect(await caseOf(svcUid)).toMatchObject({ resolved_at: null });
  await world.sandbox.control(svcUid, 'tamper', { amount: 1000 });
  expect(await notify()).toEqual(RECORDED);
  expect(await order()).toMatchObject({ status: 'paid' });
  expect(await caseOf(svcUid)).toMatchObject({ resolution: null, resolved_at: world.clock.now() });
});

test('O15 an id that no request can carry is a case that only the console of the service can refund', async () => {
  const odd = {
    [`${NAME_PREFIX}_uid`]: '../users',
    merchant_uid: '',
    amount: 1000,
    currency: 'KRW',
    status: 'paid',
  };
  const page = { code: 0, message: null, response: { total: 1, previous: 0, next: 0, list: [odd] } };
  await world.sandbox.fault({ endpoint: LIST_PAYMENTS, status: 200, body: page, times: 8 });
  await reconcile(world);
  await world.sandbox.clearFaults();
  const { id } = await caseOf('../users');
  expect(await codeOf(refundDiscrepancy(world, id))).toEqual([409, 'svc_uid_unusable']);
  const decision = { resolution: 'refunded', note: 'in the console' };
  expect((await world.api('POST', `/api/discrepancies/${id}/resolve`, decision)).status).toBe(200);
  expect(await world.sandbox.requests(CANCEL_PAYMENT)).toBe(0);
});

test('O15 an order is not charged beside a payment that cannot be read, until that is refunded', async () => {
  const merchantUid = await registerOrder(world);
  const { customerUid } = await registerKey(world);
  const svcUid = await payOddly(merchantUid, { amount: 10.5 });
  const charge = () => world.api('POST', `/api/orders/${merchantUid}/charge`, { customer_uid: customerUid });
  expect(await codeOf(charge())).toEqual([409, 'payment_not_judged']);
  expect(await world.sandbox.requests(CHARGE_KEY)).toBe(0);
  await refundDiscrepancy(world, (await caseOf(svcUid)).id);
  expect((await charge()).status).toBe(200);
});

test('O15 one odd record hides neither the other schedules nor the other billing keys', async () => {
  const { customerUid } = await registerKey(world);
  const key = { customer_uid: customerUid, card_name: 'BC' };
  const keys = { code: 0, message: null, response: [{ customer_uid: 'other card' }, key] };
  await world.sandbox.fault({ endpoint: FIND_KEYS, status: 200, body: keys });
  const found = await world.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}&customer_uid[]=lost`);
  expect(found.body).toMatchObject([
    { customer_uid: customerUid, code: 0 },
    { customer_uid: 'lost', code: 1, message: expect.stringContaining('customer_uid: other card') as string },
  ]);

  const schedule = {
    merchant_uid: 'o1',
    amount: 500,
    schedule_status: 'scheduled',
    schedule_at: 1_900_000_000,
  };
  const schedules = { code: 0, message: null, response: [{ ...schedule, merchant_uid: '주문:1' }, schedule] };
  await world.sandbox.fault({ endpoint: 'GET /subscribe/payments/schedule', status: 200, body: schedules });
  const listed = await world.api('GET', '/api/schedules?schedule_from=1&schedule_to=2000000000');
  expect(listed.body).toMatchObject([
    { merchant_uid: 'o1', amount: 500 },
    { merchant_uid: '주문:1', amount: null, unreadable: ['merchant_uid'] },
  ]);
});

/** From now on PostgreSQL refuses payments with this name, as a database of another encoding does. */
const refuseName = (name: string, sqlState?: string) =>
  refuse('payments', `new.record ->> 'name' = '${name}'`, sqlState);

test.each(['22P05', '22021', '22003', '23514'])(
  'O16 a notification whose payment PostgreSQL refuses for ever (%s) is a case and is not retried; others are recorded',
  async (sqlState) => {
    await refuseName('Café', sqlState);
    const merchantUid = await registerOrder(world);
    const { svc_uid: svcUid } = await paySilently(world, merchantUid, { name: 'Café' });
    const others = await Promise.all([payOrder(world), payOrder(world)]);
    const [refused, ...fine] = await Promise.all([
      sendNotification(world, svcUid, merchantUid),
      ...others.map(({ notify }) => notify()),
    ]);
    expect(refused).toEqual(QUEUED);
    expect(fine).toEqual([RECORDED, RECORDED]);
    expect(await caseOf(svcUid)).toMatchObject({ merchant_uid: merchantUid, actual: `SQLSTATE ${sqlState}` });
    const [row] = await world.rows.query('select * from notifications where svc_uid = $1', [svcUid]);
    expect(row).toMatchObject({ outcome: 'queued', reason: 'value_refused', next_attempt_at: null });
    await refundDiscrepancy(world, (await caseOf(svcUid)).id);
    expect(await refundsOf(world, svcUid)).toMatchObject([{ amount: '1000', status: 'refunded' }]);
  },
);

test('O16 a row of a reconciliation that PostgreSQL refuses does not stop the others, and is not tried at each run', async () => {
  await refuseName('Café');
  const { svc_uid: svcUid } = await paySilently(world, await registerOrder(world), { name: 'Café' });
  const merchantUid = await registerOrder(world);
  await paySilently(world, merchantUid);
  await reconcile(world);
  expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'paid' });
  expect(await caseOf(svcUid)).toMatchObject({ times_seen: 1, resolved_at: null });
  await reconcile(world);
  expect(await caseOf(svcUid)).toMatchObject({ times_seen: 1 });
});

test('O16 a charge whose payment PostgreSQL refuses is left to a person', async () => {
  await refuseName('Café');
  const { customerUid } = await registerKey(world);
  const merchantUid = await registerOrder(world, newUid(), { name: 'Café' });
  await world.api('POST', `/api/orders/${merchantUid}/charge`, { customer_uid: customerUid });
  const [row] = await world.rows.query('select status, reason from charges');
  expect(row).toEqual({ status: 'needs_review', reason: 'value_refused' });
});

test.each([
  ['that PostgreSQL then refuses', (svcUid: string) => refuse('payments', `new.svc_uid = '${svcUid}'`)],
  ['whose record can then not be read', (svcUid: string) => world.sandbox.control(svcUid, 'tamper', ODD_ID)],
])('O16 the refund of a payment %s has the outcome that the service shows', async (_, spoil) => {
  const { svc_uid: svcUid } = await world.sandbox.pay({
    merchant_uid: await registerOrder(world),
    amount: 1000,
  });
  await spoil(svcUid);
  const refund = { amount: 300, checksum: 1000, reason: 'broken' };
  const { body } = await world.api('POST', `/api/payments/${svcUid}/cancel`, refund);
  expect(body.outcome).toBe('cancelled');
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded', polls: 0 }]);
  expect(await caseOf(svcUid)).toMatchObject({ resolved_at: null });
});

test('O16 a removal that PostgreSQL refuses to store stays unfinished, says so, and stops no other', async () => {
  const member = createMemberBrowser(world);
  const { customerUid } = await registerKey(world, { memberId: await memberIdOf(member) });
  const form = await member.openRemoval();
  await refuse('events', `new.stream = 'card:${customerUid}'`);
  expect(await member.remove(form)).toMatchObject({ status: 303, location: '/cards' });
  expect((await member.get('/cards')).html).toContain('삭제를 마무리하고 있어요.');

  const other = await registerKey(world);
  await world.rows.query(`update billing_keys set status = 'removing' where customer_uid = $1`, [
    other.customerUid,
  ]);
  await world.runEveryMinute(600);
  expect(await keyOf(world, other.customerUid)).toMatchObject({ status: 'removed' });
  const line = { level: 40, customer_uid: customerUid, reason: 'value_refused' };
  expect(world.log.events('removal_unfinished')).toMatchObject([line]);
});

test.each(['22P05', '22001', '23514'])(
  'O16 a request with a value that PostgreSQL refuses (%s) is a 400, not an outage, and the log has the cause',
  async (sqlState) => {
    await refuse('orders', `new.name = 'Café'`, sqlState);
    const order = { merchant_uid: newUid(), name: 'Café', amount: 1000 };
    expect(await codeOf(world.api('POST', '/api/orders', order))).toEqual([400, 'value_refused']);
    expect(world.log.events('request_failed')).toMatchObject([{ err: { code: sqlState } }]);
  },
);
