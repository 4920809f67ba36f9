// The payments of each status in the three orders of §4.5. `from` and `to` search on the clock that belongs to the
// status.

import { createOrderedList, type OrderedList } from '../state/storage/ordered-list';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment';

export const STATUS_FILTERS = ['all', ...PAYMENT_STATUSES] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];
export type SortTime = 'started' | 'paid' | 'updated';
export type TimeField = 'startedAt' | 'paidAt' | 'failedAt' | 'cancelledAt' | 'updatedAt';

const SORT_FIELDS = { started: 'startedAt', paid: 'paidAt', updated: 'updatedAt' } as const;
const SORT_TIMES = ['started', 'paid', 'updated'] as const;
const SEARCH_FIELDS = {
  // No clock is known for `all` (§4.5). Our choice is the start, because every payment has one.
  all: 'startedAt',
  ready: 'startedAt',
  paid: 'paidAt',
  cancelled: 'cancelledAt',
  failed: 'failedAt',
} as const;

type PaymentLists = {
  of(filter: StatusFilter, sort: SortTime): OrderedList;
  add(record: number): void;
  /** Must be called before a time or the status of the record changes. */
  remove(record: number): void;
  /** Replaces the content by the records from 0 up to `count`. */
  rebuild(count: number): void;
};

type Columns = {
  statusOf(record: number): PaymentStatus;
  isSandbox(record: number): boolean;
  times(field: TimeField): (record: number) => number;
};

export function createPaymentLists({ statusOf, isSandbox, times }: Columns): PaymentLists {
  const ordersOf = (filter: StatusFilter) => {
    const orderBy = (sort: SortTime) =>
      createOrderedList(times(SORT_FIELDS[sort]), times(SEARCH_FIELDS[filter]), isSandbox);
    return { started: orderBy('started'), paid: orderBy('paid'), updated: orderBy('updated') };
  };
  const lists = {
    all: ordersOf('all'),
    ready: ordersOf('ready'),
    paid: ordersOf('paid'),
    cancelled: ordersOf('cancelled'),
    failed: ordersOf('failed'),
  };
  const listsWith = (record: number) =>
    [lists.all, lists[statusOf(record)]].flatMap((orders) => SORT_TIMES.map((sort) => orders[sort]));

  return {
    of: (filter, sort) => lists[filter][sort],
    add: (record) => listsWith(record).forEach((list) => list.add(record)),
    remove: (record) => listsWith(record).forEach((list) => list.remove(record)),
    rebuild(count) {
      const all = Array.from({ length: count }, (_, record) => record);
      for (const filter of STATUS_FILTERS) {
        const records = filter === 'all' ? all : all.filter((record) => statusOf(record) === filter);
        for (const sort of SORT_TIMES) lists[filter][sort].fill(records);
      }
    },
  };
}
