// One order: what was bought and by whom, its payments and refunds, notes, and everything that happened to it in order of
// time. An order that is not registered has a page if a payment or a notification names it.

import { orderErrors } from '../../../core/orders/order-schema';
import { findOrder } from '../../../core/orders/order-store';
import { findPaymentsOf } from '../../../core/payments/payment-history-store';
import { refundJson } from '../../../core/refunds/refund-schema';
import { plannedList } from '../../../core/schedules/schedule-routes';
import { isMerchantUid } from '../../../payment-service/identifiers';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import {
  actionRoute,
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { sendEventAgain } from '../lists/event-list';
import { tableOf } from '../lists/list-page';
import { PAYMENT_COLUMNS, REFUND_COLUMNS } from '../lists/pages';
import { note } from '../queue/actions';
import { readTimeline } from './timeline';

/** Payments that a page shows. The lists have all. */
const MOST_PAYMENTS = 20;
const MOST_PLANNED = 100;

/** The page itself says the rest of what the list has. */
const OWN_COLUMNS = PAYMENT_COLUMNS.filter(({ name }) => name !== 'name' && name !== 'member_id');

const pathOf = ({ params: { merchant_uid: merchantUid = '' } }: OperatorRequest) =>
  `/operator/orders/${encodeURIComponent(merchantUid)}`;

const PATH = '/operator/orders/:merchant_uid';
/** The page, which has the forms of the actions. */
const FORMS = { back: pathOf, page: showOrder };

export const ORDER_ROUTES: OperatorRoute[] = [
  { method: 'get', path: PATH, back: () => '/operator/orders', handle: showOrder },
  actionRoute({
    ...FORMS,
    path: `${PATH}/events/:event_id/replay`,
    action: 'replay',
    act: sendEventAgain,
  }),
  actionRoute({
    ...FORMS,
    path: `${PATH}/note`,
    action: 'note',
    act: (context, request) => note(context, request, 'order'),
  }),
];

async function showOrder(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { merchant_uid: merchantUid = '' } = request.params;
  if (!isMerchantUid(merchantUid)) throw new HttpError(orderErrors.order_not_found);
  const [order, svcUids, planned] = await Promise.all([
    findOrder(context, merchantUid),
    findPaymentsOf(context, merchantUid),
    plannedList.read(context, { merchant_uid: merchantUid, limit: MOST_PLANNED }),
  ]);
  if (!order && svcUids.length === 0) throw new HttpError(orderErrors.order_not_found);
  const shown = svcUids.slice(0, MOST_PAYMENTS);
  const about = { merchantUid, svcUids: shown, isWhole: true };
  const { refunds, notes, openDiscrepancies, timeline } = await readTimeline(context, about);
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
      payments: tableOf('payments', OWN_COLUMNS, payments, { without: 'merchant_uid' }),
      refunds: tableOf('refunds', REFUND_COLUMNS, refunds.map(refundJson)),
      // Named by a notification or a discrepancy, and not stored.
      notStored: shown.filter((svcUid) => payments.every((payment) => payment.svcUid !== svcUid)),
      hasMore: svcUids.length > MOST_PAYMENTS,
      openDiscrepancies,
      notes: notes.filter(({ subject }) => subject === 'order'),
      timeline,
    },
  });
}
