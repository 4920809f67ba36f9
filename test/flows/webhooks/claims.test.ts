// Which open notifications one attempt claims, for how long, and what its result changes.

import { findPauses, savePause } from '../../../src/merchant/core/attempts/service-pause-store';
import { claimDue } from '../../../src/merchant/core/webhooks/due-notification-store';
import { saveResult, type OpenNotifications } from '../../../src/merchant/core/webhooks/inbox-store';
import { besideLock } from '../../support/beside-lock';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
beforeEach(() => running.rows.query('truncate notifications'));

const inSeconds = (seconds: number) => new Date(running.clock.nowMs() + seconds * 1000);
type Changes = {
  order?: string;
  generation?: string;
  due?: number | null;
  reason?: string | null;
  received?: number;
};
async function store(
  svcUid: string,
  { order = 'order-1', generation = 'legacy', due = 0, reason = null, received = -100 }: Changes = {},
) {
  const [row] = await running.rows.query<{ id: string }>(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, source_address, outcome, reason, next_attempt_at)
     values ($1, $2::generation, $3, $4, '52.78.100.19', 'queued', $5, $6) returning id`,
    [inSeconds(received), generation, svcUid, order, reason, due === null ? null : inSeconds(due)],
  );
  return BigInt(row?.id ?? 0);
}
const stored = () =>
  running.rows.query<{
    id: string;
    next: Date | null;
    reason: string | null;
    outcome: string;
    attempts: number;
  }>(
    'select id, next_attempt_at as next, reason, outcome::text as outcome, attempts from notifications order by id',
  );
/** PostgreSQL returns them in any order. */
const idsOf = (claimed: readonly OpenNotifications[]) =>
  claimed.map(({ ids }) => ids).sort(([one = 0n], [other = 0n]) => (one < other ? -1 : 1));

test('an attempt claims all open copies of one generation, payment and order, and no others', async () => {
  const [first, copy] = [await store('svc_1'), await store('svc_1', { due: 500 })];
  await store('svc_1', { due: null });
  const newer = await store('svc_1', { generation: 'newer' });
  await store('svc_1', { order: 'order-2', due: 500 });
  await store('svc_2', { due: 500 });
  const before = await stored();
  expect(idsOf(await claimDue(running.context, 'legacy', 10))).toEqual([[first, copy]]);
  const claimed = [String(first), String(copy)];
  const lease = { next: inSeconds(60) };
  expect(await stored()).toEqual(
    before.map((row) => (claimed.includes(row.id) ? { ...row, ...lease } : row)),
  );
  // The result of the one generation leaves the other open.
  const now = running.clock.now();
  const result = { outcome: 'unchanged' as const, reason: null, nextAttemptAt: null, wasAsked: true, now };
  await saveResult(running.context, { ids: [first, copy], ...result });
  const after = await stored();
  expect(after.find(({ id }) => id === String(newer))).toEqual(before.find(({ id }) => id === String(newer)));
  for (const done of after.filter(({ id }) => claimed.includes(id)))
    expect(done).toMatchObject({ outcome: 'unchanged', next: null, reason: null, attempts: 1 });
  expect(idsOf(await claimDue(running.context, 'newer', 10))).toEqual([[newer]]);
});

test('what is due for longest is claimed first, and nothing before its time, by one process until the lease ends', async () => {
  const late = await store('svc_late', { due: -1 });
  const early = await store('svc_early', { due: -2 });
  const soon = await store('svc_soon', { due: 0.001 });
  expect(idsOf(await claimDue(running.context, 'legacy', 1))).toEqual([[early]]);
  const both = await Promise.all([1, 2].map(() => claimDue(running.context, 'legacy', 10)));
  expect(both.flatMap(idsOf)).toEqual([[late]]);
  running.clock.advance(0.001);
  expect(idsOf(await claimDue(running.context, 'legacy', 10))).toEqual([[soon]]);
  running.clock.advance(59.9);
  expect(await claimDue(running.context, 'legacy', 10)).toEqual([]);
  running.clock.advance(0.1);
  expect(idsOf(await claimDue(running.context, 'legacy', 10))).toHaveLength(3);
});

test('notifications that another process has locked are left to it, without a wait, and the next ones are taken', async () => {
  const taken = await store('svc_taken', { due: -1 });
  const free = await store('svc_free');
  const copy = await store('svc_free', { due: 5 });
  const lock = `select from notifications where id = ${taken} or id = ${copy} for update`;
  const claimed = await besideLock(running, lock, () => claimDue(running.context, 'legacy', 1));
  expect(idsOf(claimed)).toEqual([[free]]);
});

test('an attempt that was put off does not count as one', async () => {
  const id = await store('svc_1');
  const put = {
    outcome: 'queued' as const,
    reason: 'paced',
    nextAttemptAt: inSeconds(9),
    now: running.clock.now(),
  };
  await saveResult(running.context, { ids: [id], ...put, wasAsked: false });
  expect(await stored()).toMatchObject([{ attempts: 0, reason: 'paced', next: inSeconds(9) }]);
  await saveResult(running.context, { ids: [id], ...put, wasAsked: true });
  expect(await stored()).toMatchObject([{ attempts: 1 }]);
});

test('of several pauses of one channel the latest end is kept, and one that is over is not read', async () => {
  await savePause(running.context, ['legacy', 'writes'], inSeconds(60));
  await Promise.all([
    savePause(running.context, ['legacy'], inSeconds(30)),
    savePause(running.context, ['writes'], inSeconds(90)),
  ]);
  const left = async () =>
    (await findPauses(running.context)).sort((one, other) => (one.channel < other.channel ? -1 : 1));
  const [sixty, ninety] = [inSeconds(60).getTime(), inSeconds(90).getTime()];
  expect(await left()).toEqual([
    { channel: 'legacy', untilMs: sixty },
    { channel: 'writes', untilMs: ninety },
  ]);
  running.clock.advance(60);
  expect(await left()).toEqual([{ channel: 'writes', untilMs: ninety }]);
});
