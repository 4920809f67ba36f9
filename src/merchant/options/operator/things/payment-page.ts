// One payment: notifications, findings, stored rows and sent events in order of time; and the possible actions. Opening
// the page does not call the payment service.

import type { DiscrepancyKind } from '../../../../generated/prisma/client';
import { heldByPayment } from '../../../core/attempts/held-money';
import { findOrder } from '../../../core/orders/order-store';
import { findHistory } from '../../../core/payments/payment-history-store';
import { cashReceiptIssued, paymentErrors } from '../../../core/payments/payment-schema';
import type { StoredPayment } from '../../../core/payments/payment-store';
import { keptFields } from '../../../core/payments/stored-record';
import { isSvcUid } from '../../../payment-service/identifiers';
import type { JsonObject } from '../../../payment-service/records/raw-record';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { curlCommand } from '../../../platform/http/route-description';
import { checkAgain, disputePayment, sendEventAgain } from '../queue/actions';
import {
  actionRoute,
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { BANKS } from '../refunds/refund-input';
import { findWaitingRequests } from '../refunds/refund-request-store';
import { requestJson } from '../refunds/refund-requests';
import { readTimeline } from './timeline';

export const paymentPath = ({ params: { svc_uid: svcUid = '' } }: OperatorRequest) =>
  `/operator/payments/${encodeURIComponent(svcUid)}`;

export const PAYMENT_ROUTES: OperatorRoute[] = [
  {
    method: 'get',
    path: '/operator/payments/:svc_uid',
    back: () => '/operator/payments',
    handle: showPayment,
  },
  actionRoute({
    path: '/operator/payments/:svc_uid/sync',
    action: 'sync',
    back: paymentPath,
    page: showPayment,
    async act(context, request) {
      const { svcUid, merchantUid } = await findHistoryOf(context, request);
      return checkAgain(context, request, { svcUid, merchantUid });
    },
  }),
  actionRoute({
    path: '/operator/payments/:svc_uid/events/:event_id/replay',
    action: 'replay',
    back: paymentPath,
    page: showPayment,
    act: sendEventAgain,
  }),
  actionRoute({
    path: '/operator/payments/:svc_uid/dispute',
    action: 'dispute',
    back: paymentPath,
    page: showPayment,
    act: disputePayment,
  }),
];

export async function showPayment(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { svcUid, merchantUid, history } = await findHistoryOf(context, request);
  const { payment } = history;
  const [order, waiting, { openDiscrepancies, timeline }] = await Promise.all([
    findOrder(context, merchantUid),
    findWaitingRequests(context, { svcUid }, 1),
    readTimeline(context, { merchantUid, svcUids: [svcUid], isWhole: false }, [history]),
  ]);
  const path = `/api/payments/${encodeURIComponent(svcUid)}`;
  return toPage({
    template: 'payment',
    title: ({ operator }) => `${operator.things.payment} ${svcUid}`,
    place: 'payments',
    data: {
      svcUid,
      merchantUid,
      order,
      payment,
      held: payment && heldByPayment(payment),
      base: paymentPath(request),
      requests: waiting.map(requestJson),
      banks: BANKS,
      quota: quotaOf(payment?.record as JsonObject | undefined),
      cashReceiptIssued: payment && cashReceiptOf(payment),
      canBeDisputed: payment !== null && holdsOrRefunded(payment) && !isDisputed(openDiscrepancies),
      timeline,
      openDiscrepancies,
      // As after an erasure: nothing about the buyer.
      record: payment && JSON.stringify(keptFields(payment.record as JsonObject), null, 2),
      curl: curlCommand({ method: 'GET', path, needsKey: true, body: null }, request.ownUrl),
    },
  });
}

/** Instalments in months (§2.4); null for a single payment, or if the service does not say. */
function quotaOf(record: JsonObject | undefined): number | null {
  const months = record?.['card_quota'];
  return typeof months === 'number' && months > 0 ? months : null;
}

/** @throws HttpError if no row names the payment */
async function findHistoryOf(context: Context, { params: { svc_uid: svcUid } }: OperatorRequest) {
  if (!isSvcUid(svcUid)) throw new HttpError(paymentErrors.payment_not_found);
  const history = await findHistory(context, svcUid);
  const { payment, notifications, discrepancies } = history;
  const named = payment ?? notifications.at(-1) ?? discrepancies.at(-1);
  if (!named) throw new HttpError(paymentErrors.payment_not_found);
  return { svcUid, merchantUid: named.merchantUid, history };
}

/** Methods of which the buyer may want a cash receipt (현금영수증). */
const CASH_METHODS = ['vbank', 'trans'];

/** Null if there is none for this method, or the record does not say. */
function cashReceiptOf(payment: StoredPayment): boolean | null {
  return CASH_METHODS.includes(payment.payMethod ?? '') ? cashReceiptIssued(payment) : null;
}

const holdsOrRefunded = ({ status, cancelAmount }: StoredPayment) => status === 'paid' || cancelAmount > 0;

const isDisputed = (open: readonly { kind: DiscrepancyKind }[]) =>
  open.some(({ kind }) => kind === 'dispute_opened');
