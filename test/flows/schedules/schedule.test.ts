// A payment is scheduled with a stored key. The service makes it at its time, unless it was revoked before.

import { connect } from 'node:net';
import { findKey } from '../../../src/merchant/core/billing-keys/billing-key-store';
import { startRemoval } from '../../../src/merchant/core/billing-keys/removal-store';
import { insertCharges } from '../../../src/merchant/core/charges/charge-store';
import { schedulePayments } from '../../../src/merchant/core/schedules/schedule-payments';
import { closeContext, type Context } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { codeOf } from '../../support/calls';
import { CARD_THAT_FAILS } from '../../support/cards';
import { listenInFront } from '../../support/database-proxies';
import { eventually } from '../../support/eventually';
import { keyOf, memberIdOf, registerKey } from '../../support/keys';
import { charge, chargesOf, getOrder, orderStatus, registerOrder } from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { CHARGE_KEY } from '../../support/sandbox-controls';
import { useOneKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
const SCHEDULE = 'POST /subscribe/payments/schedule';
const UNSCHEDULE = 'POST /subscribe/payments/unschedule';
const HOUR = 3600;

const world = useWorld();
const key = useOneKey(world);
// The notification of a payment may arrive after its answer; it must not change the rows of the next test.
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

test('a scheduled payment is made by the service at its time, and its notification pays the order', async () => {
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

test('several payments are scheduled at once, all or none', async () => {
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

test('a scheduled payment that fails leaves its order payable, with the failure shown', async () => {
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

test('an order cannot be charged while a payment is scheduled, and can be after its revocation', async () => {
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

test('a lost answer to a schedule is polled for: it is scheduled and executed once, also if its notification is lost', async () => {
  await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'lost_response' });
  // The records by which it is found are masked.
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

test('a revocation that could not be stored is polled for when the database is back', async () => {
  await schedule('schedule-revoke-unwritten', { schedule_at: inSeconds(10 * HOUR) });
  await world.sandbox.fault({ endpoint: UNSCHEDULE, times: 1, kind: 'delay', delay_ms: 3000 });
  const before = await world.sandbox.requests(UNSCHEDULE);
  const answer = revoke({ merchant_uid: 'schedule-revoke-unwritten' });
  await eventually(async () => (await world.sandbox.requests(UNSCHEDULE)) > before);
  expect((await world.withoutDatabase(() => answer)).status).toBe(200);
  expect(await chargesOf(world, 'schedule-revoke-unwritten')).toMatchObject([{ status: 'scheduled' }]);
  await world.advance(6);
  expect(await chargesOf(world, 'schedule-revoke-unwritten')).toMatchObject([{ status: 'revoked' }]);
  expect(await codeOf(revoke({ merchant_uid: 'schedule-revoke-unwritten' }))).toEqual([
    409,
    'nothing_revoked',
  ]);
});

test('without merchant_uid every schedule of the key is revoked', async () => {
  const other = await registerKey(world);
  const own = { customer_uid: other.customerUid };
  await schedule('schedule-all-1', own);
  await schedule('schedule-all-2', own);
  const { body } = await revoke(own);
  const revoked = body.schedules.map(({ merchant_uid }: { merchant_uid: string }) => merchant_uid);
  expect(revoked).toEqual(['schedule-all-1', 'schedule-all-2']);
});

test('a time in the past of the service’s clock is refused with its message', async () => {
  const { status, body } = await schedule('schedule-past', { schedule_at: inSeconds(-60) });
  expect([status, body.error.code]).toEqual([400, 'schedule_refused']);
  expect(body.error.message).toContain('not in the future');
  expect(await planned('schedule-past')).toMatchObject({ status: 'refused' });
});

test.each([
  ['planning', 'an unknown key', plan, { customer_uid: 'cust-none' }, 404, 'billing_key_not_found'],
  ['revoking', 'an unknown key', revoke, { customer_uid: 'cust-none' }, 404, 'billing_key_not_found'],
])('%s with %s is refused, registers nothing and sends nothing', async (_, __, ask, fields, status, code) => {
  const answer = await expectNoEffect(world, () => codeOf(ask(fields)));
  expect(answer).toEqual([status, code]);
});

test('a key can be scheduled only for its own member', async () => {
  const answer = await codeOf(schedule('schedule-foreign', { member_id: 'other' }));
  expect(answer).toEqual([403, 'foreign_billing_key']);
});

/** A connection to the service on which nothing arrives before `release`. */
async function startHeldLine() {
  const { port, hostname } = new URL(world.sandbox.url);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const { url, close } = await listenInFront(world.sandbox.url, (client) => {
    client.on('error', () => undefined);
    void released.then(() => {
      const upstream = connect(Number(port), hostname).on('error', () => undefined);
      client.pipe(upstream).pipe(client);
    });
  });
  return { url: new URL(url).origin, release, close };
}

// A schedule remains after the deletion of its key and fails at its time (§4.9), so none may be left.
describe('where a card is removed while a payment is being scheduled with it', () => {
  let member: MemberBrowser;
  let customerUid: string;
  /** Another process; calls of `held` arrive at the service only after `release`. */
  let other: Context;
  let held: Context;
  let line: Awaited<ReturnType<typeof startHeldLine>>;
  beforeEach(async () => {
    member = createMemberBrowser(world);
    ({ customerUid } = await registerKey(world, { memberId: await memberIdOf(member) }));
    line = await startHeldLine();
    other = world.context();
    held = openContext(world, { environment: { SERVICE_BASE_URL: line.url } });
    // Its call takes as long as the test, even if an hour passes meanwhile.
    held.clock.monotonicMs = () => performance.now();
  });
  afterEach(async () => {
    // A failed test has not released it, and waiting calls would keep it open.
    line.release();
    await line.close();
    await closeContext(held);
  });

  function scheduleIn(context: Context, merchantUid: string) {
    const order = { merchantUid, name: 'Tea of the month', amount: 1000, currency: 'KRW', memberId: null };
    const scheduleAt = new Date(context.clock.now().getTime() + HOUR * 1000);
    return schedulePayments(context, { customerUid, payments: [{ order, scheduleAt }] });
  }

  /** Begins to schedule on the held connection; the row is written. */
  async function beginToSchedule(merchantUid: string) {
    const scheduling = scheduleIn(held, merchantUid);
    await eventually(async () => (await chargesOf(world, merchantUid)).length === 1);
    return { scheduling };
  }
  const keyStatus = async () => (await keyOf(world, customerUid))?.['status'];

  test('a key is not deleted while a schedule with it is being sent: it is deactivated, and deleted after the revocation', async () => {
    const { scheduling } = await beginToSchedule('on-its-way');
    const deletions = await world.sandbox.requestsDuring(DELETE_KEY, async () => {
      expect((await member.remove(await member.openRemoval())).status).toBe(303);
    });
    expect(deletions).toBe(0);
    expect(await keyStatus()).toBe('removing');

    line.release();
    expect(await scheduling).toEqual({ kind: 'scheduled' });
    await world.advance(60);
    await world.runEveryMinute();
    expect(await keyStatus()).toBe('removed');
    expect(await chargesOf(world, 'on-its-way')).toMatchObject([{ status: 'revoked' }]);
  });

  test('a schedule of a card is not charged after its removal was requested, also while another schedule is being sent', async () => {
    const form = await member.openForm('/cards');
    expect(await scheduleIn(other, 'due-meanwhile')).toEqual({ kind: 'scheduled' });
    await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'lost_response' });
    expect(await scheduleIn(other, 'answer-lost')).toEqual({ kind: 'unknown' });
    const { scheduling } = await beginToSchedule('held-up');
    expect((await member.remove(form)).status).toBe(303);
    expect(await keyStatus()).toBe('removing');

    // No process has claimed the removal since.
    await world.advance(HOUR);
    for (const merchantUid of ['due-meanwhile', 'answer-lost']) {
      expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'open', payments: [] });
      expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
    }

    line.release();
    expect(await scheduling).toMatchObject({ kind: 'refused' });
    await world.runEveryMinute();
    expect(await keyStatus()).toBe('removed');
  });

  test('no charge is written with a key that was deactivated after it was read as active', async () => {
    await registerOrder(world, 'too-late');
    const key = await findKey(other, customerUid);
    expect(await startRemoval(other, key!)).not.toBeNull();
    const charge = { id: 'charge-too-late', merchantUid: 'too-late', customerUid };
    const scheduled = { ...charge, kind: 'schedule', scheduleAt: other.clock.now() } as const;
    expect(await insertCharges(other, [scheduled])).toBe(false);
    expect(await insertCharges(other, [{ ...charge, kind: 'again', scheduleAt: null }])).toBe(false);
    const calls = await world.sandbox.requestsDuring(SCHEDULE, async () => {
      expect(await scheduleIn(other, 'too-late')).toEqual({ kind: 'key_not_active' });
    });
    expect(calls).toBe(0);
    expect(await chargesOf(world, 'too-late')).toEqual([]);
  });
});

test('the planned payments of a member are listed by due time, until they are revoked or made', async () => {
  const list = async (query = '') =>
    (await world.api('GET', `/api/schedules/planned?member_id=${key.memberId}${query}`)).body;
  await schedule('schedule-of-member', { member_id: key.memberId, schedule_at: inSeconds(2 * HOUR) });
  await schedule('schedule-first', { member_id: key.memberId });
  await schedule('schedule-of-nobody');
  const first = {
    merchant_uid: 'schedule-first',
    customer_uid: key.customerUid,
    amount: 1000,
    currency: 'KRW',
  };
  const at = new Date(inSeconds(HOUR) * 1000).toISOString();
  const page = await list('&limit=1');
  expect(page.list).toMatchObject([{ ...first, status: 'scheduled', schedule_at: at }]);
  const second = { merchant_uid: 'schedule-of-member' };
  expect(await list(`&limit=1&after=${page.next}`)).toMatchObject({ list: [second], next: null });
  await revoke({ merchant_uid: 'schedule-first' });
  expect((await list()).list).toMatchObject([second]);
  await world.advance(2 * HOUR);
  await world.runEveryMinute(60);
  expect((await list()).list).toEqual([]);
});
