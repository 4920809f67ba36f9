// A schedule outlives its key and fails at its time (§4.9): none may be left where a card is removed while a payment is being
// scheduled with it.

import { connect } from 'node:net';
import { findKey } from '../../../src/merchant/billing-keys/billing-key-store';
import { startRemoval } from '../../../src/merchant/billing-keys/removal-store';
import { insertCharges } from '../../../src/merchant/charges/charge-store';
import { closeContext, type Context } from '../../../src/merchant/context';
import { schedulePayments } from '../../../src/merchant/schedules/schedule-payments';
import { openContext } from '../../support/beside-world';
import { eventually } from '../../support/eventually';
import { listenInFront } from '../../support/listen-in-front';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { keyOf } from '../../support/member-cards';
import { chargesOf, getOrder, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
const SCHEDULE = 'POST /subscribe/payments/schedule';
const HOUR = 3600;

const world = useWorld();
let member: MemberBrowser;
let customerUid: string;
/** Another process; nothing of `held` arrives at the service before its line is released. */
let other: Context;
let held: Context;
let line: Awaited<ReturnType<typeof startHeldLine>>;
beforeEach(async () => {
  member = createMemberBrowser(world);
  ({ customerUid } = await member.register());
  line = await startHeldLine();
  other = openContext(world);
  held = openContext(world, { environment: { SERVICE_BASE_URL: line.url } });
});
afterEach(async () => {
  await line.close();
  await closeContext(held);
  await closeContext(other);
});

/** A line to the service on which nothing arrives before `release`. */
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
  const end = () => {
    // A test that fails has not released it, and what waits on it would keep it open.
    release();
    return close();
  };
  return { url: new URL(url).origin, release, close: end };
}

function scheduleIn(context: Context, merchantUid: string) {
  const order = { merchantUid, name: 'Tea of the month', amount: 1000, currency: 'KRW', memberId: null };
  const scheduleAt = new Date(context.clock.now().getTime() + HOUR * 1000);
  return schedulePayments(context, { customerUid, payments: [{ order, scheduleAt }] });
}

/** Begins to schedule on the line that is held up; the row is written. */
async function beginToSchedule(merchantUid: string) {
  const scheduling = scheduleIn(held, merchantUid);
  await eventually(async () => (await chargesOf(world, merchantUid)).length === 1);
  return { scheduling };
}
const keyStatus = async () => (await keyOf(world, customerUid))?.['status'];

test('a key is not deleted while a schedule with it is on its way: it is out of use, and deleted once that is revoked', async () => {
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

test('what is scheduled with a card is not charged after its removal was asked for, also while another schedule is on its way', async () => {
  const form = await member.openForm('/cards');
  expect(await scheduleIn(other, 'due-meanwhile')).toEqual({ kind: 'scheduled' });
  await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'lost_response' });
  expect(await scheduleIn(other, 'answer-lost')).toEqual({ kind: 'unknown' });
  const { scheduling } = await beginToSchedule('held-up');
  expect((await member.remove(form)).status).toBe(303);
  expect(await keyStatus()).toBe('removing');

  // Nobody has taken the removal up since.
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

test('no charge is written with a key that went out of use after it was found to be active', async () => {
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
