// One payment: notifications, findings, stored rows and sent events in order of time; and the possible actions. Opening
// the page does not call the payment service.

import { z } from 'zod';
import type { DiscrepancyKind } from '../../../../generated/prisma/client';
import { noteField } from '../../../core/attempts/attempt-schema';
import { heldByPayment } from '../../../core/attempts/held-money';
import { findOrder } from '../../../core/orders/order-store';
import { enterDispute } from '../../../core/payments/enter-dispute';
import { readLinks } from '../../../core/payments/payment-chain';
import { findHistory, type PaymentHistory } from '../../../core/payments/payment-history-store';
import { cancelReceiptUrls, cashReceiptIssued, paymentErrors } from '../../../core/payments/payment-schema';
import type { StoredPayment } from '../../../core/payments/payment-store';
import { keptFields } from '../../../core/payments/stored-record';
import { isSvcUid } from '../../../payment-service/identifiers';
import type { JsonObject } from '../../../payment-service/records/raw-record';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { parseRequest, strictBody } from '../../../platform/http/body-fields';
import { curlCommand } from '../../../platform/http/route-description';
import { platformErrors } from '../../../platform/platform-errors';
import { readAmount } from '../frame/formats';
import {
  actionRoute,
  formFields,
  toPage,
  type DoneKey,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { sendEventAgain } from '../lists/event-list';
import { checkAgain } from '../queue/actions';
import { writeNote } from '../queue/note-store';
import { refundRoutes } from '../refunds/refund-form';
import { BANKS } from '../refunds/refund-input';
import { findWaitingRequests } from '../refunds/refund-request-store';
import { requestJson } from '../refunds/refund-requests';
import { paymentRefund } from '../refunds/refund-subjects';
import { readTimeline } from './timeline';

const paymentPath = ({ params: { svc_uid: svcUid = '' } }: OperatorRequest) =>
  `/operator/payments/${encodeURIComponent(svcUid)}`;

const PATH = '/operator/payments/:svc_uid';
/** The page, which has the forms of the actions. */
const FORMS = { back: paymentPath, page: showPayment };

export const PAYMENT_ROUTES: OperatorRoute[] = [
  { method: 'get', path: PATH, back: () => '/operator/payments', handle: showPayment },
  actionRoute({
    ...FORMS,
    path: `${PATH}/sync`,
    action: 'sync',
    async act(context, request) {
      const { svcUid, merchantUid } = await findHistoryOf(context, request);
      return checkAgain(context, request, { svcUid, merchantUid });
    },
  }),
  actionRoute({
    ...FORMS,
    path: `${PATH}/events/:event_id/replay`,
    action: 'replay',
    act: sendEventAgain,
  }),
  actionRoute({ ...FORMS, path: `${PATH}/dispute`, action: 'dispute', act: disputePayment }),
  ...refundRoutes(paymentRefund, { ...FORMS, path: PATH }),
];

async function showPayment(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { svcUid, merchantUid, history } = await findHistoryOf(context, request);
  const { payment } = history;
  const [order, waiting, { openDiscrepancies, timeline }, links] = await Promise.all([
    findOrder(context, merchantUid),
    findWaitingRequests(context, { svcUid }, 1),
    readTimeline(context, { merchantUid, svcUids: [svcUid], isWhole: false }),
    readLinks(context, { svcUid, merchantUid, ownUrl: request.ownUrl }),
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
      lastRefunded: payment && lastRefunded(history.refunds, payment),
      banks: BANKS,
      quota: quotaOf(payment?.record as JsonObject | undefined),
      cashReceiptIssued: payment && cashReceiptOf(payment),
      cancelReceipts: payment ? cancelReceiptUrls(payment).filter((url) => url.startsWith('https:')) : [],
      canBeDisputed: payment !== null && holdsOrRefunded(payment) && !isDisputed(openDiscrepancies),
      timeline,
      links,
      openDiscrepancies,
      // As after an erasure: nothing about the buyer.
      record: payment && JSON.stringify(keptFields(payment.record as JsonObject), null, 2),
      curl: curlCommand({ method: 'GET', path, needsKey: true, body: null }, request.ownUrl),
    },
  });
}

const disputeSchema = strictBody({ amount: z.int().positive(), note: noteField });

/** Enters a dispute with a note about its letter. One that is open already only gets the note. */
async function disputePayment(context: Context, asked: OperatorRequest): Promise<DoneKey> {
  const { by, params, body, log } = asked;
  const svcUid = params['svc_uid'];
  if (!isSvcUid(svcUid)) throw new HttpError(paymentErrors.payment_not_found);
  const form = formFields(body);
  const { amount, note: text } = parseRequest(disputeSchema, {
    ...form,
    amount: readAmount(form['amount'] ?? ''),
  });
  const outcome = await enterDispute(context, { svcUid, amount });
  log({ svc_uid: svcUid, amount, outcome: outcome.kind });
  if (outcome.kind === 'payment_not_found') throw new HttpError(paymentErrors.payment_not_found);
  if (outcome.kind === 'amount_exceeds_payment')
    throw new HttpError(platformErrors.invalid_request, 'amount: must not be more than the payment');
  const id = String(outcome.discrepancyId);
  log({ discrepancy_id: id });
  await writeNote(context, { subject: 'discrepancy', subjectId: id, writtenBy: by, text });
  return outcome.kind === 'entered' ? 'dispute_entered' : 'noted';
}

/** Of the latest refund, for the page that follows it. */
function lastRefunded(refunds: PaymentHistory['refunds'], { currency }: Pick<StoredPayment, 'currency'>) {
  const { status, amount } = refunds.at(-1) ?? {};
  return status === 'refunded' && amount != null ? { amount: Number(amount), currency } : null;
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
