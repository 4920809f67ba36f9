// One payment: notifications, findings, stored rows and sent events in order of time; and the possible actions. Opening
// the page does not call the payment service.

import { chargeList } from '../../core/charges/charge-routes';
import { eventList } from '../../core/events/event-list';
import { findOrder } from '../../core/orders/order-store';
import { heldByPayment } from '../../core/payments/held-money';
import { paymentErrors } from '../../core/payments/payment-schema';
import { keptFields } from '../../core/payments/stored-record';
import { findHistory } from '../../core/reconciliation/payment-history-store';
import { refundList } from '../../core/refunds/refund-routes';
import { isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import type { JsonObject } from '../../payment-service/records/raw-record';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { curlCommand } from '../../platform/http/route-description';
import { giveBack, lookAgain, sendEventAgain } from './actions';
import { findNotes } from './note-store';
import { toPage, type OperatorAnswer, type OperatorRequest, type OperatorRoute } from './operator-page';
import { timelineOf } from './timeline';

const pathOf = ({ params: { svc_uid: svcUid = '' } }: OperatorRequest) =>
  `/operator/payments/${encodeURIComponent(svcUid)}`;

export const PAYMENT_ROUTES: OperatorRoute[] = [
  {
    method: 'get',
    path: '/operator/payments/:svc_uid',
    back: () => '/operator/payments',
    handle: showPayment,
  },
  {
    method: 'post',
    path: '/operator/payments/:svc_uid/sync',
    back: pathOf,
    page: showPayment,
    async handle(context, request) {
      const { svcUid, merchantUid } = await findHistoryOf(context, request);
      const done = await lookAgain(context, request, { svcUid, merchantUid });
      return { kind: 'redirect', to: pathOf(request), done };
    },
  },
  {
    method: 'post',
    path: '/operator/payments/:svc_uid/events/:event_id/replay',
    back: pathOf,
    page: showPayment,
    handle: async (context, request) => ({
      kind: 'redirect',
      done: await sendEventAgain(context, request),
      to: pathOf(request),
    }),
  },
  {
    method: 'post',
    path: '/operator/payments/:svc_uid/refund',
    role: 'refund',
    back: pathOf,
    page: showPayment,
    handle: async (context, request) => ({
      kind: 'redirect',
      done: await giveBack(context, request),
      to: pathOf(request),
    }),
  },
];

async function showPayment(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { svcUid, merchantUid, history } = await findHistoryOf(context, request);
  const { payment } = history;
  const limit = 100;
  const [order, refunds, charges, events] = await Promise.all([
    findOrder(context, merchantUid),
    refundList.read(context, { svc_uid: svcUid, limit }),
    chargeList.read(context, { merchant_uid: merchantUid, limit }),
    // An order id that no filter accepts has no events.
    isMerchantUid(merchantUid) ? eventList.read(context, { merchant_uid: merchantUid, limit }) : { list: [] },
  ]);
  const idsOf = (rows: readonly { id: string | bigint }[]) => rows.map(({ id }) => String(id));
  const notes = await findNotes(context, [
    { subject: 'discrepancy', ids: idsOf(history.discrepancies) },
    { subject: 'charge', ids: idsOf(charges.list) },
    { subject: 'refund', ids: idsOf(refunds.list) },
  ]);
  const ofPayment = { refunds: refunds.list, charges: charges.list, events: events.list, notes };
  const path = `/api/payments/${encodeURIComponent(svcUid)}`;
  return toPage({
    template: 'payment',
    title: ({ operator }) => `${operator.payment.title} ${svcUid}`,
    place: 'payments',
    data: {
      svcUid,
      merchantUid,
      order,
      payment,
      held: payment && heldByPayment(payment),
      isVirtualAccount: payment?.payMethod === 'vbank',
      timeline: timelineOf(history, ofPayment),
      openDiscrepancies: history.discrepancies.filter(({ resolvedAt }) => resolvedAt === null),
      // As after an erasure: nothing about the buyer.
      record: payment && JSON.stringify(keptFields(payment.record as JsonObject), null, 2),
      curl: curlCommand({ method: 'GET', path, needsKey: true, body: null }, request.ownUrl),
    },
  });
}

/** @throws HttpError if no row names the payment */
async function findHistoryOf(context: Context, { params: { svc_uid: svcUid } }: OperatorRequest) {
  if (!isSvcUid(svcUid)) throw new HttpError(paymentErrors.payment_not_found);
  const history = await findHistory(context, svcUid);
  const { payment, notifications, discrepancies, difference } = history;
  const named = payment ?? notifications.at(-1) ?? discrepancies.at(-1) ?? difference;
  if (!named) throw new HttpError(paymentErrors.payment_not_found);
  return { svcUid, merchantUid: named.merchantUid, history };
}
