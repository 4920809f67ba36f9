// One order: what was bought and by whom, its payments and refunds, notes, and everything that happened to it in order of
// time. An order that is not registered has a page if a payment or a notification names it.

import { chargeList } from '../../core/charges/charge-routes';
import { eventList } from '../../core/events/event-list';
import { orderErrors } from '../../core/orders/order-schema';
import { findOrder } from '../../core/orders/order-store';
import { findHistory, findOrderHistory } from '../../core/reconciliation/payment-history-store';
import { refundJson } from '../../core/refunds/refund-schema';
import { plannedList } from '../../core/schedules/schedule-routes';
import { isMerchantUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { note, sendEventAgain } from './actions';
import { PAYMENT_COLUMNS, REFUND_COLUMNS } from './lists';
import { findNotes } from './note-store';
import { tableOf } from './operator-list';
import { actionRoute, toPage, type OperatorAnswer, type OperatorRequest, type OperatorRoute } from './operator-page';
import { findRequestsOf } from './refund-request-store';
import { timelineOf } from './timeline';

/** Payments and rows of each kind that a page shows. The lists have all. */
const MOST_PAYMENTS = 20;
const MOST_ROWS = 100;

const pathOf = ({ params: { merchant_uid: merchantUid = '' } }: OperatorRequest) =>
  `/operator/orders/${encodeURIComponent(merchantUid)}`;

export const ORDER_ROUTES: OperatorRoute[] = [
  {
    method: 'get',
    path: '/operator/orders/:merchant_uid',
    back: () => '/operator/orders',
    handle: showOrder,
  },
  actionRoute({
    path: '/operator/orders/:merchant_uid/events/:event_id/replay',
    action: 'replay',
    back: pathOf,
    page: showOrder,
    act: sendEventAgain,
  }),
  actionRoute({
    path: '/operator/orders/:merchant_uid/note',
    action: 'note',
    back: pathOf,
    page: showOrder,
    act: (context, request) => note(context, request, 'order'),
  }),
];

async function showOrder(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { merchant_uid: merchantUid = '' } = request.params;
  if (!isMerchantUid(merchantUid)) throw new HttpError(orderErrors.order_not_found);
  const ofOrder = { merchant_uid: merchantUid, limit: MOST_ROWS };
  const [order, { svcUids }, charges, events, planned] = await Promise.all([
    findOrder(context, merchantUid),
    findOrderHistory(context, merchantUid),
    chargeList.read(context, ofOrder),
    eventList.read(context, ofOrder),
    plannedList.read(context, ofOrder),
  ]);
  if (!order && svcUids.length === 0) throw new HttpError(orderErrors.order_not_found);
  const shown = svcUids.slice(0, MOST_PAYMENTS);
  const histories = await Promise.all(shown.map((svcUid) => findHistory(context, svcUid)));
  const refunds = histories.flatMap((history) => history.refunds.map(refundJson));
  const discrepancies = histories.flatMap((history) => history.discrepancies);
  const idsOf = (rows: readonly { id: string | bigint }[]) => rows.map(({ id }) => String(id));
  const notes = await findNotes(context, [
    { subject: 'order', ids: [merchantUid] },
    { subject: 'discrepancy', ids: idsOf(discrepancies) },
    { subject: 'charge', ids: idsOf(charges.list) },
    { subject: 'refund', ids: idsOf(refunds) },
  ]);
  const payments = order?.payments ?? [];
  return toPage({
    template: 'order',
    title: ({ operator }) => `${operator.things.order} ${merchantUid}`,
    place: 'orders',
    data: {
      merchantUid,
      order,
      base: pathOf(request),
      planned: planned.list,
      payments: tableOf('payments', PAYMENT_COLUMNS, payments, { without: 'merchant_uid' }),
      refunds: tableOf('refunds', REFUND_COLUMNS, refunds),
      // Named by a notification or a discrepancy, and not stored.
      notStored: shown.filter((svcUid) => payments.every((payment) => payment.svcUid !== svcUid)),
      hasMore: svcUids.length > MOST_PAYMENTS,
      openDiscrepancies: discrepancies.filter(({ resolvedAt }) => resolvedAt === null),
      notes: notes.filter(({ subject }) => subject === 'order'),
      timeline: timelineOf(histories, {
        refunds,
        charges: charges.list,
        events: events.list,
        notes,
        requests: await findRequestsOf(context, shown),
      }),
    },
  });
}
