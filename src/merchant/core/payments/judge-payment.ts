// The judgement: in go what the merchant expected, what is stored, and what the service said when asked; out come a
// verdict and what is to be written. It has no I/O and no clock. This file says what "verified" means (§6.4).

import { isDeepStrictEqual } from 'node:util';
import type { DiscrepancyKind, OrderStatus, PaymentStatus } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { OrderEvent } from '../../shop/event';
import { comparedText } from './discrepancy-kinds';
import type { MismatchKind } from './discrepancy-kinds';
import type { Claim } from './fetch-payment';
import { heldAmount, orderEventType, orderStatus, refundedAmount } from './order-status';
import type { VerifiedPayment } from './payment-columns';
import type { Snapshot } from './payment-store';

export type Discrepancy = { kind: DiscrepancyKind; expected: string | null; actual: string | null };

export type Verdict =
  /** It fits: the payment is stored and the status of the order follows. */
  | {
      outcome: 'recorded';
      payment: VerifiedPayment;
      orderStatus: OrderStatus;
      /** What has been given back of the order, before and now. */
      refunded: { before: number; now: number };
      /** Null where the shop has nothing new to hear. */
      event: OrderEvent['type'] | null;
      discrepancies: Discrepancy[];
    }
  /** It fits and is stored like this; or it is over another amount, and nothing is paid and nothing stored. */
  | { outcome: 'unchanged'; payment: Pick<VerifiedPayment, 'status'>; discrepancies: [] }
  /** It was checked and is false: one discrepancy, nothing else. */
  | { outcome: MismatchKind; discrepancies: [Discrepancy] }
  /** It cannot be judged by what the service said: it is asked again later, after `putOffMs` where that is said. */
  | { outcome: 'queued'; reason: string; discrepancies: Discrepancy[]; putOffMs?: number }
  /** The service shows an earlier state than is stored: it is asked again some seconds later before that is believed. */
  | { outcome: 'needs_confirmation'; svcUid: string };

/**
 * Over which kind of channel the payment was made; a test channel moves no money. `not_shown`: the record of the newer
 * generation does not say (§9), and there is no legacy record that does.
 */
export type Channel = 'live' | 'test' | 'not_shown';

export type Evidence = {
  claim: Claim;
  snapshot: Snapshot;
  /** The answer of §4.4 or of the newer generation; null if the service knows no such payment. */
  record: PaymentRecord | null;
  /** Whether the record would show the billing key that paid: one of the newer generation alone does not. */
  showsPayer: boolean;
  channel: Channel;
  /** The member who owns the billing key that paid; null if it is unknown or there is none. */
  keyOwner: string | null;
  /** True where a fetch some seconds before this one showed an earlier state than is stored, too. */
  confirmed: boolean;
  /** False in production, where only what shows a live channel pays. */
  acceptsTestPayments: boolean;
};

export function judgePayment(evidence: Evidence): Verdict {
  const { claim, snapshot, record, keyOwner, confirmed } = evidence;
  if (record === null) return mismatch('unknown_payment', claim.svcUid, null);
  // A notification of the newer generation may be about an earlier attempt; the primary transaction counts.
  if (record.svcUid !== claim.svcUid && !record.otherSvcUids.includes(claim.svcUid)) {
    return mismatch('order_mismatch', claim.svcUid, record.svcUid);
  }
  // A genuine payment replayed for another order must not pay for it.
  if (record.merchantUid !== claim.merchantUid) {
    return mismatch('order_mismatch', claim.merchantUid, record.merchantUid);
  }
  if (snapshot.storedUnder !== null && snapshot.storedUnder !== claim.merchantUid) {
    return mismatch('order_mismatch', snapshot.storedUnder, claim.merchantUid);
  }
  const mustBeLive = !evidence.acceptsTestPayments;
  if (mustBeLive && evidence.channel === 'test') {
    return mismatch('order_mismatch', comparedText('live_payment'), comparedText('test_payment'));
  }
  const { order } = snapshot;
  if (order === null) return mismatch('unknown_order', null, claim.merchantUid);
  // As if it were told of in the legacy generation, which hides payments of test channels. `queued` would have anybody who
  // can choose a channel keep us asking for a week. A legacy record that is late is found again within ten minutes, and
  // by reconciliation after that.
  if (mustBeLive && evidence.channel === 'not_shown') {
    return mismatch('unknown_payment', comparedText('live_payment'), comparedText('no_channel'));
  }

  const { status, currency } = record;
  if (status === 'unknown') return queued('unknown_status');
  // `currency` is optional in §2.4, and an amount without one proves nothing.
  if (currency === null) return review('currency_missing', order.currency, null);
  const stored = snapshot.payments.find((payment) => payment.svcUid === record.svcUid);
  const isAsOrdered = currency === order.currency && record.amount === order.amount;
  // Anybody can begin a payment over one won. As long as nothing is paid under it, it is no payment of the order and
  // nothing to tell anybody of: its row would show a wrong amount, its account would be offered to the buyer. Once it is
  // paid it is fetched again, and is a mismatch.
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

  // One that had gone back is written again, which says that it has not.
  if (stored?.wentBackAt === null && isDeepStrictEqual(stored.record, record.raw)) {
    return { outcome: 'unchanged', payment: { status }, discrepancies: [] };
  }

  const fetched = { status, amount: record.amount, cancelAmount: record.cancelAmount };
  const wentBack = stored !== undefined && progress(fetched) < progress(stored);
  if (wentBack && !confirmed) return { outcome: 'needs_confirmation', svcUid: record.svcUid };

  const foreignKey = order.memberId !== null && keyOwner !== null && keyOwner !== order.memberId;
  const counted = !foreignKey;
  const others = snapshot.payments.filter((payment) => payment.svcUid !== record.svcUid);
  const newlyHolds = heldAmount(fetched) > 0 && (stored === undefined || heldAmount(stored) === 0);
  const discrepancies: Discrepancy[] = [];
  if (foreignKey)
    discrepancies.push(
      discrepancy('foreign_billing_key', comparedText('own_key'), comparedText('foreign_key')),
    );
  if (wentBack) discrepancies.push(discrepancy('status_went_back', stored.status, status));
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

/** A payment that is cancelled and was never paid was a virtual account without a deposit. */
function isUnpaid({ status, cancelAmount, paidAt }: PaymentRecord): boolean {
  if (cancelAmount > 0) return false;
  return status === 'cancelled' ? paidAt === null : status === 'ready' || status === 'failed';
}

/** How far money has moved: not at all, in, and back out by so much. */
function progress({ status, cancelAmount }: { status: PaymentStatus; cancelAmount: number }): number {
  if (status === 'cancelled' && cancelAmount === 0) return Number.MAX_SAFE_INTEGER;
  return status === 'paid' || status === 'cancelled' ? 1 + cancelAmount : 0;
}

/** Returns what contradicts itself: more cancelled than paid, or a history with another sum (it is optional). Null if nothing does. */
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
