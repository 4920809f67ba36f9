// One box that finds orders, payments, customers, cards, discrepancies and the rows of options. The text may be personal, so
// it is in no log: the request log has no query, and neither has that of deploy/nginx.conf.

import type { Context } from '../../../platform/context';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';
import { findOrdersById } from './store';
import { KEY_COLUMNS, ORDER_COLUMNS, PAYMENT_COLUMNS } from './pages';
import { givenFilters, tableOf, type Column, type Table } from './list-page';
import { toPage, type OperatorAnswer, type OperatorRequest, type OperatorRoute } from '../frame/page';
import {
  findDiscrepanciesByText,
  findKeysByText,
  findMember,
  findOrderIds,
  findPaymentsByText,
  SHOWN,
} from './search-store';
import { readSearch } from './search-text';

const SEARCH = '/operator/search';
const LONGEST = 80;

export const SEARCH_ROUTES: OperatorRoute[] = [
  { method: 'get', path: SEARCH, filters: ['q'], handle: showResults },
];

/** `hasMore`: also if no list has these rows. */
type Group = Table & { hasMore: boolean };

function groupOf<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): Group {
  return { ...tableOf(name, columns, rows.slice(0, SHOWN)), hasMore: rows.length > SHOWN };
}

const MEMBER: Column<string>[] = [{ name: 'member_id', kind: 'member', value: (id) => id }];
type Doubt = Awaited<ReturnType<typeof findDiscrepanciesByText>>[number];
const DISCREPANCY: Column<Doubt>[] = [
  { name: 'id', kind: 'discrepancy', value: (row) => String(row.id) },
  { name: 'kind', kind: 'status', value: (row) => row.kind },
  { name: 'svc_uid', kind: 'payment', value: (row) => row.svcUid },
  { name: 'merchant_uid', kind: 'order', value: (row) => row.merchantUid },
  { name: 'last_seen_at', kind: 'time', value: (row) => row.lastSeenAt.toISOString() },
];

async function showResults(context: Context, { query }: OperatorRequest): Promise<OperatorAnswer> {
  // PostgreSQL refuses NUL in what it compares, and nobody types a control character.
  const text = (givenFilters(query)['q'] ?? '').replace(/\p{Cc}/gu, '').slice(0, LONGEST);
  // The last four digits are enough, and a card number must not be searched for.
  const isCard = maskCardNumbers(text) !== text;
  const groups = text === '' || isCard ? [] : await findAll(context, text);
  return toPage({
    template: 'search',
    title: ({ operator }) => operator.list.search,
    place: 'search',
    data: { q: isCard ? '' : text, isCard, groups: groups.filter(({ rows }) => rows.length > 0) },
  });
}

async function findAll(context: Context, text: string): Promise<Group[]> {
  const search = readSearch(text);
  const records = context.features.flatMap(({ operatorRecords }) => operatorRecords ?? []);
  const [orders, payments, member, keys, discrepancies, others] = await Promise.all([
    findOrderIds(context, search).then((ids) => findOrdersById(context, ids)),
    findPaymentsByText(context, search),
    findMember(context, text),
    findKeysByText(context, search),
    findDiscrepanciesByText(context, text),
    Promise.all(records.map(({ find }) => find(context, text))),
  ]);
  return [
    groupOf('orders', ORDER_COLUMNS, orders),
    groupOf('payments', PAYMENT_COLUMNS, payments),
    groupOf('members', MEMBER, member === null ? [] : [member]),
    groupOf('keys', KEY_COLUMNS, keys),
    ...records.map(({ place, columns }, index) => {
      const found = others[index];
      return groupOf(place, columns, found ? [found.row] : []);
    }),
    groupOf('discrepancies', DISCREPANCY, discrepancies),
  ];
}
