// The rows of events: positions in the log, what is claimed and in which order, and what a result may still change.

import { Client } from 'pg';
import {
  claimDeliveries,
  findEvents,
  giveUpUnknownTargets,
  publishEvents,
  resetDeliveries,
  saveDelivery,
  type ClaimedDelivery,
} from '../../../src/merchant/core/events/event-store';
import { insertEvents } from '../../../src/merchant/core/events/save-events';
import type { Context } from '../../../src/merchant/platform/context';
import { besideLock } from '../../support/beside-lock';
import { useRunningContext } from '../../support/use-world';
import { withHandlers } from './deliveries-setup';

const running = useRunningContext();
const handled = () => Promise.resolve();
/** Processes whose shop has these handlers. */
const shop = (...names: string[]): Context =>
  withHandlers(Object.fromEntries(names.map((name) => [name, handled])), running.context);

const write = (stream: string, version: number, type = 'order.paid') =>
  running.context.database.$statements((_, commitWith) =>
    commitWith(
      insertEvents([
        {
          stream,
          version,
          type: type as 'order.paid',
          data: { stream } as never,
          occurredAt: running.clock.now(),
        },
      ]),
    ),
  );
const positionOf = async (stream: string, version: number) => {
  const [row] = await running.rows.query<{ position: string | null }>(
    'select position from events where stream = $1 and version = $2',
    [stream, version],
  );
  return row?.position == null ? null : Number(row.position);
};

const inSeconds = (seconds: number) => new Date(running.clock.nowMs() + seconds * 1000);
const claim = (context: Context, limit = 50) =>
  claimDeliveries(context, { leaseUntil: inSeconds(60), limit, eventId: null });
const named = ({ target, event, attempts }: ClaimedDelivery) => `${event.id} ${target} ${attempts}`;
const claimed = async (context: Context, limit?: number) => (await claim(context, limit)).map(named);
const isDelivered = (delivery: ClaimedDelivery, context = running.context) =>
  saveDelivery(context, { ...delivery, reason: null, nextAttemptAt: null });

beforeEach(() => running.rows.query('truncate events cascade'));

test('an event that replaces another one gets a new place in the log, and is due again for every target', async () => {
  const context = shop('one');
  for (const version of [1, 2]) await write('again', version);
  expect(await publishEvents(context)).toBe(2);
  for (const delivery of await claim(context)) await isDelivered(delivery, context);
  for (const delivery of await claim(context)) await isDelivered(delivery, context);
  const [first, second] = [await positionOf('again', 1), await positionOf('again', 2)];
  await write('again', 1, 'order.failed');
  expect(await positionOf('again', 1)).toBeNull();
  expect(await publishEvents(context)).toBe(1);
  expect(await positionOf('again', 1)).toBeGreaterThan(Math.max(first ?? 0, second ?? 0));
  expect(await positionOf('again', 2)).toBe(second);
  // Who reads on from the last place sees it, with its new content.
  const news = await findEvents(context, { after: BigInt(second ?? 0) }, 10);
  expect(news.map(({ type, version }) => [type, version])).toEqual([['order.failed', 1]]);
  expect(await claimed(context)).toEqual(['again:1 one 1']);
});

test('events that are published at the same time have one position and one delivery each, in the order of their writing', async () => {
  const context = shop('one', 'two');
  for (let version = 1; version <= 20; version += 1) await write('many', version);
  const published = await Promise.all([1, 2, 3].map(() => publishEvents(context)));
  expect(published.reduce((sum, count) => sum + count, 0)).toBe(20);
  const rows = await running.rows.query<{ version: number; deliveries: number }>(
    `select version, (select count(*)::int from event_deliveries d where d.event_id = e.id) as deliveries
     from events e order by position`,
  );
  expect(rows).toEqual(Array.from({ length: 20 }, (_, index) => ({ version: index + 1, deliveries: 2 })));
});

test('while one process publishes, another one waits, so that positions are visible in their order', async () => {
  const other = new Client({ connectionString: running.database.url });
  await other.connect();
  try {
    await write('waits', 1);
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(7310021)');
    const published = publishEvents(shop('one'));
    await running.rows.waitFor(`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like '%publish-events%'`);
    await other.query('commit');
    expect(await published).toBe(1);
  } finally {
    await other.end();
  }
});

test('of each stream only the oldest event that waits is claimed, for each target apart, and by one process', async () => {
  const context = shop('one', 'two');
  for (const [stream, version] of [
    ['a', 1],
    ['a', 2],
    ['b', 1],
  ] as const)
    await write(stream, version);
  await publishEvents(context);
  const both = await Promise.all([claimed(context), claimed(context)]);
  expect(both.flat().sort()).toEqual(['a:1 one 1', 'a:1 two 1', 'b:1 one 1', 'b:1 two 1']);
  expect(await claimed(context)).toEqual([]);
  // A minute later the process that claimed them must be gone.
  running.clock.advance(60);
  const again = await claim(context);
  expect(again.map(named).sort()).toEqual(['a:1 one 2', 'a:1 two 2', 'b:1 one 2', 'b:1 two 2']);
  for (const delivery of again) if (named(delivery) === 'a:1 one 2') await isDelivered(delivery, context);
  expect(await claimed(context)).toEqual(['a:2 one 1']);
});

test('a delivery that another process is claiming is left to it, without a wait', async () => {
  const context = shop('one');
  for (const stream of ['a', 'b']) await write(stream, 1);
  await publishEvents(context);
  const lock = `select from event_deliveries where stream = 'a' for update`;
  expect(await besideLock(running, lock, () => claimed(context))).toEqual(['b:1 one 1']);
});

test('what has waited longest is claimed first, as many as asked for, and of one event only its own', async () => {
  const context = shop('one');
  for (const stream of ['late', 'early', 'later']) await write(stream, 1);
  await publishEvents(context);
  const dueAt = (stream: string, seconds: number) =>
    running.rows.query('update event_deliveries set next_attempt_at = $2 where stream = $1', [
      stream,
      inSeconds(seconds),
    ]);
  await dueAt('late', -1);
  await dueAt('early', -2);
  await dueAt('later', 0.001);
  expect(await claimed(context, 1)).toEqual(['early:1 one 1']);
  expect(await claimed(context)).toEqual(['late:1 one 1']);
  running.clock.advance(0.001);
  const [event] = await running.rows.query<{ id: string }>(`select id from events where stream = 'late'`);
  const only = { leaseUntil: inSeconds(60), limit: 50, eventId: BigInt(event?.id ?? 0) };
  expect(await claimDeliveries(context, only)).toEqual([]);
  expect(await claimed(context)).toEqual(['later:1 one 1']);
});

test('the result of a delivery that was sent again meanwhile, or claimed by another process, changes nothing', async () => {
  const context = shop('one', 'two');
  await write('slow', 1);
  await publishEvents(context);
  const [slow, beside] = (await claim(context)).sort((one, other) => (one.target < other.target ? -1 : 1));
  if (!slow || !beside) throw new Error('there are two targets');
  const rows = () =>
    running.rows.query(
      `select target, attempts, delivered_at, reason, next_attempt_at from event_deliveries order by target`,
    );
  await resetDeliveries(context, slow.eventId, ['one']);
  const before = await rows();
  expect(before[0]).toMatchObject({ attempts: 0, delivered_at: null, next_attempt_at: running.clock.now() });
  await saveDelivery(context, { ...slow, reason: 'timeout', nextAttemptAt: null });
  expect(await rows()).toEqual(before);
  await isDelivered(beside, context);
  expect((await rows())[1]).toMatchObject({
    delivered_at: running.clock.now(),
    reason: null,
    next_attempt_at: null,
  });
  // A failure after a success does not take the success back.
  await saveDelivery(context, { ...beside, reason: 'timeout', nextAttemptAt: inSeconds(5) });
  expect((await rows())[1]).toMatchObject({ delivered_at: running.clock.now(), reason: 'timeout' });
});

test('a target that this process does not know is left to another one for a day, and is then given up', async () => {
  const [both, one] = [shop('one', 'gone'), shop('one')];
  await write('renamed', 1);
  await publishEvents(both);
  expect(await claimed(one)).toEqual(['renamed:1 one 1']);
  expect(await giveUpUnknownTargets(one, running.clock.now())).toEqual([]);
  // What is due for a target that it knows is not given up.
  await write('known', 1);
  await publishEvents(one);
  expect(await giveUpUnknownTargets(one, inSeconds(0.001))).toEqual([{ target: 'gone', count: 1 }]);
  expect(await claimed(one)).toEqual(['known:1 one 1']);
  expect(await claimed(both)).toEqual([]);
  const [row] = await running.rows.query(
    `select reason, next_attempt_at, delivered_at from event_deliveries where target = 'gone'`,
  );
  expect(row).toEqual({ reason: 'no_handler', next_attempt_at: null, delivered_at: null });
});

test('the list of events has the filters stream, target and undelivered, from a place on', async () => {
  const context = shop('one', 'two');
  for (const stream of ['x', 'y', 'z']) await write(stream, 1);
  await publishEvents(context);
  for (const delivery of await claim(context))
    if (delivery.event.id === 'x:1' || named(delivery) === 'y:1 one 1') await isDelivered(delivery, context);
  const list = async (filter: Parameters<typeof findEvents>[1], take = 10) =>
    (await findEvents(context, filter, take)).map(({ stream }) => stream);
  const place = BigInt((await positionOf('x', 1)) ?? 0);
  expect(await list({})).toEqual(['x', 'y', 'z']);
  expect(await list({}, 2)).toEqual(['x', 'y']);
  expect(await list({ after: place })).toEqual(['y', 'z']);
  expect(await list({ stream: 'y' })).toEqual(['y']);
  expect(await list({ undelivered: true })).toEqual(['y', 'z']);
  expect(await list({ undelivered: false })).toEqual(['x']);
  expect(await list({ undelivered: true, target: 'one' })).toEqual(['z']);
  expect(await list({ undelivered: false, target: 'one' })).toEqual(['x', 'y']);
  expect(await list({ target: 'nobody' })).toEqual([]);
});
