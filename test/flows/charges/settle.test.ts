// A person says what became of a charge, where no program could find out, and the payments at the service are asked
// whether it can be true. Nobody pays twice by it.

import { codeOf } from '../../support/call-api';
import { discrepancyOf } from '../../support/discrepancies';
import { CHARGE_KEY, FETCH_PAYMENT, FIND_PAYMENTS } from '../../support/endpoints';
import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { charge, chargesOf, getOrder, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

/** Until then the service may still show what became of a call. */
const TEN_MINUTES = 600;

const world = useWorld();
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});
beforeEach(() => world.forgetJobs());
afterEach(async () => {
  await world.sandbox.clearFaults();
  await world.sandbox.waitForNotifications();
});

const settle = (id: string, outcome: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/charges/${id}/settle`, { outcome, note: 'seen in the console', ...fields });
const chargeOf = async (merchantUid: string) => {
  const rows = await chargesOf(world, merchantUid);
  return rows.at(-1) as Record<string, unknown> & { id: string };
};

/** A charge whose answer was lost: with `lost_response` the service took the money, with `reset` it never did. */
async function lostCharge(merchantUid: string, kind: 'lost_response' | 'reset') {
  await registerOrder(world, merchantUid);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind });
  const answer = await world.withoutNotifications(() => charge(world, merchantUid, key.customerUid));
  expect(answer.status).toBe(202);
  world.clock.advance(TEN_MINUTES);
  return chargeOf(merchantUid);
}

/** A charge whose payment is of another amount than its order. */
async function mismatchedCharge(merchantUid: string) {
  await registerOrder(world, merchantUid);
  await world.rows.query('update orders set amount = 999 where merchant_uid = $1', [merchantUid]);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  await world.withoutNotifications(() => charge(world, merchantUid, key.customerUid));
  await world.rows.query('update orders set amount = 1000 where merchant_uid = $1', [merchantUid]);
  await world.advance(6);
  const row = await chargeOf(merchantUid);
  expect(row).toMatchObject({ status: 'needs_review', reason: 'amount_mismatch' });
  return row;
}

test('a charge that never happened is settled as not executed, and the order can be charged again', async () => {
  const { id } = await lostCharge('settle-none', 'reset');
  expect((await charge(world, 'settle-none', key.customerUid)).body.error.code).toBe('charge_pending');
  const sent = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    const { status, body } = await settle(id, 'not_executed', { by: 'kim' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      merchant_uid: 'settle-none',
      status: 'not_executed',
      settled_by: 'kim',
      settle_note: 'seen in the console',
      resolved_at: world.clock.now().toISOString(),
    });
  });
  expect(sent).toBe(0);
  expect(await orderStatus(world, 'settle-none')).toBe('open');
  expect(world.log.events('decision').filter((line) => line['id'] === id)).toMatchObject([
    { level: 30, decided: 'charge', merchant_uid: 'settle-none', outcome: 'not_executed', by: 'kim' },
  ]);
  expect(world.log.text()).not.toContain('seen in the console');
  expect((await charge(world, 'settle-none', key.customerUid)).body.outcome).toBe('paid');
  expect((await getOrder(world, 'settle-none')).payments).toHaveLength(1);
});

test('a charge whose answer was just lost is left to the polls: the service may still carry it out', async () => {
  const { id } = await lostCharge('settle-fresh', 'reset');
  world.clock.advance(-1);
  for (const outcome of ['paid', 'not_executed'])
    expect(await expectNoEffect(world, () => codeOf(settle(id, outcome)))).toEqual([409, 'attempt_pending']);
  world.clock.advance(1);
  expect((await settle(id, 'not_executed')).status).toBe(200);
});

test('a charge that took the money is settled as paid, and the order with it', async () => {
  const { id } = await lostCharge('settle-paid', 'lost_response');
  expect(await orderStatus(world, 'settle-paid')).toBe('open');
  expect((await settle(id, 'paid')).body).toMatchObject({ status: 'paid', settled_by: 'api' });
  const { status, payments } = await getOrder(world, 'settle-paid');
  expect([status, payments.length]).toEqual(['paid', 1]);
  expect(await chargeOf('settle-paid')).toMatchObject({ svc_uid: payments[0].svc_uid });
  // The poll that was due finds it settled.
  const calls = await world.sandbox.requestsDuring(FIND_PAYMENTS, () => world.advance(6));
  expect(calls).toBe(0);
  expect(await chargeOf('settle-paid')).toMatchObject({ settled_by: 'api', polls: 0 });
});

test('paid is refused where the service shows no payment of the charge', async () => {
  const { id } = await lostCharge('settle-unpaid', 'reset');
  const { status, body } = await settle(id, 'paid');
  expect([status, body.error]).toEqual([
    409,
    {
      code: 'service_contradicts',
      message: 'The payment service shows no payment of this charge that holds money.',
    },
  ]);
  expect(await chargeOf('settle-unpaid')).toMatchObject({ status: 'unknown', settled_by: null });
});

test('a payment that does not come from the charge does not make it paid', async () => {
  const { id } = await lostCharge('settle-window', 'reset');
  const { svc_uid: svcUid } = await world.withoutNotifications(() =>
    world.sandbox.pay({ merchant_uid: 'settle-window', amount: 1000 }),
  );
  expect(await codeOf(settle(id, 'paid'))).toEqual([409, 'service_contradicts']);
  // It is stored all the same, so that the order cannot be charged again.
  expect((await settle(id, 'not_executed')).status).toBe(200);
  expect((await getOrder(world, 'settle-window')).payments).toMatchObject([{ svc_uid: svcUid }]);
  expect((await charge(world, 'settle-window', key.customerUid)).body.error.code).toBe('order_not_payable');
});

test('not executed is refused while the service shows money of the charge', async () => {
  const { id } = await lostCharge('settle-held', 'lost_response');
  const { status, body } = await settle(id, 'not_executed');
  expect([status, body.error.code]).toEqual([409, 'service_contradicts']);
  expect(body.error.message).toMatch(/^The payment service shows abc_\d+ as paid: it holds 1000 KRW\.$/);
  expect(await chargeOf('settle-held')).toMatchObject({ status: 'unknown', settled_by: null });
});

test('a payment of another amount keeps its charge until the money went back; then the order can be charged', async () => {
  const { id, svc_uid: svcUid } = await mismatchedCharge('settle-amount');
  const paid = await settle(id, 'paid');
  expect(paid.body.error.code).toBe('service_contradicts');
  expect(paid.body.error.message).toContain('It does not pay for the order');
  expect(await codeOf(settle(id, 'not_executed'))).toEqual([409, 'service_contradicts']);

  const discrepancy = await discrepancyOf(world, String(svcUid), 'amount_mismatch');
  const path = `/api/discrepancies/${discrepancy.id}/refund`;
  expect((await world.api('POST', path, { reason: 'another amount' })).body.outcome).toBe('refunded');
  expect((await settle(id, 'not_executed')).status).toBe(200);
  expect((await charge(world, 'settle-amount', key.customerUid)).body.outcome).toBe('paid');
});

test('a payment with another member’s key keeps its charge until the money went back', async () => {
  const { id } = await lostCharge('settle-foreign', 'lost_response');
  await world.rows.query(
    `update orders set member_id = 'somebody-else' where merchant_uid = 'settle-foreign'`,
  );
  expect(await codeOf(settle(id, 'paid'))).toEqual([409, 'service_contradicts']);
  expect(await codeOf(settle(id, 'not_executed'))).toEqual([409, 'service_contradicts']);
  const { payments } = await getOrder(world, 'settle-foreign');
  expect(payments).toMatchObject([{ counted: false }]);

  const discrepancy = await discrepancyOf(world, payments[0].svc_uid, 'foreign_billing_key');
  const path = `/api/discrepancies/${discrepancy.id}/refund`;
  expect((await world.api('POST', path, { reason: 'another member' })).body.outcome).toBe('refunded');
  expect((await settle(id, 'not_executed')).status).toBe(200);
  expect(await orderStatus(world, 'settle-foreign')).toBe('open');
});

test('where the service cannot be asked, nothing is settled', async () => {
  const { id } = await lostCharge('settle-down', 'reset');
  const before = await world.rows.books();
  for (const outcome of ['paid', 'not_executed']) {
    await world.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'status', status: 503, times: 1 });
    expect(await codeOf(settle(id, outcome))).toEqual([503, 'service_unavailable']);
  }
  expect(await world.rows.books()).toBe(before);
});

test('of two people who decide at once the second is told; so is everybody afterwards', async () => {
  const { id } = await lostCharge('settle-both', 'reset');
  const answers = await Promise.all(['kim', 'lee'].map((by) => settle(id, 'not_executed', { by })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const winner = answers.find(({ status }) => status === 200)?.body.settled_by;
  expect(await codeOf(settle(id, 'not_executed'))).toEqual([409, 'already_settled']);
  expect(await chargeOf('settle-both')).toMatchObject({ settled_by: winner });
});

test('a charge whose call is under way is not for a person to settle', async () => {
  await registerOrder(world, 'settle-pending');
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at)
     values ('settlepending', 'settle-pending', 'again', $1, 'pending', $2)`,
    [key.customerUid, world.clock.now()],
  );
  const answer = await expectNoEffect(world, () => settle('settlepending', 'not_executed'));
  expect([answer.status, answer.body.error.code]).toEqual([409, 'attempt_pending']);
});

test('a scheduled charge is revoked, not settled; and while the service holds its schedule no person frees the order', async () => {
  const schedule = {
    customer_uid: key.customerUid,
    merchant_uid: 'settle-schedule',
    name: 'Tea',
    amount: 1000,
    schedule_at: Math.floor(world.clock.nowMs() / 1000) + 3600,
  };
  expect((await world.api('POST', '/api/schedules', schedule)).status).toBe(201);
  const { id } = await chargeOf('settle-schedule');
  const scheduled = await expectNoEffect(world, () => settle(id, 'not_executed'));
  expect([scheduled.status, scheduled.body.error.code]).toEqual([409, 'order_scheduled']);

  await world.rows.query(`update charges set status = 'needs_review' where id = $1`, [id]);
  const held = await settle(id, 'not_executed');
  expect([held.status, held.body.error.code]).toEqual([409, 'service_contradicts']);
  expect(held.body.error.message).toContain('holds a schedule for the order settle-schedule');

  await world.sandbox.advance(3700);
  await world.sandbox.waitForNotifications();
  expect((await settle(id, 'paid')).body).toMatchObject({ status: 'paid' });
  expect(await orderStatus(world, 'settle-schedule')).toBe('paid');
});

test.each([
  ['without a note', { note: undefined }],
  ['with an empty note', { note: ' ' }],
  ['with a note of 501 characters', { note: 'x'.repeat(501) }],
  ['with an unknown outcome', { outcome: 'refunded' }],
  ['with a field that nothing reads', { force: true }],
])('a decision %s is refused', async (_, fields) => {
  const { id } = await lostCharge(`settle-bad-${_.replace(/\W/g, '')}`.slice(0, 40), 'reset');
  const before = await world.rows.books();
  expect(await codeOf(settle(id, 'not_executed', fields))).toEqual([400, 'invalid_request']);
  expect(await world.rows.books()).toBe(before);
});

test.each(['abcdefgh', '1', 'a%20b', 'x'.repeat(40)])('no charge has the id %s: 404', async (id) => {
  expect(await codeOf(expectNoEffect(world, () => settle(id, 'paid')))).toEqual([404, 'charge_not_found']);
});

test('M13 a charge that only a person can settle is one warning, and the lists show it', async () => {
  const { id } = await mismatchedCharge('settle-m13');
  expect(world.log.events('needs_review').filter((line) => line['id'] === id)).toMatchObject([
    { level: 40, attempt: 'charge', reason: 'amount_mismatch' },
  ]);
  const { list } = (await world.api('GET', '/api/charges?needs_person=true')).body;
  expect(list.map((each: { id: string }) => each.id)).toContain(id);
  const others = (await world.api('GET', '/api/charges?needs_person=false&limit=1000')).body.list;
  expect(others.map((each: { status: string }) => each.status)).not.toContain('needs_review');
});

test('charges are listed newest first, every one once, page by page, with filters', async () => {
  const all: any[] = (await world.api('GET', '/api/charges?limit=1000')).body.list;
  const times = all.map(({ started_at }) => Date.parse(started_at));
  expect(times).toEqual([...times].sort((one, other) => other - one));
  expect(all.length).toBeGreaterThan(4);
  const seen: string[] = [];
  for (let after = ''; ;) {
    const { body } = await world.api('GET', `/api/charges?limit=2${after}`);
    seen.push(...body.list.map(({ id }: { id: string }) => id));
    if (body.next === null) break;
    after = `&after=${body.next}`;
  }
  expect(seen).toEqual(all.map(({ id }) => id));
  const list = async (query: string) =>
    (await world.api('GET', `/api/charges?${query}`)).body.list.map((each: any) => each.merchant_uid);
  expect(await list('merchant_uid=settle-paid')).toEqual(['settle-paid']);
  expect(await list('merchant_uid=settle-paid&status=failed')).toEqual([]);
  expect(await list('merchant_uid=settle-paid&needs_person=true')).toEqual([]);
  expect(await list(`customer_uid=${key.customerUid}&limit=1000`)).toHaveLength(all.length);
  expect(await list('customer_uid=nobody')).toEqual([]);
  const { svc_uid: svcUid } = await chargeOf('settle-paid');
  expect(await list(`svc_uid=${String(svcUid)}`)).toEqual(['settle-paid']);
  expect((await world.api('GET', '/api/charges?after=5')).status).toBe(400);
});
