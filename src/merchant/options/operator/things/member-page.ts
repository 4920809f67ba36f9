// One customer: cards, orders, rows of options such as subscriptions, planned payments, refunds and notes. The member id is
// the shop's own; we know the member by the rows that name it.

import { refundJson } from '../../../core/refunds/refund-schema';
import { plannedList } from '../../../core/schedules/schedule-routes';
import { isCustomerUid } from '../../../payment-service/identifiers';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import type { Page } from '../../../platform/http/list';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';
import { platformErrors } from '../../../platform/platform-errors';
import {
  recordsOf,
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { addressOf, tableOf, type Column } from '../lists/list-page';
import { KEY_COLUMNS, keyList, latestOrders, ORDER_COLUMNS, REFUND_COLUMNS } from '../lists/pages';
import { totalPayments } from '../lists/store';
import { findBuyer, findKeyOwner, findMemberNotes, findMemberRefunds } from './member-store';

/** Of each kind, the latest. A link leads to the list that has all. */
const MOST_ROWS = 20;

export const MEMBER_ROUTES: OperatorRoute[] = [
  {
    method: 'get',
    path: '/operator/members/:member_id',
    back: () => '/operator/keys',
    handle: showMember,
  },
  {
    // A card is shown on the page of its member. The key of an erased member has none.
    method: 'get',
    path: '/operator/keys/:customer_uid',
    back: () => '/operator/keys',
    async handle(context, { params: { customer_uid: customerUid = '' } }) {
      if (!isCustomerUid(customerUid)) throw new HttpError(platformErrors.not_found);
      const memberId = await findKeyOwner(context, customerUid);
      const to = memberId
        ? `/operator/members/${encodeURIComponent(memberId)}`
        : addressOf('/operator/keys', { customer_uid: maskCardNumbers(customerUid) });
      return { kind: 'redirect', to, done: null };
    },
  },
];

async function showMember(context: Context, { params }: OperatorRequest): Promise<OperatorAnswer> {
  const { member_id: memberId = '' } = params;
  // PostgreSQL refuses NUL in what it compares.
  if (!/^\P{Cc}+$/u.test(memberId.trim())) throw new HttpError(platformErrors.not_found);
  const ofMember = { member_id: memberId, limit: MOST_ROWS };
  const records = recordsOf(context);
  const [keys, orders, planned, refunds, notes, buyer, totals, others] = await Promise.all([
    keyList.read(context, ofMember),
    latestOrders.read(context, ofMember),
    plannedList.read(context, ofMember),
    findMemberRefunds(context, memberId, MOST_ROWS),
    findMemberNotes(context, memberId, MOST_ROWS),
    findBuyer(context, memberId),
    totalPayments(context, { memberId }),
    Promise.all(records.map(({ list }) => list.read(context, ofMember))),
  ]);
  const table = <Row>(name: string, columns: readonly Column<Row>[], { list, next }: Page<Row>) =>
    tableOf(name, columns, list, {
      without: 'member_id',
      more: next === null ? null : addressOf(`/operator/${name}`, { member_id: memberId }),
    });
  const tables = [
    table('keys', KEY_COLUMNS, keys),
    table('orders', ORDER_COLUMNS, orders),
    ...records.map(({ place, columns }, index) =>
      table(place, columns, others[index] ?? { list: [], next: null }),
    ),
    tableOf('refunds', REFUND_COLUMNS, refunds.map(refundJson)),
  ];
  if (tables.every(({ rows }) => rows.length === 0)) throw new HttpError(platformErrors.not_found);
  return toPage({
    template: 'member',
    title: ({ operator }) => `${operator.things.member} ${memberId}`,
    place: 'members',
    data: { memberId, buyer, totals, tables, planned: planned.list, notes },
  });
}
