// A person decides about a charge or a refund whose outcome no program could find, and the service must not contradict the decision.
// Nothing is paid or refunded twice.

import { codeOf } from '../../support/calls';
import { CANCEL_PAYMENT, discrepancyOf, refundDiscrepancy, refundsOf } from '../../support/discrepancies';
import {
  charge,
  chargesOf,
  discrepanciesOf,
  getOrder,
  newUid,
  paySilently,
  registerOrder,
} from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { CHARGE_KEY, FETCH_PAYMENT, FIND_PAYMENTS } from '../../support/sandbox-controls';
import { useOneKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

/** Until then the service may still show the outcome of a call. */
const TEN_MINUTES = 600;

const world = useWorld();
const key = useOneKey(world);
beforeEach(() => world.forgetJobs());
afterEach(() => world.sandbox.waitForNotifications());

/** With `lost_response` the service executed the call, with `reset` it did not. */
type LostBy = 'lost_response' | 'reset';
type Lost = { id: string; merchantUid: string; svcUid: string };

const chargeWithKey = (merchantUid: string) => charge(world, merchantUid, key.customerUid);
const lastCharge = async (merchantUid: string) =>
  (await chargesOf(world, merchantUid)).at(-1) as Record<string, unknown> & { id: string };
const refund = (svcUid: string, fields: Record<string, unknown>) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'cold', ...fields });
const refundPart = (svcUid: string) => refund(svcUid, { amount: 300, checksum: 1000 });

/** A charge whose answer was lost. */
async function loseCharge(kind: LostBy): Promise<Lost> {
  const merchantUid = await registerOrder(world);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind });
  expect((await world.withoutNotifications(() => chargeWithKey(merchantUid))).status).toBe(202);
  world.clock.advance(TEN_MINUTES);
  return { id: (await lastCharge(merchantUid)).id, merchantUid, svcUid: '' };
}

/** A refund of 300 of 1000 whose answer was lost. */
async function loseRefund(kind: LostBy): Promise<Lost> {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind });
  expect((await refundPart(svcUid)).status).toBe(202);
  world.clock.advance(TEN_MINUTES);
  const [row] = await refundsOf(world, svcUid);
  return { id: row?.id ?? '', merchantUid, svcUid };
}

const settle = (path: string, id: string, outcome: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `${path}/${id}/settle`, { outcome, note: 'seen in the console', ...fields });
const settleCharge = (id: string, outcome: string) => settle('/api/charges', id, outcome);
const settleRefund = (id: string, outcome: string) => settle('/api/refunds', id, outcome);

describe.each([
  {
    attempt: 'charge',
    lose: loseCharge,
    again: ({ merchantUid }: Lost) => chargeWithKey(merchantUid),
    happened: { outcome: 'paid', order: 'paid', cancelled: 0 },
    asked: FIND_PAYMENTS,
  },
  {
    attempt: 'refund',
    lose: loseRefund,
    again: ({ svcUid }: Lost) => refundPart(svcUid),
    happened: { outcome: 'refunded', order: 'partially_cancelled', cancelled: 300 },
    asked: FETCH_PAYMENT,
  },
])('a $attempt', ({ attempt, lose, again, happened, asked }) => {
  const path = `/api/${attempt}s`;
  const rowOf = async (id: string) =>
    (await world.rows.query(`select * from ${attempt}s where id::text = $1`, [id]))[0];

  async function expectContradicted(id: string, outcome: string) {
    expect(await codeOf(settle(path, id, outcome))).toEqual([409, 'service_contradicts']);
    expect(await rowOf(id)).toMatchObject({ status: 'unknown', settled_by: null });
  }

  test('that was not executed is recorded as such and can be made again', async () => {
    const lost = await lose('reset');
    expect((await again(lost)).body.error.code).toBe(`${attempt}_pending`);
    await expectContradicted(lost.id, happened.outcome);
    const { body } = await settle(path, lost.id, 'not_executed', { by: 'kim' });
    const settled = { status: 'not_executed', settled_by: 'kim', settle_note: 'seen in the console' };
    expect(body).toMatchObject({ id: lost.id, ...settled, resolved_at: world.clock.now().toISOString() });
    expect(world.log.events('decision').filter((line) => line['id'] === lost.id)).toMatchObject([
      { level: 30, decided: attempt, outcome: 'not_executed', by: 'kim' },
    ]);
    expect(world.log.text()).not.toContain('seen in the console');
    expect((await again(lost)).status).toBe(200);
    expect((await getOrder(world, lost.merchantUid)).payments).toHaveLength(1);
  });

  test('cannot be recorded as not executed while the service shows it; it is then recorded as executed and stored', async () => {
    const { id, merchantUid } = await lose('lost_response');
    await expectContradicted(id, 'not_executed');
    const settled = { status: happened.outcome, settled_by: 'api' };
    expect((await settle(path, id, happened.outcome)).body).toMatchObject({ id, ...settled });
    const books = { status: happened.order, payments: [{ cancel_amount: happened.cancelled }] };
    const order = await getOrder(world, merchantUid);
    expect(order).toMatchObject(books);
    // The due poll finds it decided.
    await world.advance(6);
    expect(await rowOf(id)).toMatchObject({ ...settled, svc_uid: order.payments[0].svc_uid, polls: 0 });
  });

  test('is not decided while the service does not answer', async () => {
    const { id } = await lose('reset');
    const before = await world.rows.books();
    for (const outcome of [happened.outcome, 'not_executed']) {
      await world.sandbox.fault({ endpoint: asked, kind: 'status', status: 503, times: 1 });
      expect(await codeOf(settle(path, id, outcome))).toEqual([503, 'service_unavailable']);
    }
    expect(await world.rows.books()).toBe(before);
  });

  test('that does not exist is not found, whatever its id looks like', async () => {
    for (const id of ['999999', 'abc', '9'.repeat(19), '%00'])
      expect(await codeOf(settle(path, id, 'not_executed'))).toEqual([404, `${attempt}_not_found`]);
  });

  test('is decided by one of two people at once, and every later decision is refused', async () => {
    const { id } = await lose('reset');
    const answers = await Promise.all(['kim', 'lee'].map((by) => settle(path, id, 'not_executed', { by })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers.find(({ status }) => status === 200)?.body.settled_by;
    expect(await codeOf(settle(path, id, happened.outcome))).toEqual([409, 'already_settled']);
    expect(await rowOf(id)).toMatchObject({ settled_by: winner });
  });
});

test('a charge is not paid by a payment of another origin', async () => {
  const { id, merchantUid } = await loseCharge('reset');
  const { svc_uid: svcUid } = await world.withoutNotifications(() =>
    world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 }),
  );
  expect(await codeOf(settleCharge(id, 'paid'))).toEqual([409, 'service_contradicts']);
  // It is stored anyway, so that the order cannot be charged again.
  expect((await settleCharge(id, 'not_executed')).status).toBe(200);
  expect((await getOrder(world, merchantUid)).payments).toMatchObject([{ svc_uid: svcUid }]);
  expect((await chargeWithKey(merchantUid)).body.error.code).toBe('order_not_payable');
});

test('M13 a charge that needs a person causes one warning and is in the lists', async () => {
  const merchantUid = await registerOrder(world);
  const setAmount = (amount: number) =>
    world.rows.query('update orders set amount = $2 where merchant_uid = $1', [merchantUid, amount]);
  await setAmount(999);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  // It cannot be fetched, so it is not trusted.
  expect((await world.withoutNotifications(() => chargeWithKey(merchantUid))).status).toBe(202);
  await setAmount(1000);
  await world.advance(6);
  const { id, ...row } = await lastCharge(merchantUid);
  expect(row).toMatchObject({ status: 'needs_review', reason: 'amount_mismatch' });
  expect(world.log.events('needs_review').filter((line) => line['id'] === id)).toMatchObject([
    { level: 40, attempt: 'charge', reason: 'amount_mismatch' },
  ]);
  const { list } = (await world.api('GET', '/api/charges?needs_person=true')).body;
  expect(list.map((each: { id: string }) => each.id)).toContain(id);
  expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'open', payments: [] });
  expect((await chargeWithKey(merchantUid)).body.error.code).toBe('charge_needs_review');

  // No outcome is accepted while its payment holds money; after the refund no money was taken.
  for (const outcome of ['paid', 'not_executed'])
    expect(await codeOf(settleCharge(id, outcome))).toEqual([409, 'service_contradicts']);
  const discrepancy = await discrepancyOf(world, String(row['svc_uid']), 'amount_mismatch');
  expect((await refundDiscrepancy(world, discrepancy.id)).body.outcome).toBe('refunded');
  expect((await settleCharge(id, 'not_executed')).status).toBe(200);
  expect((await chargeWithKey(merchantUid)).body.outcome).toBe('paid');
});

/** A charge that the service carries out in an hour. Returns its id. */
async function plan(merchantUid: string): Promise<string> {
  const schedule_at = Math.floor(world.clock.nowMs() / 1000) + 3600;
  const planned = { merchant_uid: merchantUid, name: 'Tea', amount: 1000, schedule_at };
  await world.api('POST', '/api/schedules', { customer_uid: key.customerUid, ...planned });
  return (await lastCharge(merchantUid)).id;
}

test('a scheduled charge cannot be decided, and its order stays blocked while the service holds the schedule', async () => {
  const merchantUid = newUid();
  const id = await plan(merchantUid);
  const scheduled = await expectNoEffect(world, () => codeOf(settleCharge(id, 'not_executed')));
  expect(scheduled).toEqual([409, 'order_scheduled']);

  await world.rows.query(`update charges set status = 'needs_review' where id = $1`, [id]);
  const held = await settleCharge(id, 'not_executed');
  expect([held.status, held.body.error.code]).toEqual([409, 'service_contradicts']);
  expect(held.body.error.message).toContain(`holds a schedule for the order ${merchantUid}`);
});

test('a charge with the card of another member is recorded neither as paid nor as not executed', async () => {
  const { id, merchantUid } = await loseCharge('lost_response');
  await world.rows.query(`update orders set member_id = 'another' where merchant_uid = $1`, [merchantUid]);
  const { status, body } = await settleCharge(id, 'paid');
  const message = expect.stringContaining('It does not pay for the order');
  expect([status, body.error]).toMatchObject([409, { code: 'service_contradicts', message }]);
  expect(await codeOf(settleCharge(id, 'not_executed'))).toEqual([409, 'service_contradicts']);
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([{ kind: 'foreign_billing_key' }]);
});

/** A charge that a person has to decide about, and a payment with money that only its number leads to. */
async function payBeside() {
  const { id, merchantUid } = await loseCharge('reset');
  const { svc_uid: svcUid } = await paySilently(world, newUid());
  return { id, merchantUid, svcUid };
}

test('a charge is not recorded as not executed while a payment that may be its own holds money', async () => {
  const unreadable = await payBeside();
  const record = {
    abc_uid: unreadable.svcUid,
    merchant_uid: unreadable.merchantUid,
    status: 'paid',
    amount: 'x',
  };
  const response = { total: 1, previous: 0, next: 0, list: [record] };
  const body = { code: 0, message: null, response };
  await world.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'status', status: 200, body, times: 1 });
  expect(await codeOf(settleCharge(unreadable.id, 'not_executed'))).toEqual([409, 'service_contradicts']);

  const named = await payBeside();
  await world.rows.query('update charges set svc_uid = $2 where id = $1', [named.id, named.svcUid]);
  expect(await codeOf(settleCharge(named.id, 'not_executed'))).toEqual([409, 'service_contradicts']);
});

test('an executed schedule speaks for its own charge, also if the service does not list the payment', async () => {
  const merchantUid = newUid();
  const id = await plan(merchantUid);
  await world.withoutNotifications(async () => {
    world.clock.advance(3600 + TEN_MINUTES);
    await world.sandbox.advance(0);
  });
  await world.rows.query(`update charges set status = 'needs_review' where id = $1`, [id]);
  const settleUnlisted = async (of: string) => {
    await world.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'status', status: 404, times: 1 });
    return settleCharge(of, 'not_executed');
  };
  expect((await settleUnlisted(id)).body.error?.code).toBe('service_contradicts');
  // The schedule of another charge of the order.
  await world.rows.query(`update charges set id = 'of-later' where id = $1`, [id]);
  expect((await settleUnlisted('of-later')).status).toBe(200);
});

test('after a cancellation of another amount a person decides, and refunds continue', async () => {
  const { id, merchantUid, svcUid } = await loseRefund('reset');
  const cancelInConsole = (amount: number) =>
    world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel', { amount }));
  await cancelInConsole(200);
  await world.advance(6);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'needs_review' }]);
  expect((await refund(svcUid, {})).body.error.code).toBe('refund_needs_review');
  expect(await codeOf(settleRefund(id, 'refunded'))).toEqual([409, 'service_contradicts']);
  await cancelInConsole(150);
  // 350 instead of 300 are cancelled: only a person can decide.
  expect((await settleRefund(id, 'refunded')).status).toBe(200);
  expect((await refund(svcUid, { amount: 100, checksum: 650 })).status).toBe(200);
  expect((await getOrder(world, merchantUid)).payments).toMatchObject([{ cancel_amount: 450 }]);

  const other = await loseRefund('reset');
  await world.withoutNotifications(() => world.sandbox.control(other.svcUid, 'cancel', { amount: 350 }));
  expect((await settleRefund(other.id, 'not_executed')).status).toBe(200);
});
