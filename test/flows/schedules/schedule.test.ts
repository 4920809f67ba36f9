// A payment is scheduled with a stored key. The service makes it at its time, unless it was revoked before.

import { codeOf } from '../../support/call-api';
import { CARD_THAT_FAILS } from '../../support/cards';
import { CHARGE_KEY } from '../../support/endpoints';
import { eventually } from '../../support/eventually';
import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { charge, chargesOf, getOrder, orderStatus } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const SCHEDULE = 'POST /subscribe/payments/schedule';
const UNSCHEDULE = 'POST /subscribe/payments/unschedule';
const HOUR = 3600;

const world = useWorld();
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});
// The notification of a payment may come after its answer; it must not change the rows of the next test.
afterEach(() => world.sandbox.waitForNotifications());

const inSeconds = (seconds: number) => Math.floor(world.clock.now().getTime() / 1000) + seconds;
const schedule = (merchant_uid: string, changes: Record<string, unknown> = {}) => {
  const entry = { merchant_uid, schedule_at: inSeconds(HOUR), amount: 1000, name: 'Tea of the month' };
  return world.api('POST', '/api/schedules', { customer_uid: key.customerUid, ...entry, ...changes });
};
const plan = (changes: Record<string, unknown>) => schedule('schedule-refused', changes);
const revoke = (body: Record<string, unknown>) =>
  world.api('POST', '/api/schedules/revoke', { customer_uid: key.customerUid, ...body });

const planned = async (merchantUid: string) => (await chargesOf(world, merchantUid)).at(-1);

test('a planned payment is made by the service at its time, and its notification finds the order', async () => {
  const at = inSeconds(HOUR);
  const entry = { merchant_uid: 'schedule-paid', schedule_at: at, amount: 1000, name: 'Tea of the month' };
  const shown = { ...entry, customer_uid: key.customerUid, currency: 'KRW' };
  const body = { outcome: 'scheduled', schedules: [shown] };
  expect(await schedule('schedule-paid', entry)).toEqual({ status: 201, body });
  expect(await planned('schedule-paid')).toMatchObject({ kind: 'schedule', status: 'scheduled' });
  await world.advance(HOUR - 1);
  expect(await orderStatus(world, 'schedule-paid')).toBe('open');
  await world.advance(1);
  const order = await getOrder(world, 'schedule-paid');
  const payment = { status: 'paid', customer_uid: key.customerUid };
  expect(order).toMatchObject({ status: 'paid', payments: [payment] });
  await world.runEveryMinute(60);
  const { svc_uid } = order.payments[0];
  expect(await planned('schedule-paid')).toMatchObject({ status: 'paid', svc_uid });
});

test('several are planned at once, all or none', async () => {
  const scheduleBoth = (...uids: string[]) => {
    const entry = { schedule_at: inSeconds(HOUR), amount: 500, name: 'Tea' };
    const schedules = uids.map((merchant_uid) => ({ merchant_uid, ...entry }));
    return world.api('POST', '/api/schedules', { customer_uid: key.customerUid, schedules });
  };
  const both = await scheduleBoth('schedule-a', 'schedule-b');
  expect([both.status, both.body.schedules.length]).toEqual([201, 2]);
  const calls = await world.sandbox.requestsDuring(SCHEDULE, async () => {
    const clash = await scheduleBoth('schedule-c', 'schedule-b');
    expect([clash.status, clash.body.error.code]).toEqual([409, 'order_scheduled']);
    expect(clash.body.error.message).toContain('schedule-b');
  });
  expect(calls).toBe(0);
  expect(await chargesOf(world, 'schedule-c')).toEqual([]);
});

test('a planned payment that fails leaves its order not paid, visible, and payable', async () => {
  const failing = await registerKey(world, { card_number: CARD_THAT_FAILS });
  await schedule('schedule-fails', { customer_uid: failing.customerUid, schedule_at: inSeconds(60) });
  await world.advance(60);
  const payments = [{ status: 'failed', fail_reason: expect.stringContaining('거절') }];
  expect(await getOrder(world, 'schedule-fails')).toMatchObject({ status: 'failed', payments });
  // At once, also before the schedule itself has been polled.
  const charged = await charge(world, 'schedule-fails', key.customerUid);
  expect([charged.status, charged.body.order.status]).toEqual([200, 'paid']);
  expect(await chargesOf(world, 'schedule-fails')).toMatchObject([{ status: 'failed' }, { status: 'paid' }]);
});

test('while a payment is planned the order cannot be charged, and after its revocation it can', async () => {
  await schedule('schedule-blocked');
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, async () => {
    const blocked = codeOf(charge(world, 'schedule-blocked', key.customerUid));
    expect(await blocked).toEqual([409, 'order_scheduled']);
  });
  expect(calls).toBe(0);

  const revoked = await revoke({ merchant_uid: 'schedule-blocked' });
  expect([revoked.status, revoked.body.outcome]).toEqual([200, 'revoked']);
  expect(revoked.body.schedules).toMatchObject([{ merchant_uid: 'schedule-blocked', amount: 1000 }]);
  expect(await chargesOf(world, 'schedule-blocked')).toMatchObject([{ status: 'revoked' }]);
  expect((await charge(world, 'schedule-blocked', key.customerUid)).status).toBe(200);
  await world.advance(HOUR);
  expect((await getOrder(world, 'schedule-blocked')).payments).toHaveLength(1);
});

test('a lost answer to a plan is looked up: planned once, and executed once, also where its notification is lost', async () => {
  await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'lost_response' });
  // Masked in the records by which it is found.
  const custom_data = { at: 1763740800000, text: 'x'.repeat(1800) };
  const { status, body } = await schedule('schedule-lost', { custom_data });
  expect([status, body.outcome]).toEqual([202, 'unknown']);
  expect((await schedule('schedule-lost')).body.error.code).toBe('charge_pending');
  await world.advance(6);
  expect(await planned('schedule-lost')).toMatchObject({ status: 'scheduled' });
  await world.withoutNotifications(() => world.advance(HOUR));
  expect(await orderStatus(world, 'schedule-lost')).toBe('open');
  await world.runEveryMinute(60);
  const paid = { status: 'paid', payments: [{ status: 'paid' }] };
  expect(await getOrder(world, 'schedule-lost')).toMatchObject(paid);
});

test('a lost answer to a revocation is looked up, and revoking again does no harm', async () => {
  await schedule('schedule-revoke-lost', { schedule_at: inSeconds(10 * HOUR) });
  await world.sandbox.fault({ endpoint: UNSCHEDULE, kind: 'lost_response' });
  const lost = await revoke({ merchant_uid: ['schedule-revoke-lost'] });
  expect([lost.status, lost.body]).toEqual([202, { outcome: 'unknown', schedules: [] }]);
  await world.advance(6);
  expect(await planned('schedule-revoke-lost')).toMatchObject({ status: 'revoked' });
  const again = codeOf(revoke({ merchant_uid: 'schedule-revoke-lost' }));
  expect(await again).toEqual([409, 'nothing_revoked']);
});

test('a revocation after which the database is away is asked for when it is back', async () => {
  await schedule('schedule-revoke-unwritten', { schedule_at: inSeconds(10 * HOUR) });
  await world.sandbox.fault({ endpoint: UNSCHEDULE, times: 1, kind: 'delay', delay_ms: 3000 });
  const before = await world.sandbox.requests(UNSCHEDULE);
  const answer = revoke({ merchant_uid: 'schedule-revoke-unwritten' });
  await eventually(async () => (await world.sandbox.requests(UNSCHEDULE)) > before);
  expect((await world.withoutDatabase(() => answer)).status).toBe(200);
  expect(await chargesOf(world, 'schedule-revoke-unwritten')).toMatchObject([{ status: 'scheduled' }]);
  await world.advance(6);
  expect(await chargesOf(world, 'schedule-revoke-unwritten')).toMatchObject([{ status: 'revoked' }]);
});

test('without merchant_uid every plan of the key is revoked', async () => {
  const other = await registerKey(world);
  const own = { customer_uid: other.customerUid };
  await schedule('schedule-all-1', own);
  await schedule('schedule-all-2', own);
  const { body } = await revoke(own);
  const revoked = body.schedules.map(({ merchant_uid }: { merchant_uid: string }) => merchant_uid);
  expect(revoked).toEqual(['schedule-all-1', 'schedule-all-2']);
});

test('a time that is past by the service’s clock is refused with its message', async () => {
  const { status, body } = await schedule('schedule-past', { schedule_at: inSeconds(-60) });
  expect([status, body.error.code]).toEqual([400, 'schedule_refused']);
  expect(body.error.message).toContain('not in the future');
  expect(await planned('schedule-past')).toMatchObject({ status: 'refused' });
});

test.each([
  ['planning', 'an unknown key', plan, { customer_uid: 'cust-none' }, 404, 'billing_key_not_found'],
  ['revoking', 'an unknown key', revoke, { customer_uid: 'cust-none' }, 404, 'billing_key_not_found'],
  ['revoking', 'an empty list', revoke, { merchant_uid: [] }, 400, 'invalid_request'],
])('%s with %s is refused, registers nothing and sends nothing', async (_, __, ask, fields, status, code) => {
  const answer = await expectNoEffect(world, () => codeOf(ask(fields)));
  expect(answer).toEqual([status, code]);
});

test('a key plans only for its own member', async () => {
  const answer = await codeOf(schedule('schedule-foreign', { member_id: 'somebody-else' }));
  expect(answer).toEqual([403, 'foreign_billing_key']);
});
