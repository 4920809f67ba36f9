// The rows of discrepancies: what is new, what stays decided, what a payment that fits resolves, and what blocks a refund.

import type { Discrepancy } from '../../../src/merchant/core/discrepancies/kinds';
import {
  findUnreported,
  hasOpenDiscrepancy,
  openDispute,
  resolveMatched,
  saveDecision,
  saveDiscrepancies,
} from '../../../src/merchant/core/discrepancies/store';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
beforeEach(() => running.rows.query('truncate discrepancies restart identity cascade'));

const IDS = { svcUid: 'svc_1', merchantUid: 'order-1' };
const differs = (actual = '999 KRW', kind: Discrepancy['kind'] = 'amount_mismatch'): Discrepancy => ({
  kind,
  expected: '1000 KRW',
  actual,
});
const save = (discrepancy = differs(), ids = IDS) =>
  saveDiscrepancies(running.context, [{ ...ids, ...discrepancy }]);
const isNew = async (discrepancy = differs(), ids = IDS) =>
  (await findUnreported(running.context, [{ ...ids, ...discrepancy }])).length === 1;
const resolve = (id = 1n, by = 'kim') =>
  saveDecision(running.context, id, { resolution: 'accepted', by, note: 'why' });
const row = async (id = 1) =>
  (
    await running.rows.query(
      `select actual, times_seen, resolved_at is not null as resolved, resolution, resolved_by, resolution_note
       from discrepancies where id = $1`,
      [id],
    )
  )[0];
const OPEN = { resolved: false, resolution: null, resolved_by: null, resolution_note: null };
const DECIDED = { resolved: true, resolution: 'accepted', resolved_by: 'kim', resolution_note: 'why' };

test('a discrepancy is new until it is stored, for its payment, order and kind alone', async () => {
  expect(await isNew()).toBe(true);
  await save();
  expect(await isNew()).toBe(false);
  expect(await isNew(differs('998 KRW'))).toBe(false);
  expect(await isNew(differs('999 KRW', 'currency_mismatch'))).toBe(true);
  const other = differs('x', 'currency_mismatch');
  const both = [differs(), other].map((each) => ({ ...IDS, ...each }));
  expect(await findUnreported(running.context, both)).toEqual([{ ...IDS, ...other }]);
  expect(await isNew(differs(), { ...IDS, svcUid: 'svc_2' })).toBe(true);
  expect(await isNew(differs(), { ...IDS, merchantUid: 'order-2' })).toBe(true);
});

test('a decision stays while the same difference is seen, and another difference opens it without the decision', async () => {
  await save();
  expect(await resolve()).toBe(true);
  expect(await isNew()).toBe(false);
  await save();
  expect(await row()).toEqual({ actual: '999 KRW', times_seen: 2, ...DECIDED });
  for (const other of [differs('998 KRW'), { ...differs('998 KRW'), expected: '2000 KRW' }]) {
    expect(await isNew(other)).toBe(true);
    await save(other);
    expect(await row()).toMatchObject(OPEN);
    await resolve();
  }
});

test('of several decisions at once one is stored', async () => {
  await save();
  const people = ['kim', 'lee', 'park'];
  const stored = await Promise.all(people.map((by) => resolve(1n, by)));
  expect(stored.filter(Boolean)).toHaveLength(1);
  expect(await row()).toMatchObject({ resolved_by: people[stored.indexOf(true)] });
  expect(await resolve()).toBe(false);
});

test('a payment that fits resolves the open doubts about it, and nothing else', async () => {
  const kinds = [
    'unknown_order',
    'unknown_payment',
    'needs_review',
    'amount_mismatch',
    'duplicate_payment',
  ] as const;
  for (const kind of kinds) await save(differs('x', kind));
  await save(differs('x', 'unknown_order'), { ...IDS, svcUid: 'svc_2' });
  await save(differs('x', 'unknown_order'), { ...IDS, merchantUid: 'order-2' });
  await resolve(2n);
  running.clock.advance(60);
  await running.context.database.$statements((_, commitWith) =>
    commitWith(resolveMatched([IDS], running.clock.now())),
  );
  const resolved = await running.rows.query<{ id: string; now: boolean; resolution: string | null }>(
    'select id, resolved_at = $1 as now, resolution from discrepancies where resolved_at is not null order by id',
    [running.clock.now()],
  );
  expect(resolved).toEqual([
    { id: '1', now: true, resolution: null },
    { id: '2', now: false, resolution: 'accepted' },
    { id: '3', now: true, resolution: null },
  ]);
  // Seen again, it is open again: no person has decided about it.
  expect(await isNew(differs('x', 'unknown_order'))).toBe(true);
  await save(differs('x', 'unknown_order'));
  expect(await row()).toMatchObject({ times_seen: 2, ...OPEN });
});

test('a dispute that is open is not changed; one that was resolved is opened again, as new', async () => {
  const dispute = (actual: string) => openDispute(running.context, IDS, differs(actual, 'dispute_opened'));
  expect(await dispute('500 KRW')).toEqual({ id: 1n, isNew: true });
  expect(await dispute('600 KRW')).toEqual({ id: 1n, isNew: false });
  expect(await row()).toMatchObject({ actual: '500 KRW', times_seen: 1 });
  await resolve();
  expect(await dispute('600 KRW')).toEqual({ id: 1n, isNew: true });
  expect(await row()).toEqual({ actual: '600 KRW', times_seen: 2, ...OPEN });
});

test('an open discrepancy of a payment and order blocks, except a dispute', async () => {
  const isOpen = (ids = IDS) => hasOpenDiscrepancy(running.context, ids);
  await save(differs('x', 'dispute_opened'));
  expect(await isOpen()).toBe(false);
  await save();
  expect([
    await isOpen(),
    await isOpen({ ...IDS, svcUid: 'svc_2' }),
    await isOpen({ ...IDS, merchantUid: 'order-2' }),
  ]).toEqual([true, false, false]);
  await resolve(2n);
  expect(await isOpen()).toBe(false);
});
