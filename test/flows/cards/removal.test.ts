// A removal that has begun is completed, even after a kill or a lost answer, and no schedule of the card is charged after the
// request. The sandbox's list of a key's schedules is strict, as its public description says (§4.9, M31): both ends are required,
// the answer is an array, and `to` is exclusive.

import { findKey } from '../../../src/merchant/core/billing-keys/billing-key-store';
import {
  cancelRemoval,
  markRemoved,
  startRemoval,
} from '../../../src/merchant/core/billing-keys/removal-store';
import { removeCard } from '../../../src/merchant/core/cards/remove-card';
import type { SchedulesOfBillingKeyQuery } from '../../../src/merchant/payment-service/schedules';
import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { keyOf, memberIdOf, registerKey } from '../../support/keys';
import { chargesOf, getOrder } from '../../support/orders';
import { FIND_KEYS } from '../../support/sandbox-controls';
import { useRunningContext, useWorld } from '../../support/use-world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
const LIST_SCHEDULES = 'GET /subscribe/payments/schedule/customers/:customer_uid';
const UNSCHEDULE = 'POST /subscribe/payments/unschedule';
/** The engine uses the host's clock: a new job is due when our clock has passed this time. */
const SOON = 30;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

const world = useWorld();
let member: MemberBrowser;
let customerUid: string;
let orders = 0;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
  ({ customerUid } = await registerKey(world, { memberId: await memberIdOf(member) }));
});

async function schedule(inSeconds = HOUR): Promise<string> {
  orders += 1;
  const merchantUid = `removal-${orders}`;
  const order = { merchant_uid: merchantUid, amount: 1000, name: 'Tea of the month' };
  const schedule_at = Math.floor(world.clock.now().getTime() / 1000) + inSeconds;
  const body = { customer_uid: customerUid, schedule_at, ...order };
  expect((await world.api('POST', '/api/schedules', body)).status).toBe(201);
  return merchantUid;
}

const remove = async () => (await member.remove(await member.openRemoval())).status;
const callsWhileRemoving = (endpoint: string) =>
  world.sandbox.requestsDuring(endpoint, async () => expect(await remove()).toBe(303));
const refuseDeletion = (status: number, code: number, times = 1) => {
  const body = { code, message: 'not now', response: null };
  return world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'status', status, body, times });
};
/** The key is deleted at the service, and the merchant does not know. */
async function removeWithLostAnswer() {
  const form = await member.openRemoval();
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'lost_response' });
  return member.remove(form);
}

/** The state after a process was killed right after it took the key out of use. */
async function leaveRemoving(secondsAgo: number): Promise<void> {
  await world.rows.query(
    `update billing_keys set status = 'removing', updated_at = $2::timestamptz where customer_uid = $1`,
    [customerUid, new Date(world.clock.now().getTime() - secondsAgo * 1000)],
  );
}

const isAtService = async () =>
  (await world.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}`)).body[0].code === 0;
const statusOf = async () => (await keyOf(world, customerUid))?.['status'];

async function expectFinishedInAMinute(): Promise<void> {
  expect(await statusOf()).toBe('removing');
  await world.runEveryMinute(MINUTE);
  expect(await statusOf()).toBe('removed');
}

test('a removal by a killed process is finished, and nothing is charged (M8)', async () => {
  const merchantUid = await schedule();
  await leaveRemoving(2 * MINUTE);
  await world.runEveryMinute(SOON);

  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed', removing_since: null });
  expect(await isAtService()).toBe(false);
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
  const recovered = world.log.events('removal_recovered');
  expect(recovered.filter((line) => line['customer_uid'] === customerUid)).toHaveLength(1);
  await world.advance(HOUR);
  expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'open', payments: [] });
});

test('a removal that may still be in progress is not touched for a minute', async () => {
  await leaveRemoving(MINUTE - 2);
  expect(await world.sandbox.requestsDuring(LIST_SCHEDULES, () => world.runEveryMinute(1))).toBe(0);
  expect(await statusOf()).toBe('removing');
  await world.runEveryMinute(1);
  expect(await statusOf()).toBe('removed');
});

test('a lost answer of the deletion needs no action: the list says so, and the card is removed a minute later (M8)', async () => {
  const answer = await removeWithLostAnswer();
  expect([answer.status, answer.location]).toEqual([303, '/cards']);
  expect((await member.get('/cards')).html).toContain('삭제를 마무리하고 있어요.');
  expect((await member.get(`/cards/${customerUid}/replace`)).status).toBe(404);
  const [{ stored }] = (await world.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}`)).body;
  expect(stored).toMatchObject({ status: 'removing', removing_since: world.clock.now().toISOString() });
  await expectFinishedInAMinute();
  expect(await member.cards()).toEqual([]);
});

test('after a refused deletion with code 1 the record shows that the key is gone (§7)', async () => {
  await removeWithLostAnswer();
  await refuseDeletion(200, 1);
  expect(await world.sandbox.requestsDuring(FIND_KEYS, expectFinishedInAMinute)).toBe(1);
});

test('a key whose deletion is refused stays active', async () => {
  await refuseDeletion(200, 1);
  const answer = await member.remove(await member.openRemoval());
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
  expect(answer.html).toMatch(/data-state="active"[^]*삭제하지 못했어요/);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active', removing_since: null });
  expect(await remove()).toBe(303);
  expect(await statusOf()).toBe('removed');
});

test('a removal that has revoked a schedule is finished, also after a refused deletion', async () => {
  const merchantUid = await schedule();
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'unauthorized', times: 2 });
  expect(await remove()).toBe(303);
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
  await expectFinishedInAMinute();
});

test('a key is not deleted if the answer of the revocation lacks a schedule', async () => {
  const merchantUid = await schedule();
  const body = { code: 0, message: null, response: [] };
  await world.sandbox.fault({ endpoint: UNSCHEDULE, kind: 'status', status: 200, body });
  expect(await callsWhileRemoving(DELETE_KEY)).toBe(0);
  await expectFinishedInAMinute();
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
});

test.each([
  ['within the hour', HOUR],
  ['further ahead than is asked for without our own rows', 30 * YEAR],
])('a payment that is scheduled %s is revoked before the key is deleted', async (_, ahead) => {
  const merchantUid = await schedule(ahead);
  expect(await remove()).toBe(303);
  expect(await statusOf()).toBe('removed');
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
});

test('a list with executed schedules causes no revocation', async () => {
  const executed = { merchant_uid: 'executed', amount: 1000, schedule_status: 'executed' };
  const body = { code: 0, message: null, response: [executed] };
  await world.sandbox.fault({ endpoint: LIST_SCHEDULES, kind: 'status', status: 200, body });
  expect(await callsWhileRemoving(UNSCHEDULE)).toBe(0);
  expect(await statusOf()).toBe('removed');
});

test('a refused removal is retried at gaps of up to an hour, and warns after ten minutes', async () => {
  await removeWithLostAnswer();
  await refuseDeletion(500, -1, 50);
  const linesBefore = world.log.events('removal_unfinished').length;

  for (const minutes of [1, 1, 2, 4, 8, 16, 32, 60]) {
    const almost = minutes * MINUTE - 1;
    expect(await world.sandbox.requestsDuring(DELETE_KEY, () => world.runEveryMinute(almost))).toBe(0);
    expect(await world.sandbox.requestsDuring(DELETE_KEY, () => world.runEveryMinute(1))).toBe(1);
  }
  const lines = world.log.events('removal_unfinished').slice(linesBefore);
  expect(lines.map(({ level }) => level)).toEqual([30, 30, 30, 30, 40, 40, 40, 40]);
  await world.sandbox.clearFaults();
  await world.runEveryMinute(HOUR);
  expect(await statusOf()).toBe('removed');
});

describe('by use cases that have read the same row', () => {
  const running = useRunningContext();
  beforeAll(async () => {
    const insert = `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
      select uid, 'member', 'active', now(), now() from unnest($1::text[]) uid`;
    await running.rows.query(insert, [['card_a', 'card_b', 'card_c', 'card_d', 'card_e', 'card_f']]);
    await running.rows.query(`update billing_keys set status = 'removing' where customer_uid = 'card_c'`);
  });

  const read = async (uid: string) => (await findKey(running.context, uid))!;

  test('schedules from the past to years ahead are listed before a card is removed', async () => {
    const { service } = running.context;
    const asked: SchedulesOfBillingKeyQuery[] = [];
    const getSchedulesOfBillingKey: typeof service.getSchedulesOfBillingKey = (uid, query) => {
      asked.push(query);
      return service.getSchedulesOfBillingKey(uid, query);
    };
    const context = {
      ...running.context,
      service: { ...service, getSchedulesOfBillingKey },
      state: new Map(),
    };
    expect(await removeCard(context, await read('card_f'))).toEqual({ kind: 'removed' });
    const secondsFromNow = (time?: Date) => (Number(time) - Number(running.clock.now())) / 1000;
    expect(secondsFromNow(asked[0]?.from)).toBeLessThan(-24 * HOUR);
    expect(secondsFromNow(asked[0]?.to)).toBeGreaterThan(10 * YEAR);
  });

  test('of two removals that have read the same row one continues', async () => {
    const key = await read('card_a');
    running.clock.advance(1);
    const outcomes = await Promise.all([removeCard(running.context, key), removeCard(running.context, key)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['in_use', 'removed']);
  });

  // The time of the row distinguishes the tries, even within one millisecond and with different clocks.
  test.each([
    ['card_b', 'after a minute', [61]],
    ['card_d', 'in the same millisecond', [0]],
    ['card_e', 'by hosts whose clocks are behind', [-1, 1]],
  ])('%s: a removal that another process has claimed %s cannot be cancelled', async (uid, _when, seconds) => {
    const { context, clock } = running;
    const key = await read(uid);
    clock.advance(1);
    const startedAt = (await startRemoval(context, key)) as Date;
    for (const later of seconds) {
      clock.advance(later);
      expect(await startRemoval(context, await read(uid))).not.toBeNull();
    }
    expect(await cancelRemoval(context, key, startedAt)).toBe(false);
    expect(await read(uid)).toMatchObject({ status: 'removing', removingSince: startedAt });
    await markRemoved(context, uid);
    expect(await read(uid)).toMatchObject({ status: 'removed', removingSince: null });
  });

  test('of two retries of one removal that have read the same row one continues', async () => {
    // The status is the same before and after: only the time of the row shows that another process has begun.
    const key = await read('card_c');
    running.clock.advance(61);
    expect(await startRemoval(running.context, key)).toEqual(running.clock.now());
    running.clock.advance(1);
    expect(await startRemoval(running.context, key)).toBeNull();
  });
});
