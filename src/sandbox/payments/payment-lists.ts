// The payments of each status in the three orders of §4.5.
import type { ColumnStore } from '../state/column-store';
import { createOrderedList, type OrderedList } from '../state/ordered-list';
import { WORD, statusOf } from './payment-columns';

export const STATUS_FILTERS = ['all', 'ready', 'paid', 'cancelled', 'failed'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];
export type SortTime = 'started' | 'paid' | 'updated';

const SORT_COLUMNS = { started: WORD.startedAt, paid: WORD.paidAt, updated: WORD.updatedAt };
// `from` and `to` search on the clock of the status (field notes). For `all` it is not known: the start, which every
// payment has.
const SEARCH_COLUMNS = {
  all: WORD.startedAt,
  ready: WORD.startedAt,
  paid: WORD.paidAt,
  cancelled: WORD.cancelledAt,
  failed: WORD.failedAt,
};
const SORT_TIMES = ['started', 'paid', 'updated'] as const;

export type PaymentLists = {
  of(filter: StatusFilter, sort: SortTime): OrderedList;
  add(record: number): void;
  /** Before a time or the status of the record changes. */
  remove(record: number): void;
  /** From the columns alone, at the start. */
  rebuild(): void;
};

export function createPaymentLists(columns: ColumnStore): PaymentLists {
  const lists = new Map(STATUS_FILTERS.map((filter) => [filter, threeOrders(columns, filter)]));
  const of = (filter: StatusFilter, sort: SortTime) =>
    (lists.get(filter) ?? threeOrders(columns, filter))[sort];
  const listsWith = (record: number) =>
    (['all', statusOf(columns, record)] as const).flatMap((filter) =>
      SORT_TIMES.map((sort) => of(filter, sort)),
    );

  return {
    of,
    add: (record) => listsWith(record).forEach((list) => list.add(record)),
    remove: (record) => listsWith(record).forEach((list) => list.remove(record)),
    rebuild() {
      const everyone = Array.from({ length: columns.count() }, (_, record) => record);
      for (const filter of STATUS_FILTERS) {
        const members = everyone.filter((record) => filter === 'all' || statusOf(columns, record) === filter);
        for (const sort of SORT_TIMES) of(filter, sort).fill(members);
      }
    },
  };
}

function threeOrders(columns: ColumnStore, filter: StatusFilter): Record<SortTime, OrderedList> {
  const timeIn = (column: number) => (record: number) => columns.word(record, column);
  const orderBy = (sort: SortTime) =>
    createOrderedList(timeIn(SORT_COLUMNS[sort]), timeIn(SEARCH_COLUMNS[filter]));
  return { started: orderBy('started'), paid: orderBy('paid'), updated: orderBy('updated') };
}
