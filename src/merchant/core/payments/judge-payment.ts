// Verifies a payment: compares what the merchant expected, what is stored and what the service answered, and returns a
// verdict and what to write. No I/O and no clock. This file defines "verified" (§6.4).

import { isDeepStrictEqual } from 'node:util';
import type { DiscrepancyKind, OrderStatus, PaymentStatus } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { OrderEvent } from '../../shop/event';
import { heldAmount } from '../attempts/held-money';
import { comparedText, type Discrepancy, type MismatchKind } from '../discrepancies/kinds';
import type { ReportedIds } from './fetch-payment';
import type { IssuedKey } from './issued-key';
import { orderEventType, orderStatus, refundedAmount } from './order-status';
import type { Snapshot } from './payment-store';
import type { VerifiedPayment } from './row';

export type Verdict =
  /** It fits: the payment is stored, and the status of the order follows. */
  | {
      outcome: 'recorded';
      payment: VerifiedPayment;
      orderStatus: OrderStatus;
      /** The refunded amount of the order, before and now. */
      refunded: { before: number; now: number };
      /** Null if there is no event for the shop. */
      event: OrderEvent['type'] | null;
      discrepancies: Discrepancy[];
    }
  /**
   * It fits and is already stored like this. Or its amount is wrong, but nothing was paid and nothing is stored. Or it is a
   * payment of 0 that issues a billing key: it is never stored.
   */
  | { outcome: 'unchanged'; payment: Pick<VerifiedPayment, 'status'>; discrepancies: [] }
  /** It was checked and is false. The only effect is one discrepancy. */
  | { outcome: MismatchKind; discrepancies: [Discrepancy] }
  /**
   * The answer of the service is not enough to verify it. It is fetched again later, after `putOffMs` if that is set.
   */
  | { outcome: 'queued'; reason: string; discrepancies: Discrepancy[]; putOffMs?: number }
  /**
   * The service shows an earlier state than is stored. It is fetched again some seconds later before we accept that.
   */
  | { outcome: 'needs_confirmation'; svcUid: string };

/**
 * The kind of channel that the payment was made over; a test channel moves no money. `not_shown`: the newer
 * generation's record does not say (§9), and there is no legacy record.
 */
export type Channel = 'live' | 'test' | 'not_shown';

export type Evidence = {
  reported: ReportedIds;
  snapshot: Snapshot;
  /** The answer of §4.4 or of the newer generation; null if the service knows no such payment. */
  record: PaymentRecord | null;
  /** Whether the record can show the billing key that paid. A record of only the newer generation cannot. */
  showsPayer: boolean;
  channel: Channel;
  /** The member who owns the billing key that paid; null if unknown or if there is none. */
  keyOwner: string | null;
  /** The billing key that it has issued; null if it has issued none. */
  issuedKey: IssuedKey | null;
  /** True if a fetch some seconds earlier also showed an earlier state than is stored. */
  confirmed: boolean;
  /** False in production, where a payment counts only if its record shows a live channel. */
  acceptsTestPayments: boolean;
};

export function judgePayment(evidence: Evidence): Verdict {
  const { reported, snapshot, record, keyOwner, issuedKey, confirmed } = evidence;
  if (record === null) return mismatch('unknown_payment', reported.svcUid, null);
  // A notification of the newer generation may name an earlier attempt; the primary transaction counts.
  if (record.svcUid !== reported.svcUid && !record.otherSvcUids.includes(reported.svcUid)) {
    return mismatch('order_mismatch', reported.svcUid, record.svcUid);
  }
  // A genuine payment replayed for another order must not pay for it.
  if (record.merchantUid !== reported.merchantUid) {
    return mismatch('order_mismatch', reported.merchantUid, record.merchantUid);
  }
  if (snapshot.storedUnder !== null && snapshot.storedUnder !== reported.merchantUid) {
    return mismatch('order_mismatch', snapshot.storedUnder, reported.merchantUid);
  }
  const mustBeLive = !evidence.acceptsTestPayments;
  if (mustBeLive && evidence.channel === 'test') {
    return mismatch('order_mismatch', comparedText('live_payment'), comparedText('test_payment'));
  }
  const { order } = snapshot;
  if (order === null && isAboutKey(record)) return judgeKey(record, issuedKey);
  if (order === null) return mismatch('unknown_order', null, moneyOf(record));
  // Same result as in the legacy generation, which hides payments of test channels. With `queued`, anyone who can
  // choose a channel could make us fetch for a week. A legacy record that appears late is found by a retry within ten
  // minutes, and later by reconciliation.
  if (mustBeLive && evidence.channel === 'not_shown') {
    return mismatch('unknown_payment', comparedText('live_payment'), comparedText('no_channel'));
  }

  const { status, currency } = record;
  if (status === 'unknown') return queued('unknown_status');
  // `currency` is optional in §2.4, and an amount without a currency proves nothing.
  if (currency === null) return review('currency_missing', order.currency, null);
  const stored = snapshot.payments.find((payment) => payment.svcUid === record.svcUid);
  const isAsOrdered = currency === order.currency && record.amount === order.amount;
  // Anyone can start a payment of one won. While it is unpaid it is not a payment of the order and not reported: a
  // stored row would show a wrong amount and offer its account to the buyer. Once it is paid, it is fetched again and
  // is a mismatch.
  if (!isAsOrdered && !stored && isUnpaid(record))
    return { outcome: 'unchanged', payment: { status }, discrepancies: [] };
  if (currency !== order.currency) return mismatch('currency_mismatch', order.currency, currency);
  if (record.amount !== order.amount) {
    return mismatch('amount_mismatch', money(order.amount, currency), money(record.amount, currency));
  }
  if (order.memberId !== null && !evidence.showsPayer) {
    return review('payer_not_shown', comparedText('paying_key'), null);
  }
  const contradiction = cancellationContradiction(record);
  if (contradiction)
    return review('cancellation_contradicts', comparedText('at_most', record.amount), contradiction);

  // If it had regressed, it is written again to clear that mark.
  if (stored?.regressedAt === null && isDeepStrictEqual(stored.record, record.raw)) {
    return { outcome: 'unchanged', payment: { status }, discrepancies: [] };
  }

  const fetched = { status, amount: record.amount, cancelAmount: record.cancelAmount };
  const hasRegressed = stored !== undefined && progress(fetched) < progress(stored);
  if (hasRegressed && !confirmed) return { outcome: 'needs_confirmation', svcUid: record.svcUid };

  const foreignKey = order.memberId !== null && keyOwner !== null && keyOwner !== order.memberId;
  const counted = !foreignKey;
  const others = snapshot.payments.filter((payment) => payment.svcUid !== record.svcUid);
  const newlyHolds = heldAmount(fetched) > 0 && (stored === undefined || heldAmount(stored) === 0);
  const discrepancies: Discrepancy[] = [];
  if (foreignKey)
    discrepancies.push(
      discrepancy('foreign_billing_key', comparedText('own_key'), comparedText('foreign_key')),
    );
  if (issuedKey?.kind === 'unknown') discrepancies.push(unknownKey(issuedKey));
  if (hasRegressed) discrepancies.push(discrepancy('status_went_back', stored.status, status));
  if (newlyHolds && others.some((payment) => payment.counted && heldAmount(payment) > 0)) {
    discrepancies.push(
      discrepancy('duplicate_payment', comparedText('one_payment'), money(record.amount, currency)),
    );
  } else if (newlyHolds && (order.status === 'cancelled' || order.status === 'closed')) {
    discrepancies.push(discrepancy('paid_after_close', order.status, money(record.amount, currency)));
  }
  const paymentsNow = [...others, { ...fetched, counted }];
  const statusNow = orderStatus(order.status, paymentsNow);
  const refunded = { before: refundedAmount(snapshot.payments), now: refundedAmount(paymentsNow) };
  return {
    outcome: 'recorded',
    payment: { record, status, currency, counted },
    orderStatus: statusNow,
    refunded,
    event: orderEventType(
      { status: order.status, refunded: refunded.before },
      { status: statusNow, refunded: refunded.now },
    ),
    discrepancies,
  };
}

/** A payment of 0 moves no money and pays for nothing: it issues a key, or it was an attempt to. */
function isAboutKey(record: PaymentRecord): record is PaymentRecord & { status: PaymentStatus } {
  return record.amount === 0 && record.customerUid !== null && record.status !== 'unknown';
}

function judgeKey({ status }: { status: PaymentStatus }, issuedKey: IssuedKey | null): Verdict {
  if (issuedKey?.kind === 'unknown')
    return { outcome: 'unknown_billing_key', discrepancies: [unknownKey(issuedKey)] };
  return { outcome: 'unchanged', payment: { status }, discrepancies: [] };
}

/** A person finds the key by `actual`. */
function unknownKey({ customerUid, expected }: Extract<IssuedKey, { kind: 'unknown' }>): Discrepancy {
  return discrepancy('unknown_billing_key', expected, customerUid);
}

/** A cancelled payment that was never paid was a virtual account without a deposit. */
function isUnpaid({ status, cancelAmount, paidAt }: PaymentRecord): boolean {
  if (cancelAmount > 0) return false;
  return status === 'cancelled' ? paidAt === null : status === 'ready' || status === 'failed';
}

/** How far money has moved: 0 for unpaid, 1 for paid, and more with each amount refunded. */
function progress({ status, cancelAmount }: { status: PaymentStatus; cancelAmount: number }): number {
  if (status === 'cancelled' && cancelAmount === 0) return Number.MAX_SAFE_INTEGER;
  return status === 'paid' || status === 'cancelled' ? 1 + cancelAmount : 0;
}

/**
 * What contradicts itself: more was cancelled than paid, or the history (optional) has another sum. Null if nothing
 * does.
 */
function cancellationContradiction(record: PaymentRecord): string | null {
  if (record.cancelAmount > record.amount) return comparedText('cancelled', record.cancelAmount);
  if (record.cancelHistory.length === 0) return null;
  let sum = 0;
  for (const { amount } of record.cancelHistory) {
    if (amount === null) return comparedText('history_unreadable');
    sum += amount;
  }
  if (sum !== record.cancelAmount) return comparedText('cancelled_otherwise', record.cancelAmount, sum);
  return null;
}

/** Null without a currency, because then the amount proves nothing. */
function moneyOf({ amount, currency }: PaymentRecord): string | null {
  return currency === null ? null : money(amount, currency);
}

function money(amount: number, currency: string): string {
  return `${amount} ${currency}`;
}

function discrepancy(kind: DiscrepancyKind, expected: string | null, actual: string | null): Discrepancy {
  return { kind, expected, actual };
}

function mismatch(kind: MismatchKind, expected: string | null, actual: string | null): Verdict {
  return { outcome: kind, discrepancies: [discrepancy(kind, expected, actual)] };
}

function queued(reason: string): Verdict {
  return { outcome: 'queued', reason, discrepancies: [] };
}

function review(reason: string, expected: string | null, actual: string | null): Verdict {
  return { outcome: 'queued', reason, discrepancies: [discrepancy('needs_review', expected, actual)] };
}
