// Refunds in two steps: a page that names the amount, the card and the balance, and the refund itself, or above REFUND_LIMIT
// the request for it. The first step moves no money. For a deposit to a virtual account, the second one asks for the account
// of the buyer, which is not stored.

import { attemptErrors } from '../../../core/attempts/decision';
import { fetchHeldMoney, heldByPayment } from '../../../core/attempts/held-money';
import { paymentFieldError } from '../../../core/orders/payment-fields-schema';
import { paymentErrors } from '../../../core/payments/payment-schema';
import { findPayment } from '../../../core/payments/payment-store';
import { wholeBalance } from '../../../core/refunds/refund-discrepancy';
import { refundErrors } from '../../../core/refunds/refund-response';
import { discrepancyRefundSchema } from '../../../core/refunds/refund-schema';
import { isSvcUid } from '../../../payment-service/identifiers';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { parseRequest } from '../../../platform/http/body-fields';
import { showDiscrepancy } from '../queue/pages';
import { readDiscrepancy, refundOfDiscrepancy, refundOfPayment } from '../queue/actions';
import { operatorErrors } from '../operator-errors';
import {
  actionRoute,
  toPage,
  type DoneKey,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { paymentPath, showPayment } from '../things/payment-page';
import { BANKS, formFields, NO_WHOLE_BALANCE, parseDiscrepancyRefund, parseRefund } from './refund-input';
import { hasRefundLimit, needsSecondPerson, requestRefund } from './refund-requests';
import { QUEUE } from '../queue/resolve-several';

const discrepancyPath = ({ params: { id = '' } }: OperatorRequest) =>
  `${QUEUE}/discrepancies/${encodeURIComponent(id)}`;

export const REFUND_ROUTES: OperatorRoute[] = [
  {
    method: 'post',
    path: '/operator/payments/:svc_uid/refund/check',
    role: 'refund',
    action: 'refund',
    changesNothing: true,
    back: paymentPath,
    page: showPayment,
    handle: askForPayment,
  },
  actionRoute({
    path: '/operator/payments/:svc_uid/refund',
    role: 'refund',
    action: 'refund',
    back: paymentPath,
    // The amount may no longer be there; then the payment says why.
    page: (context, request) => askForPayment(context, request).catch(() => showPayment(context, request)),
    act: refundOrRequest,
  }),
  {
    method: 'post',
    path: `${QUEUE}/discrepancies/:id/refund/check`,
    role: 'refund',
    action: 'refund',
    changesNothing: true,
    back: discrepancyPath,
    page: showDiscrepancy,
    handle: askForDiscrepancy,
  },
  actionRoute({
    path: `${QUEUE}/discrepancies/:id/refund`,
    role: 'refund',
    action: 'refund',
    back: discrepancyPath,
    page: (context, request) =>
      askForDiscrepancy(context, request).catch(() => showDiscrepancy(context, request)),
    to: QUEUE,
    act: refundOrRequestDiscrepancy,
  }),
];

type Asked = {
  svcUid: string;
  place: string;
  /** Of the refund itself, and of the page that led here. */
  action: string;
  back: string;
  /** Null for all that is left of a payment whose amount is no whole number. */
  amount: number | null;
  /** The tax-free part of the amount; null if the operator did not divide it. */
  taxFree: number | null;
  /** The refundable balance before the refund; null if it is not known. */
  held: number | null;
  currency: string | null;
  cardName: string | null;
  cardNumber: string | null;
  payMethod: string | null;
  /** The fields of the first step, sent again. */
  fields: Readonly<Record<string, string>>;
};

/** §2.4, pay_method. */
const VIRTUAL_ACCOUNT = 'vbank';

async function askPage(context: Context, asked: Asked): Promise<OperatorAnswer> {
  const { svcUid, amount, currency, payMethod } = asked;
  if (amount === null && hasRefundLimit(context)) throw new HttpError(operatorErrors.refund_amount_unknown);
  const needsApproval = await needsSecondPerson(context, { svcUid, amount: amount ?? 0, currency });
  return toPage({
    template: 'refund',
    title: ({ operator }) => `${operator.refund.title} ${svcUid}`,
    place: asked.place,
    data: { ...asked, needsApproval, isVirtualAccount: payMethod === VIRTUAL_ACCOUNT, banks: BANKS },
  });
}

/** @throws HttpError if this could not be refunded */
async function readForPayment(context: Context, { params, body }: OperatorRequest) {
  const { svc_uid: svcUid } = params;
  const payment = isSvcUid(svcUid) ? await findPayment(context, svcUid) : null;
  if (!payment) throw new HttpError(paymentErrors.payment_not_found);
  const input = parseRefund(body);
  const held = heldByPayment(payment);
  if (held === 0) throw new HttpError(refundErrors.nothing_to_cancel);
  if (held !== input.checksum) throw new HttpError(refundErrors.balance_differs);
  const amount = input.amount ?? held;
  if (amount > held) throw new HttpError(refundErrors.amount_exceeds_balance);
  const { tax_free: taxFree = null } = input;
  if (taxFree !== null && taxFree > amount) throw paymentFieldError('tax_free_exceeds_amount');
  return { payment, input, held, amount, taxFree };
}

/** @throws HttpError if this could not be refunded */
async function askForPayment(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { payment, input, held, amount, taxFree } = await readForPayment(context, request);
  const { how, amount: part, reason } = input;
  return askPage(context, {
    svcUid: payment.svcUid,
    place: 'payments',
    action: `${paymentPath(request)}/refund`,
    back: paymentPath(request),
    amount,
    taxFree,
    held,
    currency: payment.currency,
    cardName: payment.cardName,
    cardNumber: payment.cardNumber,
    payMethod: payment.payMethod,
    fields: {
      how,
      checksum: String(held),
      reason,
      ...(part !== undefined && { amount: String(part) }),
      ...(taxFree !== null && { tax_free: String(taxFree) }),
    },
  });
}

/** @throws HttpError if nothing was refunded or requested */
async function refundOrRequest(context: Context, request: OperatorRequest): Promise<DoneKey> {
  if (!hasRefundLimit(context)) return refundOfPayment(context, request);
  const { payment, input, held, amount, taxFree } = await readForPayment(context, request);
  const { svcUid, currency, payMethod } = payment;
  if (!(await needsSecondPerson(context, { svcUid, amount, currency })))
    return refundOfPayment(context, request);
  return requestRefund(context, request, {
    svcUid,
    discrepancyId: null,
    amount,
    taxFree,
    balance: held,
    currency,
    reason: input.reason,
    needsAccount: payMethod === VIRTUAL_ACCOUNT,
  });
}

/**
 * The payment may have no row, so the service is asked what it holds.
 * @throws HttpError if this could not be refunded, ServiceError if the service could not be asked
 */
async function readForDiscrepancy(context: Context, request: OperatorRequest) {
  const discrepancy = await readDiscrepancy(context, request);
  const { reason } = parseRequest(discrepancyRefundSchema.pick({ reason: true }), {
    reason: formFields(request.body)['reason'],
  });
  if (!isSvcUid(discrepancy.svcUid)) throw new HttpError(refundErrors.svc_uid_unusable);
  const shown = await fetchHeldMoney(context, discrepancy.svcUid);
  if (!shown) throw new HttpError(paymentErrors.payment_not_found);
  const { record, held } = shown;
  if (held === 0) throw new HttpError(refundErrors.nothing_to_cancel);
  return { discrepancy, record, held, balance: wholeBalance(shown), reason };
}

/** @throws HttpError, ServiceError as above */
async function askForDiscrepancy(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { discrepancy, record, held, balance, reason } = await readForDiscrepancy(context, request);
  return askPage(context, {
    svcUid: discrepancy.svcUid,
    place: 'actionQueue',
    action: `${discrepancyPath(request)}/refund`,
    back: discrepancyPath(request),
    amount: balance,
    taxFree: null,
    held,
    currency: record.currency,
    cardName: record.cardName,
    cardNumber: record.cardNumber,
    payMethod: record.payMethod,
    fields: { checksum: balance === null ? NO_WHOLE_BALANCE : String(balance), reason },
  });
}

/** @throws HttpError if nothing was refunded or requested, ServiceError if the service could not be asked */
async function refundOrRequestDiscrepancy(context: Context, request: OperatorRequest): Promise<DoneKey> {
  if (!hasRefundLimit(context)) return refundOfDiscrepancy(context, request);
  const { checksum } = parseDiscrepancyRefund(request.body, request.by);
  const { discrepancy, record, balance, reason } = await readForDiscrepancy(context, request);
  const { id, svcUid, resolvedAt } = discrepancy;
  if (resolvedAt) throw new HttpError(attemptErrors.already_settled);
  if (balance !== checksum) throw new HttpError(refundErrors.balance_differs);
  const { currency, payMethod } = record;
  // Nobody can tell whether it is above the limit.
  if (balance === null) throw new HttpError(operatorErrors.refund_amount_unknown);
  if (!(await needsSecondPerson(context, { svcUid, amount: balance, currency })))
    return refundOfDiscrepancy(context, request);
  return requestRefund(context, request, {
    svcUid,
    discrepancyId: id,
    amount: balance,
    taxFree: null,
    balance,
    currency,
    reason,
    needsAccount: payMethod === VIRTUAL_ACCOUNT,
  });
}
