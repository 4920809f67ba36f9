// The service's lists are read so that nothing is missed while they change, and a difference is looked at again only for a reason.

import { readPages } from '../../../src/merchant/core/reconciliation/listed-payments';
import {
  deleteDifference,
  findDifferences,
  findDueDifferences,
  saveDifference,
} from '../../../src/merchant/core/reconciliation/reconciliation-store';
import type { Context } from '../../../src/merchant/platform/context';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();

type Query = { from: Date; to: Date; page: number; limit: number; sorting?: string };

/**
 * A service with a list of payments, the one changed first in front. Each time a page was read, the first payment leaves the list.
 * 2001 of them are three pages, which no sandbox makes fast enough.
 */
function restlessService(count: number) {
  const list = Array.from({ length: count }, (_, index) => `svc_${index}`);
  const asked: (number | undefined)[] = [];
  const sortings = new Set<string | undefined>();
  const getPaymentStates = (_status: string, { page, limit, sorting }: Query) => {
    const found = list.slice((page - 1) * limit, page * limit);
    const total = list.length;
    if (limit > 1) {
      asked.push(page);
      sortings.add(sorting);
      list.shift();
    }
    const toState = (svcUid: string) => ({
      svcUid,
      merchantUid: svcUid,
      status: 'paid',
      amount: 1,
      cancelAmount: 0,
      currency: 'KRW',
    });
    return Promise.resolve({ list: found.map(toState), unreadable: [], total, next: 0 });
  };
  const service = { ...running.context.service, getPaymentStates } as unknown as Context['service'];
  return { context: { ...running.context, service, state: new Map() }, list, asked, sortings };
}

test('pages of a window are read from the last to the first, so that a payment that moves up is not missed', async () => {
  const { context, list, asked, sortings } = restlessService(2001);
  const seen = new Set<string>();
  const parts: number[] = [];
  const span = { from: new Date(0), to: new Date(3_600_000) };
  for await (const { payments, part } of readPages(context, 'paid', span)) {
    for (const { svcUid } of payments) seen.add(svcUid);
    parts.push(part);
  }
  expect(asked).toEqual([3, 2, 1]);
  expect([...sortings]).toEqual(['updated']);
  expect(parts.map((part) => Math.round(part * 3))).toEqual([1, 2, 3]);
  expect(list.filter((svcUid) => !seen.has(svcUid))).toEqual([]);
});

const listed = (svcUid: string, changes: object = {}) => ({
  ...{
    svcUid,
    merchantUid: 'order',
    status: 'paid' as const,
    amount: 1000,
    cancelAmount: 0,
    currency: 'KRW',
  },
  ...changes,
});

test.each([
  ['the same', {}, []],
  ['another order', { merchantUid: 'other' }, ['svc_1']],
  ['another status', { status: 'cancelled' }, ['svc_1']],
  ['another amount', { amount: 999 }, ['svc_1']],
  ['another cancelled amount', { cancelAmount: 1 }, ['svc_1']],
  ['another currency', { currency: 'USD' }, ['svc_1']],
  ['no cancelled amount', { cancelAmount: null }, []],
  ['a payment that is not stored', { svcUid: 'svc_new' }, ['svc_new']],
  [
    'a failed payment of another amount that is not stored',
    { svcUid: 'svc_new', status: 'failed', amount: 1 },
    [],
  ],
  [
    'a virtual account over another amount that is not stored',
    { svcUid: 'svc_new', status: 'ready', amount: 1 },
    [],
  ],
  [
    'a failed payment of this amount that is not stored',
    { svcUid: 'svc_new', status: 'failed' },
    ['svc_new'],
  ],
  [
    'a failed payment of another amount, of which money was cancelled',
    { svcUid: 'svc_new', status: 'failed', amount: 1, cancelAmount: 1 },
    ['svc_new'],
  ],
  ['a paid payment of another amount that is not stored', { svcUid: 'svc_new', amount: 1 }, ['svc_new']],
] as const)('a list that shows %s', async (_, changes, differing) => {
  await running.rows.query('truncate orders, payments, reconciliation_differences cascade');
  await running.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at) values ('order', 'Tea', 1000, 'KRW', now(), now())`,
  );
  await running.rows.query(
    `insert into payments (svc_uid, merchant_uid, status, amount, currency, record, fetched_at, created_at, updated_at)
     values ('svc_1', 'order', 'paid', 1000, 'KRW', '{}', now(), now(), now())`,
  );
  const found = await findDifferences(running.context, [listed('svc_1', changes)]);
  expect(found.map(({ svcUid }) => svcUid)).toEqual(differing);
});

test('a difference that a sync did not repair is tried again only once the list, the order or the time says so', async () => {
  await running.rows.query('truncate orders, payments, reconciliation_differences cascade');
  await running.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, version, created_at, updated_at)
     values ('order', 'Tea', 1000, 'KRW', 4, now(), now())`,
  );
  const [first] = await findDifferences(running.context, [listed('svc_1', { amount: 999 })]);
  if (!first) throw new Error('it differs');
  expect(first).toMatchObject({ outcome: null, attempts: null, orderVersion: 4 });
  const at = running.clock.now();
  const failed = { outcome: 'amount_mismatch' as const, reason: null, attempts: 1, firstSeenAt: at };
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  await saveDifference(running.context, first, { ...failed, nextAttemptAt: null });
  const known = async (changes: object) =>
    (await findDifferences(running.context, [listed('svc_1', changes)]))[0];
  const due = async (seconds: number) =>
    (await findDueDifferences(running.context, later(seconds))).map(({ svcUid }) => svcUid);
  const asKnown = { outcome: 'amount_mismatch', attempts: 1, firstSeenAt: at };
  expect(await known({ amount: 999 })).toMatchObject({ ...asKnown, unchanged: true });
  expect(await known({ amount: 998 })).toMatchObject({ ...asKnown, unchanged: false });
  expect(await due(1_000_000)).toEqual([]);

  await saveDifference(running.context, first, {
    ...failed,
    outcome: 'queued',
    reason: 'no_answer',
    nextAttemptAt: later(60),
  });
  expect([await due(59), await due(60)]).toEqual([[], ['svc_1']]);
  await saveDifference(running.context, first, { ...failed, nextAttemptAt: null });
  await running.rows.query(`update orders set version = 5`);
  expect(await known({ amount: 999 })).toMatchObject({ unchanged: false, orderVersion: 5 });
  expect(await due(0)).toEqual(['svc_1']);
  await deleteDifference(running.context, 'svc_other');
  expect(await due(0)).toEqual(['svc_1']);
  await deleteDifference(running.context, 'svc_1');
  expect(await due(0)).toEqual([]);
});
