// The steps of an erasure by their rows: what is erased when, what makes it wait, and which process continues it.

import { eraseMember } from '../../../src/merchant/options/erasure/erase-member';
import {
  claimErasures,
  findErasableOrders,
  findLeftOrders,
  finishErasure,
  startErasure,
  writeErasedOrders,
} from '../../../src/merchant/options/erasure/erasure-store';
import type { FeatureRows } from '../../../src/merchant/platform/context';
import { besideLock } from '../../support/beside-lock';
import { useRunningContext } from '../../support/use-world';
import { ALL_MEMBER_ROWS, createMemberRows } from './member-rows';

const running = useRunningContext();
beforeEach(() => running.rows.query(ALL_MEMBER_ROWS));

const query = <Row>(sql: string, values: unknown[] = []) => running.rows.query<Row>(sql, values);
const inSeconds = (seconds: number) => new Date(running.clock.nowMs() + seconds * 1000);
const { key, order } = createMemberRows({ query });
const linesWith = async (word: string) =>
  (await running.rows.books()).split('\n').filter((line) => line.includes(word));

test('an order is erased as it was read: not once it has changed, nor while money of it is in transit', async () => {
  await order('order-gone', { memberId: 'gone', chargedWith: 'key' });
  const erasable = async () =>
    (await findErasableOrders(running.context, 'gone')).map(({ merchantUid }) => merchantUid);
  const read = await findErasableOrders(running.context, 'gone');
  expect(read).toMatchObject([{ merchantUid: 'order-gone', version: 0 }]);
  await query('update orders set version = version + 1');
  expect(await writeErasedOrders(running.context, read)).toBe(0);
  for (const [change, left] of [
    [`update charges set status = 'needs_review'`, { charge: 'needs_review', refund: null }],
    [
      `update charges set status = 'paid'; update refunds set status = 'unknown' where svc_uid = 'svc_order-gone'`,
      { charge: null, refund: 'unknown' },
    ],
    [
      `update refunds set status = 'refunded'; update orders set status = 'awaiting_deposit'`,
      { charge: null, refund: null },
    ],
  ] as const) {
    await query(change);
    expect([change, await erasable()]).toEqual([change, []]);
    expect(await findLeftOrders(running.context, 'gone')).toMatchObject([left]);
  }
  await query(`update orders set status = 'closed'`);
  expect(await writeErasedOrders(running.context, await findErasableOrders(running.context, 'gone'))).toBe(1);
  // A sync that began before relies on the version.
  expect(await query('select version, erased_at is not null as erased from orders')).toEqual([
    { version: 2, erased: true },
  ]);
});

test('an erasure ends only once no order and no card of the member is left, and more orders than one statement takes are erased', async () => {
  await query(
    `insert into orders (merchant_uid, name, amount, currency, member_id, status, created_at, updated_at)
     select 'many-' || n, 'Tea', 1000, 'KRW', 'gone', 'closed', now(), now() from generate_series(1, 101) n`,
  );
  await startErasure(running.context, 'gone');
  expect(await finishErasure(running.context, 'gone')).toBe(false);
  expect((await eraseMember(running.context, 'gone')).kind).toBe('erased');
  expect(await linesWith('gone')).toEqual([]);

  await key('held', 'gone');
  await query(`update billing_keys set status = 'active'`);
  await startErasure(running.context, 'gone');
  expect(await finishErasure(running.context, 'gone')).toBe(false);
  await query(`update billing_keys set status = 'failed'`);
  expect(await finishErasure(running.context, 'gone')).toBe(true);
  expect(await finishErasure(running.context, 'gone')).toBe(false);
});

test('what is made for the member after its rows were ended is erased with the rest', async () => {
  await order('before', { memberId: 'gone' });
  const makesNow: FeatureRows = {
    name: 'late',
    memberRows: {
      exist: () => Promise.resolve(false),
      end: async () => {
        await order('meanwhile', { memberId: 'gone' });
        return [];
      },
      erase: () => Promise.resolve(true),
    },
  };
  const context = { ...running.context, features: [...running.context.features, makesNow], state: new Map() };
  expect((await eraseMember(context, 'gone')).kind).toBe('erased');
  expect(await linesWith('gone')).toEqual([]);
});

test('an erasure is claimed by one process, a minute after its caller, the longest due first, at growing gaps', async () => {
  for (const memberId of ['first', 'second']) {
    await key(memberId, memberId);
    await startErasure(running.context, memberId);
    running.clock.advance(1);
  }
  const claim = async () => (await claimErasures(running.context, 1))[0]?.memberId ?? null;
  expect(await claim()).toBeNull();
  running.clock.advance(60);
  const both = await Promise.all([claim(), claim(), claim()]);
  expect(both.filter(Boolean).sort()).toEqual(['first', 'second']);
  const nextOf = async (memberId: string) =>
    (
      await query<{ at: Date }>('select next_attempt_at as at from erasures where member_id = $1', [memberId])
    )[0]?.at;
  const now = inSeconds(0).getTime();
  expect([await nextOf('first'), await nextOf('second')]).toEqual([
    new Date(now + 62_000),
    new Date(now + 61_000),
  ]);
  running.clock.advance(61);
  expect([await claim(), await claim()]).toEqual(['second', null]);
  running.clock.advance(10 * 3600);
  expect([await claim(), await claim(), await claim()]).toEqual(['first', 'second', null]);
  expect(await nextOf('first')).toEqual(inSeconds(3600));
});

test('an erasure that another process is taking up is left to it, without a wait', async () => {
  for (const memberId of ['taken', 'free']) {
    await key(memberId, memberId);
    await startErasure(running.context, memberId);
  }
  running.clock.advance(60);
  const lock = `select from erasures where member_id = 'taken' for update`;
  const claimed = await besideLock(running, lock, () => claimErasures(running.context, 2));
  expect(claimed.map(({ memberId }) => memberId)).toEqual(['free']);
});
