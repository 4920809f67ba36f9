// One box that finds orders, payments, customers, cards, discrepancies and the rows of options. The text may be personal, so
// it is in no log: the request log has no query, and neither has that of deploy/nginx.conf.

import type { Payment } from '../../../../generated/prisma/client';
import { discrepancyJson } from '../../../core/discrepancies/routes';
import type { StoredOrder } from '../../../core/orders/order-store';
import type { JsonObject } from '../../../payment-service/records/raw-record';
import type { Context } from '../../../platform/context';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';
import {
  recordsOf,
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { addressOf, givenFilters, tableOf, type Column, type Table } from './list-page';
import { discrepancyColumns, KEY_COLUMNS, ORDER_COLUMNS, PAYMENT_COLUMNS } from './pages';
import {
  findDiscrepanciesByText,
  findKeysByText,
  findMembers,
  findOrderIds,
  findPaymentsByText,
} from './search-store';
import { readSearch } from './search-text';
import { findOrdersById } from './store';

const SEARCH = '/operator/search';
const LONGEST = 80;

export const SEARCH_ROUTES: OperatorRoute[] = [
  { method: 'get', path: SEARCH, filters: ['q', 'kind'], handle: showResults },
];

/** Of each kind, and of the one that the query names. One more is read, to know whether there are more. */
const SHOWN = 10;
const SHOWN_ALONE = 100;

type FoundMember = { id: string; buyerName: string | null };
const MEMBER: Column<FoundMember>[] = [
  { name: 'member_id', kind: 'member', value: ({ id }) => id },
  { name: 'buyer_name', kind: 'text', value: ({ buyerName }) => buyerName },
];
const DISCREPANCY = discrepancyColumns('id', 'kind', 'svc_uid', 'merchant_uid', 'last_seen_at');
/** Who is looked for. */
const BUYER: Column<StoredOrder>[] = [
  { name: 'buyer_name', kind: 'text', value: (row) => row.buyerName },
  { name: 'buyer_tel', kind: 'text', value: (row) => row.buyerTel, isWide: true },
];
const PAYER: Column<Payment> = {
  name: 'buyer_name',
  kind: 'text',
  value: ({ record }) => {
    const name = (record as JsonObject)['buyer_name'];
    return typeof name === 'string' ? name : null;
  },
};

async function showResults(context: Context, { query }: OperatorRequest): Promise<OperatorAnswer> {
  const { q = '', kind } = givenFilters(query);
  // PostgreSQL refuses NUL in what it compares, and nobody types a control character.
  const text = q.replace(/\p{Cc}/gu, '').slice(0, LONGEST);
  // The last four digits are enough, and a card number must not be searched for.
  const isCard = maskCardNumbers(text) !== text;
  const groups = text === '' || isCard ? [] : await findAll(context, text, kind);
  return toPage({
    template: 'search',
    title: ({ operator }) => operator.list.search,
    place: 'search',
    data: { q: isCard ? '' : text, isCard, groups: groups.filter(({ rows }) => rows.length > 0) },
  });
}

/** @param kind the only group to show */
async function findAll(context: Context, text: string, kind: string | undefined): Promise<Table[]> {
  const phrases = context.features.flatMap((feature) => feature.phrases?.(context.config) ?? []);
  const search = readSearch(text, phrases);
  const records = recordsOf(context);
  const shown = kind === undefined ? SHOWN : SHOWN_ALONE;
  const take = shown + 1;
  const [orders, payments, members, keys, discrepancies, others] = await Promise.all([
    findOrderIds(context, search, take).then((ids) => findOrdersById(context, ids)),
    findPaymentsByText(context, search, take),
    findMembers(context, search).then((ids) => ids.map((id) => ({ id, buyerName: null }))),
    findKeysByText(context, search, take),
    findDiscrepanciesByText(context, search, take),
    Promise.all(records.map(({ find }) => find(context, text))),
  ]);
  const groups = [
    groupOf('orders', [...ORDER_COLUMNS, ...BUYER], orders),
    groupOf('payments', [...PAYMENT_COLUMNS, ...(search.names.length > 0 ? [PAYER] : [])], payments),
    groupOf('members', MEMBER, [...members, ...(search.names.length > 0 ? buyersOf(orders) : [])]),
    groupOf('keys', KEY_COLUMNS, keys),
    ...records.map(({ place, columns }, index) => {
      const found = others[index];
      return groupOf(place, columns, found ? [found.row] : []);
    }),
    groupOf('discrepancies', DISCREPANCY, discrepancies.map(discrepancyJson)),
  ];
  return groups.filter(({ name }) => kind === undefined || name === kind);

  function groupOf<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): Table {
    const more =
      kind === undefined && rows.length > shown ? addressOf(SEARCH, { q: text, kind: name }) : null;
    return tableOf(name, columns, rows.slice(0, shown), { more });
  }
}

/** Each customer once, with the name of the latest order. */
function buyersOf(orders: readonly StoredOrder[]): FoundMember[] {
  const oldestFirst = orders.toReversed();
  const named = oldestFirst.flatMap(({ memberId, buyerName }): [string, string | null][] =>
    memberId === null ? [] : [[memberId, buyerName]],
  );
  return [...new Map(named)].map(([id, buyerName]) => ({ id, buyerName })).reverse();
}
