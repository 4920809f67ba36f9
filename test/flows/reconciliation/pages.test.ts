// The service's lists are read so that nothing is missed while they change, and a difference is looked at again only for a reason.

import type { DiscrepancyKind } from '../../../src/generated/prisma/client';
import { saveDecision, saveDiscrepancies } from '../../../src/merchant/core/discrepancies/store';
import { readPages } from '../../../src/merchant/core/reconciliation/listed-payments';
import {
  findDifferences,
  findOfRegisteredOrders,
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
  const span = { from: new Date(0), to: new Date(3_600_000) };
  for await (const { payments } of readPages(context, 'paid', span)) {
    for (const { svcUid } of payments) seen.add(svcUid);
  }
  expect(asked).toEqual([3, 2, 1]);
  expect([...sortings]).toEqual(['updated']);
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
  await running.rows.query('truncate orders, payments, discrepancies cascade');
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

describe('a payment that did not fit', () => {
  const IDS = { svcUid: 'svc_1', merchantUid: 'order' };
  const registerOrder = () =>
    running.rows.query(
      `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at) values ('order', 'Tea', 1000, 'KRW', now(), now())`,
    );
  const found = (kind: DiscrepancyKind, actual: string | null) =>
    saveDiscrepancies(running.context, [{ ...IDS, kind, expected: null, actual }]);
  const known = async (changes: object = {}) => {
    const [difference] = await findDifferences(running.context, [listed('svc_1', changes)]);
    if (!difference) throw new Error('it differs');
    return difference.known;
  };
  const registered = async () => (await findOfRegisteredOrders(running.context)).map(({ svcUid }) => svcUid);
  beforeEach(() => running.rows.query('truncate orders, payments, discrepancies cascade'));

  test.each([
    ['amount_mismatch', '999 KRW', { amount: 999 }, { amount: 998 }],
    ['currency_mismatch', 'USD', { currency: 'USD' }, { currency: 'EUR' }],
  ] as const)(
    'because of %s is synced again once the list shows another value',
    async (kind, actual, same, other) => {
      await registerOrder();
      expect(await known(same)).toBeNull();
      await found(kind, actual);
      expect([await known(same), await known(other)]).toEqual([kind, null]);
      const [row] = await running.rows.query<{ id: string }>('select id from discrepancies');
      await saveDecision(running.context, BigInt(row?.id ?? 0), {
        resolution: 'accepted',
        by: 'kim',
        note: 'ours',
      });
      expect([await known(same), await known(other)]).toEqual([kind, null]);
    },
  );

  test.each(['needs_review', 'unknown_payment'] as const)(
    'because of %s is synced again by each run that reads it',
    async (kind) => {
      await found(kind, null);
      expect(await known()).toBeNull();
    },
  );

  test('because its order was unknown is synced once more after the order was registered, whatever the lists show', async () => {
    await found('unknown_order', 'order');
    expect([await known(), await registered()]).toEqual(['unknown_order', []]);
    await registerOrder();
    expect([await known(), await registered()]).toEqual([null, ['svc_1']]);
    await found('amount_mismatch', '1000 KRW');
    expect(await registered()).toEqual([]);
  });
});
