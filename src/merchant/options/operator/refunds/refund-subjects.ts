// What operators refund: a stored payment, in whole or in part, and all of a payment that fits no order, by its discrepancy.

import { attemptErrors } from '../../../core/attempts/decision';
import { fetchHeldMoney, heldByPayment } from '../../../core/attempts/held-money';
import { discrepancyId, readDiscrepancy } from '../../../core/discrepancies/routes';
import { paymentFieldError } from '../../../core/orders/payment-fields-schema';
import { paymentErrors } from '../../../core/payments/payment-schema';
import { findPayment } from '../../../core/payments/payment-store';
import { refundDiscrepancy, wholeBalance } from '../../../core/refunds/refund-discrepancy';
import { refundPayment } from '../../../core/refunds/refund-payment';
import { refundErrors } from '../../../core/refunds/refund-response';
import { discrepancyRefundSchema } from '../../../core/refunds/refund-schema';
import { isSvcUid } from '../../../payment-service/identifiers';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { parseRequest } from '../../../platform/http/body-fields';
import { formFields, type DoneKey, type OperatorRequest } from '../frame/page';
import { NO_WHOLE_BALANCE, parseDiscrepancyRefund, parseRefund } from './refund-input';
import { doneWith, refundFacts } from './refund-requests';

export type WantedRefund = {
  svcUid: string;
  /** Null for a stored payment, by its own page. */
  discrepancyId: bigint | null;
  /** Null for all that is left of a payment whose balance is no whole number. */
  amount: number | null;
  /** The tax-free part of the amount; null if the operator did not divide it. */
  taxFree: number | null;
  /** The refundable balance before the refund; null if it is not known. */
  held: number | null;
  /** The same; null if it is no whole number. */
  balance: number | null;
  currency: string | null;
  cardName: string | null;
  cardNumber: string | null;
  payMethod: string | null;
  reason: string;
  /** The fields of the first step, sent again. */
  fields: Readonly<Record<string, string>>;
};

export type RefundSubject = {
  /** In the navigation. */
  place: string;
  /** For the first step. @throws HttpError if it could not be refunded, ServiceError if the service could not be asked */
  read(context: Context, request: OperatorRequest): Promise<WantedRefund>;
  /** For the second one, which has what the first one showed. @throws as `read` */
  readConfirmed(context: Context, request: OperatorRequest): Promise<WantedRefund>;
  /** Refunds it at once. @throws HttpError if nothing was refunded */
  send(context: Context, request: OperatorRequest): Promise<DoneKey>;
};

export const paymentRefund: RefundSubject = {
  place: 'payments',
  read: readForPayment,
  readConfirmed: readForPayment,
  async send(context, { by, params, body, log }) {
    const svcUid = params['svc_uid'];
    if (!isSvcUid(svcUid)) throw new HttpError(paymentErrors.payment_not_found);
    const { amount = null, tax_free: taxFree = null, reason, checksum, refund_account } = parseRefund(body);
    const result = await refundPayment(context, {
      svcUid,
      amount,
      taxFree,
      reason,
      // Also for a full refund: a partial refund made meanwhile is then reported.
      checksum,
      refundAccount: refund_account ?? null,
      requestedBy: by,
    });
    log({ ...(await refundFacts(context, { svcUid, amount: amount ?? checksum })), outcome: result.kind });
    return doneWith(result);
  },
};

async function readForPayment(context: Context, { params, body }: OperatorRequest): Promise<WantedRefund> {
  const { svc_uid: svcUid } = params;
  const payment = isSvcUid(svcUid) ? await findPayment(context, svcUid) : null;
  if (!payment) throw new HttpError(paymentErrors.payment_not_found);
  const { how, amount: part, tax_free: taxFree = null, checksum, reason } = parseRefund(body);
  const held = heldByPayment(payment);
  if (held === 0) throw new HttpError(refundErrors.nothing_to_cancel);
  if (held !== checksum) throw new HttpError(refundErrors.balance_differs);
  const amount = part ?? held;
  if (amount > held) throw new HttpError(refundErrors.amount_exceeds_balance);
  if (taxFree !== null && taxFree > amount) throw paymentFieldError('tax_free_exceeds_amount');
  const { currency, cardName, cardNumber, payMethod } = payment;
  return {
    svcUid: payment.svcUid,
    discrepancyId: null,
    amount,
    taxFree,
    held,
    balance: held,
    ...{ currency, cardName, cardNumber, payMethod, reason },
    fields: {
      how,
      checksum: String(held),
      reason,
      ...(part !== undefined && { amount: String(part) }),
      ...(taxFree !== null && { tax_free: String(taxFree) }),
    },
  };
}

export const discrepancyRefund: RefundSubject = {
  place: 'actionQueue',
  read: readForDiscrepancy,
  async readConfirmed(context, request) {
    const { checksum } = parseDiscrepancyRefund(request.body, request.by);
    const wanted = await readForDiscrepancy(context, request);
    if (wanted.isResolved) throw new HttpError(attemptErrors.already_settled);
    if (wanted.balance !== checksum) throw new HttpError(refundErrors.balance_differs);
    return wanted;
  },
  async send(context, { by, params, body, log }) {
    const id = discrepancyId(params['id']);
    const { reason, checksum, refund_account: refundAccount = null } = parseDiscrepancyRefund(body, by);
    const { svcUid, merchantUid } = await readDiscrepancy(context, id);
    const result = await refundDiscrepancy(context, { id, reason, by, checksum, refundAccount });
    const ids = { discrepancy_id: String(id), svc_uid: svcUid, merchant_uid: merchantUid };
    log({ ...ids, ...(checksum !== null && { amount: checksum }), outcome: result.kind });
    return doneWith(result);
  },
};

/** The payment may have no row, so the service is asked what it holds. */
async function readForDiscrepancy(
  context: Context,
  { params, body }: OperatorRequest,
): Promise<WantedRefund & { isResolved: boolean }> {
  const { id, svcUid, resolvedAt } = await readDiscrepancy(context, discrepancyId(params['id']));
  const { reason } = parseRequest(discrepancyRefundSchema.pick({ reason: true }), {
    reason: formFields(body)['reason'],
  });
  if (!isSvcUid(svcUid)) throw new HttpError(refundErrors.svc_uid_unusable);
  const shown = await fetchHeldMoney(context, svcUid);
  if (!shown) throw new HttpError(paymentErrors.payment_not_found);
  if (shown.held === 0) throw new HttpError(refundErrors.nothing_to_cancel);
  const balance = wholeBalance(shown);
  const { currency, cardName, cardNumber, payMethod } = shown.record;
  return {
    svcUid,
    discrepancyId: id,
    isResolved: resolvedAt !== null,
    amount: balance,
    taxFree: null,
    held: shown.held,
    balance,
    ...{ currency, cardName, cardNumber, payMethod, reason },
    fields: { checksum: balance === null ? NO_WHOLE_BALANCE : String(balance), reason },
  };
}
