// One box that finds orders, payments, customers, cards, discrepancies and the rows of options. The text may be personal, so
// it is in no log: the request log has no query, and neither has that of deploy/nginx.conf.

import { discrepancyJson } from '../../../core/discrepancies/routes';
import type { Context } from '../../../platform/context';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';
import {
  recordsOf,
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { givenFilters, tableOf, type Column, type Table } from './list-page';
import { discrepancyColumns, KEY_COLUMNS, ORDER_COLUMNS, PAYMENT_COLUMNS } from './pages';
import {
  findDiscrepanciesByText,
  findKeysByText,
  findMember,
  findOrderIds,
  findPaymentsByText,
  SHOWN,
} from './search-store';
import { readSearch } from './search-text';
import { findOrdersById } from './store';

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
const DISCREPANCY = discrepancyColumns('id', 'kind', 'svc_uid', 'merchant_uid', 'last_seen_at');

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
  const records = recordsOf(context);
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
    groupOf('discrepancies', DISCREPANCY, discrepancies.map(discrepancyJson)),
  ];
}
