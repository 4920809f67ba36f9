// A removal is carried through once anything of it was done, also after a kill or a lost answer, and nothing that was
// scheduled with the card is charged after it was asked for.

import { findKey } from '../../../src/merchant/billing-keys/billing-key-store';
import { cancelRemoval, markRemoved, startRemoval } from '../../../src/merchant/billing-keys/removal-store';
import { removeCard } from '../../../src/merchant/cards/remove-card';
import { callService } from '../../support/call-service';
import { startContext, type RunningContext } from '../../support/context';
import { FIND_KEYS } from '../../support/endpoints';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { keyOf } from '../../support/member-cards';
import { chargesOf, getOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
const LIST_SCHEDULES = 'GET /subscribe/payments/schedule/customers/:customer_uid';
const UNSCHEDULE = 'POST /subscribe/payments/unschedule';
/** The engine's own clock is the host's: what it has just put up is due when ours has passed it. */
const SOON = 30;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

const world = useWorld();
let member: MemberBrowser;
let orders = 0;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
});

const nowSeconds = (of = world) => Math.floor(of.clock.now().getTime() / 1000);

async function schedule(customerUid: string, inSeconds = HOUR, at = world): Promise<string> {
  orders += 1;
  const merchantUid = `removal-${orders}`;
  const { status } = await at.api('POST', '/api/schedules', {
    customer_uid: customerUid,
    merchant_uid: merchantUid,
    schedule_at: nowSeconds(at) + inSeconds,
    amount: 1000,
    name: 'Tea of the month',
  });
  expect(status).toBe(201);
  return merchantUid;
}

const openRemoval = () => member.openRemoval();
const remove = async () => member.remove(await openRemoval());

/** What a process leaves behind that was killed some time ago, right after it took the key out of use. */
async function leaveRemoving(customerUid: string, secondsAgo: number): Promise<void> {
  await world.rows.query(
    `update billing_keys set status = 'removing', updated_at = $2::timestamptz where customer_uid = $1`,
    [customerUid, new Date(world.clock.now().getTime() - secondsAgo * 1000)],
  );
}

const atService = async (customerUid: string) => {
  const { body } = await world.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}`);
  return (body as { code: number }[])[0]?.code === 0;
};
const statusOf = async (customerUid: string) =>
  ((await keyOf(world, customerUid)) as { status: string }).status;

test('a removal that a killed process left behind is finished: revoked, deleted, removed, never charged (M8)', async () => {
  const { customerUid } = await member.register();
  const merchantUid = await schedule(customerUid);
  await leaveRemoving(customerUid, 2 * MINUTE);
  await world.runEveryMinute(SOON);

  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removed', removing_since: null });
  expect(await atService(customerUid)).toBe(false);
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
  expect(world.log.events('removal_recovered')).toMatchObject([{ customer_uid: customerUid }]);
  await world.advance(HOUR);
  expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'open', payments: [] });
  const calls = await world.sandbox.requestsDuring(DELETE_KEY, () => world.runEveryMinute(HOUR));
  expect(calls).toBe(0);
});

test('a removal that was killed after its revocation leaves no order waiting for a schedule that is gone', async () => {
  const { customerUid } = await member.register();
  const merchantUid = await schedule(customerUid, 3 * HOUR);
  await callService(world, '/subscribe/payments/unschedule', { customer_uid: customerUid });
  await leaveRemoving(customerUid, 2 * MINUTE);
  await world.runEveryMinute(SOON);
  expect(await statusOf(customerUid)).toBe('removed');
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'scheduled' }]);

  await world.advance(6);
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
});

test('a removal whose caller may still be at it is left alone for a minute', async () => {
  const { customerUid } = await member.register();
  await world.advance(MINUTE);
  await leaveRemoving(customerUid, MINUTE - 2);
  expect(await world.sandbox.requestsDuring(LIST_SCHEDULES, () => world.runEveryMinute(1))).toBe(0);
  expect(await statusOf(customerUid)).toBe('removing');
  await world.runEveryMinute(1);
  expect(await statusOf(customerUid)).toBe('removed');
});

test('a key that is in use, or was removed, is never touched', async () => {
  const { customerUid } = await member.register();
  const merchantUid = await schedule(customerUid, 3 * HOUR);
  const calls = await world.sandbox.requestsDuring(LIST_SCHEDULES, () => world.runEveryMinute(HOUR));
  expect([calls, await statusOf(customerUid)]).toEqual([0, 'active']);
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'scheduled' }]);
});

test('a lost answer of the deletion leaves nothing to do: the list says so, and a minute later the card is gone (M8)', async () => {
  const { customerUid } = await member.register();
  const form = await openRemoval();
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'lost_response' });
  const answer = await member.remove(form);

  expect([answer.status, answer.location]).toEqual([303, '/cards']);
  const { html } = await member.get('/cards');
  expect(html).toContain('삭제를 마무리하고 있어요.');
  expect(html).not.toContain(`/cards/${customerUid}/remove`);
  const [stored] = (await world.api('GET', `/api/billing-keys?customer_uid[]=${customerUid}`)).body;
  expect(stored.stored).toMatchObject({
    status: 'removing',
    removing_since: world.clock.now().toISOString(),
  });
  await world.advance(MINUTE);
  await world.runEveryMinute();
  expect(await statusOf(customerUid)).toBe('removed');
  expect(await member.cards()).toEqual([]);
});

test('a key that is gone is known by its record where the service refuses to delete it with code 1 (§7)', async () => {
  const { customerUid } = await member.register();
  const form = await openRemoval();
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'lost_response' });
  await member.remove(form);
  await world.advance(MINUTE);
  await world.sandbox.fault({
    endpoint: DELETE_KEY,
    kind: 'status',
    status: 200,
    body: { code: 1, message: 'no billing key', response: null },
  });
  expect(await world.sandbox.requestsDuring(FIND_KEYS, () => world.runEveryMinute())).toBe(1);
  expect(await statusOf(customerUid)).toBe('removed');
});

test('a key that is there and is refused to be deleted stays, in use as before', async () => {
  const { customerUid } = await member.register();
  const refusal = { code: 1, message: 'not now', response: null };
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'status', status: 200, body: refusal });
  expect((await remove()).status).toBe(503);
  expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active', removing_since: null });
  expect((await remove()).status).toBe(303);
  expect(await statusOf(customerUid)).toBe('removed');
});

test('once something was revoked the removal is carried through, also where the deletion was refused', async () => {
  const { customerUid } = await member.register();
  const merchantUid = await schedule(customerUid);
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'unauthorized', times: 2 });
  expect((await remove()).status).toBe(303);
  expect(await statusOf(customerUid)).toBe('removing');
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
  await world.advance(MINUTE);
  await world.runEveryMinute();
  expect(await statusOf(customerUid)).toBe('removed');
});

test('a schedule that the answer of the revocation leaves out keeps the key from being deleted', async () => {
  const { customerUid } = await member.register();
  const merchantUid = await schedule(customerUid);
  const nothing = { code: 0, message: null, response: [] };
  await world.sandbox.fault({ endpoint: UNSCHEDULE, kind: 'status', status: 200, body: nothing });
  const deletions = await world.sandbox.requestsDuring(DELETE_KEY, async () => {
    expect((await remove()).status).toBe(303);
  });
  expect([deletions, await statusOf(customerUid)]).toEqual([0, 'removing']);
  await world.advance(MINUTE);
  await world.runEveryMinute();
  expect(await statusOf(customerUid)).toBe('removed');
  expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'revoked' }]);
});

test('while the service refuses, the tries get rarer up to one an hour, warn after ten minutes, and end when it lets', async () => {
  const { customerUid } = await member.register();
  const form = await openRemoval();
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'lost_response' });
  await member.remove(form);
  const refusal = { code: -1, message: 'not now', response: null };
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'status', status: 500, times: 50, body: refusal });
  const linesBefore = world.log.events('removal_unfinished').length;

  for (const minutes of [1, 1, 2, 4, 8, 16, 32, 60, 60]) {
    await world.advance(minutes * MINUTE - 1);
    expect(await world.sandbox.requestsDuring(DELETE_KEY, () => world.runEveryMinute())).toBe(0);
    expect(await world.sandbox.requestsDuring(DELETE_KEY, () => world.runEveryMinute(1))).toBe(1);
  }
  const lines = world.log.events('removal_unfinished').slice(linesBefore);
  expect(lines.map(({ level }) => level)).toEqual([30, 30, 30, 30, 40, 40, 40, 40, 40]);
  expect(lines.at(-1)).toMatchObject({ customer_uid: customerUid, reason: 'server_error' });
  expect(await statusOf(customerUid)).toBe('removing');

  await world.sandbox.clearFaults();
  await world.advance(HOUR);
  await world.runEveryMinute();
  expect(await statusOf(customerUid)).toBe('removed');
});

test('one removal that is refused does not keep another from being finished', async () => {
  const stuck = (await member.register()).customerUid;
  const other = (await createMemberBrowser(world).register()).customerUid;
  await leaveRemoving(stuck, 3 * MINUTE);
  await leaveRemoving(other, 2 * MINUTE);
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'status', status: 500 });
  await world.runEveryMinute(SOON);
  expect([await statusOf(stuck), await statusOf(other)]).toEqual(['removing', 'removed']);
});

test('a database that is gone when the key is deleted is caught up with', async () => {
  const { customerUid } = await member.register();
  const form = await openRemoval();
  await world.rows.query(
    `alter table billing_keys add constraint gone check (status <> 'removed') not valid`,
  );
  expect((await member.remove(form)).status).toBe(503);
  await world.rows.query('alter table billing_keys drop constraint gone');
  expect([await statusOf(customerUid), await atService(customerUid)]).toEqual(['removing', false]);
  await world.advance(MINUTE);
  await world.runEveryMinute();
  expect(await statusOf(customerUid)).toBe('removed');
});

describe('two at once', () => {
  let running: RunningContext;
  beforeAll(async () => {
    running = await startContext();
    await running.rows.query(
      `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
       values ('card_a', 'member', 'active', now(), now()), ('card_b', 'member', 'active', now(), now()),
         ('card_c', 'member', 'removing', now(), now()), ('card_d', 'member', 'active', now(), now()),
         ('card_e', 'member', 'active', now(), now())`,
    );
  });
  afterAll(() => running.close());

  const read = async (customerUid: string) => {
    const key = await findKey(running.context, customerUid);
    if (!key) throw new Error('no such key');
    return key;
  };

  test('of two removals that have read the same row one is under way', async () => {
    const key = await read('card_a');
    running.clock.advance(1);
    const outcomes = await Promise.all([removeCard(running.context, key), removeCard(running.context, key)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['in_use', 'removed']);
  });

  // The time of the row tells the tries apart: also in one millisecond, and where the clocks of hosts differ.
  test.each([
    ['card_b', 'after a minute', [61]],
    ['card_d', 'in the same millisecond', [0]],
    ['card_e', 'by hosts whose clocks are behind', [-1, 1]],
  ])(
    '%s: a removal that others have taken up %s cannot be called off',
    async (customerUid, _when, seconds) => {
      const { context, clock } = running;
      const key = await read(customerUid);
      clock.advance(1);
      const startedAt = (await startRemoval(context, key)) as Date;
      for (const later of seconds) {
        clock.advance(later);
        expect(await startRemoval(context, await read(customerUid))).not.toBeNull();
      }
      expect(await cancelRemoval(context, key, startedAt)).toBe(false);
      expect(await read(customerUid)).toMatchObject({ status: 'removing', removingSince: startedAt });
      await markRemoved(context, customerUid);
      expect(await read(customerUid)).toMatchObject({ status: 'removed', removingSince: null });
    },
  );

  test('of two tries of one unfinished removal that have read the same row one goes on', async () => {
    // The status is the same before and after: only the time of the row tells that somebody else has begun.
    const key = await read('card_c');
    running.clock.advance(61);
    expect(await startRemoval(running.context, key)).toEqual(running.clock.now());
    running.clock.advance(1);
    expect(await startRemoval(running.context, key)).toBeNull();
  });
});
