// The judgement: what the merchant expected, what it has stored, and what the service said when asked, in; a verdict
// and what is to be written, out. No I/O, no clock: the place to read what "checked" means (§6.4).

import { isDeepStrictEqual } from 'node:util';
import { heldAmount, orderStatus } from '../orders/order-status';
import type { CountedPayment, OrderStatus, PaymentStatus } from '../orders/order-status';
import type { PaymentRecord } from '../payment-service/records';

/** What the database knew before the fetch began. */
export type Snapshot = {
  order: {
    merchantUid: string;
    amount: number;
    currency: string;
    memberId: string | null;
    status: OrderStatus;
    /** Moves on with every write to the order or one of its payments. */
    version: number;
  } | null;
  /** All payments of that order; `record` is filled for the one that is looked at. */
  payments: (CountedPayment & { svcUid: string; record: unknown })[];
  /** The order under which this svc_uid is stored already, if any. */
  storedUnder: string | null;
};

/** What a notification, a list or a person says to be so: which payment, for which order. */
export type Claim = { svcUid: string; merchantUid: string };

export type MismatchKind =
  'amount_mismatch' | 'currency_mismatch' | 'order_mismatch' | 'unknown_order' | 'unknown_payment';
export type DoubtKind =
  'duplicate_payment' | 'paid_after_close' | 'status_went_back' | 'foreign_billing_key' | 'needs_review';
export type Finding = { kind: MismatchKind | DoubtKind; expected: string | null; actual: string | null };

export type VerifiedPayment = {
  record: PaymentRecord;
  status: PaymentStatus;
  currency: string;
  counted: boolean;
};

export type Verdict =
  /** It fits: the payment is stored and the order follows. */
  | { outcome: 'recorded'; payment: VerifiedPayment; orderStatus: OrderStatus; findings: Finding[] }
  | { outcome: 'unchanged'; payment: Pick<VerifiedPayment, 'status'>; findings: [] }
  /** It was checked and is false: one discrepancy, nothing else. */
  | { outcome: MismatchKind; findings: [Finding] }
  /** The service's test button names a payment that does not exist. */
  | { outcome: 'test'; findings: [] }
  /** It cannot be judged on what the service said: asked again later. */
  | { outcome: 'queued'; reason: string; findings: Finding[] }
  /** The service is behind what is stored: ask once more before it is believed. */
  | { outcome: 'doubtful' };

export type Evidence = {
  claim: Claim;
  snapshot: Snapshot;
  /** The answer of §4.4 or of the newer generation; null where the service knows no such payment. */
  record: PaymentRecord | null;
  /** Member who owns the billing key that paid; null where unknown or none. */
  keyOwner: string | null;
  /** True when the answer repeats what a fetch just before it said. */
  confirmed: boolean;
  /** Whether the claim came from the address of the service's test button (§6.3). */
  fromTestButton: boolean;
};

export function judgePayment(evidence: Evidence): Verdict {
  const { claim, snapshot, record, keyOwner, confirmed } = evidence;
  if (record === null) {
    if (evidence.fromTestButton) return { outcome: 'test', findings: [] };
    return mismatch('unknown_payment', claim.svcUid, null);
  }
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
  const { order } = snapshot;
  if (order === null) return mismatch('unknown_order', null, claim.merchantUid);

  const { status, currency } = record;
  if (status === 'unknown') return queued('unknown_status');
  // `currency` is optional in §2.4, and an amount without one proves nothing.
  if (currency === null) return review('currency_missing', order.currency, null);
  if (currency !== order.currency) return mismatch('currency_mismatch', order.currency, currency);
  if (record.amount !== order.amount) {
    return mismatch('amount_mismatch', money(order.amount, currency), money(record.amount, currency));
  }
  const contradiction = cancellationContradiction(record);
  if (contradiction) return review('cancellation_contradicts', `at most ${record.amount}`, contradiction);

  const stored = snapshot.payments.find((payment) => payment.svcUid === record.svcUid);
  if (stored && isDeepStrictEqual(stored.record, record.raw)) {
    return { outcome: 'unchanged', payment: { status }, findings: [] };
  }

  const fetched = { status, amount: record.amount, cancelAmount: record.cancelAmount };
  const wentBack = stored !== undefined && progress(fetched) < progress(stored);
  if (wentBack && !confirmed) return { outcome: 'doubtful' };

  const foreignKey = order.memberId !== null && keyOwner !== null && keyOwner !== order.memberId;
  const counted = !foreignKey;
  const others = snapshot.payments.filter((payment) => payment.svcUid !== record.svcUid);
  const newlyHolds = heldAmount(fetched) > 0 && (stored === undefined || heldAmount(stored) === 0);
  const findings: Finding[] = [];
  if (foreignKey)
    findings.push(finding('foreign_billing_key', 'a key of the order’s member', 'a key of another member'));
  if (wentBack) findings.push(finding('status_went_back', stored.status, status));
  if (newlyHolds && others.some((payment) => payment.counted && heldAmount(payment) > 0)) {
    findings.push(finding('duplicate_payment', 'one payment', money(record.amount, currency)));
  } else if (newlyHolds && order.status === 'cancelled') {
    findings.push(finding('paid_after_close', 'cancelled', money(record.amount, currency)));
  }
  return {
    outcome: 'recorded',
    payment: { record, status, currency, counted },
    orderStatus: orderStatus([...others, { ...fetched, counted }]),
    findings,
  };
}

/** Whether a status word of a notification promises more than the service confirmed: it may lag behind itself. */
export function promisesMore(claimedStatus: string | null, fetched: PaymentStatus): boolean {
  const claimed = (claimedStatus ?? '').toLowerCase();
  const steps: Record<string, number> = {
    ready: 0,
    virtual_account_issued: 0,
    failed: 0,
    paid: 1,
    cancelled: 2,
  };
  return (steps[claimed] ?? 0) > (steps[fetched] ?? 0);
}

/** How far money has moved: not at all, in, and back out by so much. */
function progress({ status, cancelAmount }: { status: PaymentStatus; cancelAmount: number }): number {
  if (status === 'cancelled' && cancelAmount === 0) return Number.MAX_SAFE_INTEGER;
  return status === 'paid' || status === 'cancelled' ? 1 + cancelAmount : 0;
}

/** Null, or what contradicts itself: more cancelled than paid, or a history with another sum. The history is optional. */
function cancellationContradiction(record: PaymentRecord): string | null {
  if (record.cancelAmount > record.amount) return `cancelled ${record.cancelAmount}`;
  if (record.cancelHistory.length === 0) return null;
  let sum = 0;
  for (const { amount } of record.cancelHistory) {
    if (amount === null) return 'history without an amount';
    sum += amount;
  }
  if (sum !== record.cancelAmount) return `cancelled ${record.cancelAmount}, history ${sum}`;
  return null;
}

function money(amount: number, currency: string): string {
  return `${amount} ${currency}`;
}

function finding(kind: Finding['kind'], expected: string | null, actual: string | null): Finding {
  return { kind, expected, actual };
}

function mismatch(kind: MismatchKind, expected: string | null, actual: string | null): Verdict {
  return { outcome: kind, findings: [finding(kind, expected, actual)] };
}

function queued(reason: string): Verdict {
  return { outcome: 'queued', reason, findings: [] };
}

function review(reason: string, expected: string | null, actual: string | null): Verdict {
  return { outcome: 'queued', reason, findings: [finding('needs_review', expected, actual)] };
}
