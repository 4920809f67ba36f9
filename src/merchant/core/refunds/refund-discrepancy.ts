// Refunds in full a payment that did not fit (§4.9), without recording it as paid. A discrepancy may name a genuine
// payment, such as one replayed for another order. So the payment is first synced for the order that the service names,
// and a payment that pays for one of our orders is not refunded here.

import type { DiscrepancyKind } from '../../../generated/prisma/client';
import { isSvcUid } from '../../payment-service/identifiers';
import type { RefundAccount } from '../../payment-service/refunds';
import type { Context } from '../../platform/context';
import { VALUE_REFUSED } from '../../platform/errors';
import { fetchHeldMoney, heldByPayment, wholeAmount, type HeldMoney } from '../attempts/held-money';
import { findDiscrepancy, hasOpenDiscrepancy, type StoredDiscrepancy } from '../discrepancies/store';
import { RECORD_UNREADABLE } from '../discrepancies/unreadable-record';
import { findOrder } from '../orders/order-store';
import { findPayment, type StoredPayment } from '../payments/payment-store';
import { syncPayment } from '../payments/sync-payment';
import {
  findAccountProblem,
  refundPayment,
  submitRefund,
  type PreparedRefund,
  type RefundOutcome,
} from './refund-payment';
import { findBlockingRefund } from './refund-store';

type DiscrepancyRefund = {
  id: bigint;
  reason: string;
  by: string;
  /**
   * The balance that was to be refunded, as a person has seen it; null if it was no whole number. Absent to refund what
   * there is.
   */
  checksum?: number | null;
  /** For a deposit to a virtual account; null otherwise. It is used only in the call. */
  refundAccount: RefundAccount | null;
  /** Won that may be refunded of the payment in all; null or absent for no limit. */
  limit?: number | null;
};

export type DiscrepancyRefundOutcome =
  | RefundOutcome
  | { kind: 'not_found' }
  /** A discrepancy of this kind is not about money that could be refunded. */
  | { kind: 'discrepancy_not_refundable' }
  /** The service knows no such payment. */
  | { kind: 'payment_unknown' }
  /** The id of the payment has characters that are not used in a request. */
  | { kind: 'svc_uid_unusable' }
  | { kind: Genuine };

type Genuine =
  /** It pays for one of our orders. */
  | 'payment_pays_order'
  /** What the service shows cannot be verified now, so the payment may be genuine. */
  | 'payment_not_judged';

/** There is no payment at the service, its money was already refunded, or it is not about the money. */
const WITHOUT_MONEY: DiscrepancyKind[] = ['unknown_payment', 'status_went_back', 'unknown_billing_key'];
/** Kinds that are stored about a payment that fits its order. */
const OF_FITTING_PAYMENTS: DiscrepancyKind[] = [
  'duplicate_payment',
  'paid_after_close',
  'foreign_billing_key',
];
/** Reasons for which a payment cannot be verified or stored, so that a person is asked. */
const REVIEW_REASONS = [
  'currency_missing',
  'payer_not_shown',
  'cancellation_contradicts',
  RECORD_UNREADABLE,
  VALUE_REFUSED,
];

/**
 * @throws ServiceError if the service could not be asked, DatabaseError when the refund could not be written; nothing
 * was then sent
 */
export async function refundDiscrepancy(
  context: Context,
  { id, reason, by, checksum, refundAccount, limit = null }: DiscrepancyRefund,
): Promise<DiscrepancyRefundOutcome> {
  const discrepancy = await findDiscrepancy(context, id);
  if (!discrepancy) return { kind: 'not_found' };
  if (discrepancy.resolvedAt) return { kind: 'already_settled' };
  if (WITHOUT_MONEY.includes(discrepancy.kind)) return { kind: 'discrepancy_not_refundable' };
  const { svcUid } = discrepancy;
  if (!isSvcUid(svcUid)) return { kind: 'svc_uid_unusable' };
  const shown = await fetchHeldMoney(context, svcUid);
  if (!shown) return { kind: 'payment_unknown' };
  if (shown.held === 0) return { kind: 'nothing_to_cancel' };
  if (checksum !== undefined && wholeBalance(shown) !== checksum) return { kind: 'balance_differs' };
  const merchantUid = shown.record.merchantUid ?? discrepancy.merchantUid;
  const genuine = await findGenuine(context, discrepancy, merchantUid);
  if (genuine) return { kind: genuine };
  const request = { svcUid, reason, refundAccount, discrepancyId: id, requestedBy: by, limit };
  return (await findPayment(context, svcUid))
    ? refundPayment(context, { ...request, amount: null, checksum: null })
    : refundUnstored(context, request, shown);
}

/**
 * Whether the payment may be genuine. It is synced for the order that the service names.
 * Returns null if it may be refunded.
 */
async function findGenuine(
  context: Context,
  discrepancy: StoredDiscrepancy,
  merchantUid: string,
): Promise<Genuine | null> {
  const { kind, svcUid } = discrepancy;
  const { outcome, reason } = await syncPayment(context, { svcUid, merchantUid });
  switch (outcome) {
    case 'recorded':
    case 'unchanged':
      return findUseOfFitting(context, discrepancy, merchantUid);
    case 'queued':
      return kind === 'needs_review' && REVIEW_REASONS.includes(reason ?? '')
        ? findUseOfStored(context, discrepancy)
        : 'payment_not_judged';
    case 'unknown_payment':
      return 'payment_not_judged';
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
    case 'unknown_order':
    case 'unknown_billing_key':
      return findUseOfStored(context, discrepancy);
  }
}

/**
 * A payment that fits is refunded only for a discrepancy about itself, and a second payment only while the first one
 * pays.
 */
async function findUseOfFitting(
  context: Context,
  { kind, svcUid, merchantUid }: StoredDiscrepancy,
  paidFor: string,
): Promise<Genuine | null> {
  if (merchantUid !== paidFor || !OF_FITTING_PAYMENTS.includes(kind)) return 'payment_pays_order';
  if (kind !== 'duplicate_payment') return null;
  const payments = (await findOrder(context, merchantUid))?.payments ?? [];
  for (const other of payments.filter((each) => each.svcUid !== svcUid && pays(each))) {
    // If the other payment is being refunded too, it may soon no longer pay.
    if (!(await findBlockingRefund(context, other.svcUid))) return null;
  }
  return 'payment_pays_order';
}

/**
 * A payment that no longer fits may be stored under another order. If that order and payment have no open discrepancy,
 * it pays there.
 */
async function findUseOfStored(
  context: Context,
  { svcUid, merchantUid }: StoredDiscrepancy,
): Promise<Genuine | null> {
  const stored = await findPayment(context, svcUid);
  if (!stored || stored.merchantUid === merchantUid || !pays(stored)) return null;
  const isContested = await hasOpenDiscrepancy(context, { svcUid, merchantUid: stored.merchantUid });
  return isContested ? null : 'payment_pays_order';
}

function pays(payment: StoredPayment): boolean {
  return payment.counted && heldByPayment(payment) > 0;
}

/** Null if it is unknown, or has a fraction, which a refund cannot name. */
export function wholeBalance({ held }: HeldMoney): number | null {
  return held === null || wholeAmount(held) === null ? null : held;
}

/**
 * The payment has no row, so the balance is what the service has just shown. If that is no whole number, the service is
 * asked to refund all that is left.
 */
async function refundUnstored(
  context: Context,
  request: Pick<
    PreparedRefund,
    'svcUid' | 'reason' | 'refundAccount' | 'discrepancyId' | 'requestedBy' | 'limit'
  >,
  shown: HeldMoney,
): Promise<RefundOutcome> {
  const { record } = shown;
  const balance = wholeBalance(shown);
  const accountProblem = findAccountProblem(record.payMethod, request.refundAccount);
  if (accountProblem) return { kind: accountProblem };
  return submitRefund(context, {
    ...request,
    amount: balance,
    taxFree: null,
    currency: record.currency,
    balance,
    cancelledBefore: Number(wholeAmount(record.cancelAmount) ?? 0),
    isStored: false,
  });
}
