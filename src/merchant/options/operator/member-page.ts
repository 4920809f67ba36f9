// One customer: cards, orders, rows of options such as subscriptions, planned payments, refunds and notes. The member id is
// the shop's own; we know the member by the rows that name it.

import { refundJson } from '../../core/refunds/refund-schema';
import { plannedList } from '../../core/schedules/schedule-routes';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { platformErrors } from '../../platform/platform-errors';
import { KEY_COLUMNS, keyList, latestOrders, ORDER_COLUMNS, REFUND_COLUMNS } from './lists';
import { findKeyOwner, findMemberNotes, findMemberRefunds } from './member-store';
import { addressOf, toCells, type Column } from './operator-list';
import { toPage, type OperatorAnswer, type OperatorRequest, type OperatorRoute } from './operator-page';

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
      const memberId = await findKeyOwner(context, customerUid);
      const to = memberId
        ? `/operator/members/${encodeURIComponent(memberId)}`
        : addressOf('/operator/keys', { customer_uid: customerUid });
      return { kind: 'redirect', to, done: null };
    },
  },
];

/** The data of `table.eta`. */
type Table = {
  name: string;
  columns: readonly { name: string; kind: string }[];
  rows: unknown[];
  /** The list that has all of them; null if this is all, or if no list has this filter. */
  more: string | null;
};

async function showMember(context: Context, { params }: OperatorRequest): Promise<OperatorAnswer> {
  const { member_id: memberId = '' } = params;
  if (memberId.trim() === '') throw new HttpError(platformErrors.not_found);
  const ofMember = { member_id: memberId, limit: MOST_ROWS };
  const records = context.features.flatMap(({ operatorRecords }) => operatorRecords ?? []);
  const [keys, orders, planned, refunds, notes, others] = await Promise.all([
    keyList.read(context, ofMember),
    latestOrders.read(context, ofMember),
    plannedList.read(context, ofMember),
    findMemberRefunds(context, memberId, MOST_ROWS + 1),
    findMemberNotes(context, memberId, MOST_ROWS),
    Promise.all(records.map(({ list }) => list.read(context, ofMember))),
  ]);
  const table = <Row>(
    name: string,
    columns: readonly Column<Row>[],
    rows: readonly Row[],
    more = false,
  ): Table => {
    const shown = columns.filter(({ name, isDetail = false }) => !isDetail && name !== 'member_id');
    return {
      name,
      columns: shown,
      rows: rows.map((row) => toCells(shown, row)),
      more: more ? addressOf(`/operator/${name}`, { member_id: memberId }) : null,
    };
  };
  const tables = [
    table('keys', KEY_COLUMNS, keys.list, keys.next !== null),
    table('orders', ORDER_COLUMNS, orders.list, orders.next !== null),
    ...records.map(({ place, columns }, index) => {
      const page = others[index];
      return table(place, columns, page?.list ?? [], page?.next != null);
    }),
    table('refunds', REFUND_COLUMNS, refunds.slice(0, MOST_ROWS).map(refundJson)),
  ];
  if (tables.every(({ rows }) => rows.length === 0)) throw new HttpError(platformErrors.not_found);
  return toPage({
    template: 'member',
    title: ({ operator }) => `${operator.things.member} ${memberId}`,
    place: 'keys',
    data: { memberId, tables, planned: planned.list, notes },
  });
}
