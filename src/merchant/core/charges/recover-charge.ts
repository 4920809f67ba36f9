// Recovers the outcome of a charge from what the service shows, right after its call and by polls if the answer was
// lost. A charge is never sent again, and until it is resolved its order accepts no other charge.

import type { PaymentStatus } from '../../../generated/prisma/client';
import type { ScheduleRecord } from '../../payment-service/schedules';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import type { Finding, Recovery } from '../attempts/recover-attempt';
import { reportReview } from '../attempts/report-review';
import { heldByPayment } from '../payments/held-money';
import { findPayment } from '../payments/payment-store';
import { syncOrder, syncPayment } from '../payments/sync-payment';
import { belongsToCharge } from './charge-id';
import { closeCharge, findOpenCharge, markScheduled, markUnjudged, type OpenCharge } from './charge-store';

export const chargeRecovery: Recovery<OpenCharge> = {
  kind: 'charge',
  find: findOpenCharge,

  async ask(context, charge) {
    const result = await lookUp(context, charge);
    switch (result.kind) {
      case 'payment':
        return recordBySvcUid(context, charge, result.svcUid);
      case 'scheduled':
        if (charge.status === 'scheduled') return { kind: 'unknown' };
        await markScheduled(context, charge.id);
        return { kind: 'resolved', outcome: 'scheduled' };
      case 'revoked':
        await closeCharge(context, charge.id, 'revoked');
        return { kind: 'resolved', outcome: 'revoked' };
      case 'not_found':
        return { kind: 'not_found' };
      case 'something_else':
        return { kind: 'not_found', suspicious: true };
    }
  },

  async recordNotFound(context, { id, status }, { suspicious }) {
    // The service had the schedule and no longer has it. A person has to decide.
    const outcome = suspicious || status === 'scheduled' ? 'needs_review' : 'not_executed';
    const reason = suspicious ? 'something_else' : 'not_found';
    await closeCharge(context, id, outcome, { reason });
    if (outcome === 'needs_review') reportReview(context, 'charge', id, reason);
    return outcome;
  },

  logFields: ({ merchantUid, kind }) => ({ merchant_uid: merchantUid, charge_kind: kind }),
};

async function recordBySvcUid(context: Context, charge: OpenCharge, svcUid: string): Promise<Finding> {
  const { kind } = await recordChargeOutcome(context, charge, svcUid);
  return kind === 'unknown' ? { kind } : { kind: 'resolved', outcome: kind };
}

type LookupResult =
  /** The payment that comes from the charge. */
  | { kind: 'payment'; svcUid: string }
  /** The schedule is waiting for its time. */
  | { kind: 'scheduled' }
  | { kind: 'revoked' }
  | { kind: 'not_found' }
  /** Something that is not known to come from the charge, but may still take the money. */
  | { kind: 'something_else' };

/**
 * Looks up an open charge whose payment the service has not named, by the merchant_uid of its order: among the order's
 * payments for an immediate charge, or in the schedule record (§2.5) for a scheduled one.
 * @throws ServiceError if the service could not be asked, DatabaseError
 */
async function lookUp(context: Context, charge: OpenCharge): Promise<LookupResult> {
  if (charge.svcUid !== null) return { kind: 'payment', svcUid: charge.svcUid };
  return charge.kind === 'schedule' ? lookUpSchedule(context, charge) : lookUpPayment(context, charge);
}

async function lookUpPayment(context: Context, { id, merchantUid }: OpenCharge): Promise<LookupResult> {
  // All payments of the order are stored, whatever charge they come from: a paid order cannot be charged again, even if
  // the service does not echo the charge id.
  const payments = await syncOrder(context, merchantUid);
  const payment = payments.find(({ record }) => belongsToCharge(id, record));
  return payment ? { kind: 'payment', svcUid: payment.record.svcUid } : { kind: 'not_found' };
}

async function lookUpSchedule(context: Context, { id, merchantUid }: OpenCharge): Promise<LookupResult> {
  const record = await findSchedule(context, merchantUid);
  if (!record) return { kind: 'not_found' };
  // An earlier schedule of the same order says nothing about this charge, unless it is still waiting.
  if (!belongsToCharge(id, record))
    return record.status === 'scheduled' ? { kind: 'something_else' } : { kind: 'not_found' };
  switch (record.status) {
    case 'scheduled':
      return { kind: 'scheduled' };
    case 'revoked':
      return { kind: 'revoked' };
    case 'executed':
      return record.svcUid === null ? { kind: 'something_else' } : { kind: 'payment', svcUid: record.svcUid };
    case 'unknown':
      return { kind: 'something_else' };
  }
}

/**
 * The schedule of an order at the service (§2.5), which may belong to another charge. Returns null if there is none.
 */
export async function findSchedule(
  { service }: Context,
  merchantUid: string,
): Promise<ScheduleRecord | null> {
  try {
    return await service.getScheduleByMerchantUid(merchantUid);
  } catch (error) {
    if (error instanceof ServiceError && error.facts.kind === 'not_found') return null;
    throw error;
  }
}

export type ChargeFinding =
  | { kind: 'paid' }
  /**
   * There is a payment, but it holds no money. The reason is the card company's, masked and shortened by the client.
   */
  | { kind: 'declined'; reason: string | null }
  /** There is a payment, but it does not fit the order. Its discrepancy says why. */
  | { kind: 'needs_review' }
  /** The payment cannot be verified yet. The charge stays open, with the payment's svc_uid. */
  | { kind: 'unknown' };

/**
 * Resolves a charge by the payment that the service has named: syncs it (`payments/sync-payment.ts`) and decides by the
 * stored payment. What the answer of the call says about money is not trusted (§6.4).
 * @throws DatabaseError; the charge then stays open and is polled
 */
export async function recordChargeOutcome(
  context: Context,
  { id, merchantUid }: { id: string; merchantUid: string },
  svcUid: string,
): Promise<ChargeFinding> {
  const { outcome, status } = await syncPayment(context, { svcUid, merchantUid });
  switch (outcome) {
    case 'recorded':
    case 'unchanged':
      return recordByPayment(context, id, { svcUid, shown: status });
    // The service's replicas may lag behind its answer.
    case 'queued':
    case 'unknown_payment':
      await markUnjudged(context, id, { svcUid, reason: outcome });
      return { kind: 'unknown' };
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
    case 'unknown_order':
      await closeCharge(context, id, 'needs_review', { svcUid, reason: outcome });
      reportReview(context, 'charge', id, outcome);
      return { kind: 'needs_review' };
  }
}

async function recordByPayment(
  context: Context,
  id: string,
  { svcUid, shown }: { svcUid: string; shown: PaymentStatus | null },
): Promise<ChargeFinding> {
  const payment = await findPayment(context, svcUid);
  if ((payment?.status ?? shown) === 'ready') {
    await markUnjudged(context, id, { svcUid, reason: 'ready' });
    return { kind: 'unknown' };
  }
  if (!payment) {
    // The amount is wrong and nothing is paid, so the payment is not stored.
    await closeCharge(context, id, 'failed', { svcUid, reason: null });
    return { kind: 'declined', reason: null };
  }
  const { status, counted, failReason, cancelReason } = payment;
  if (status === 'failed') {
    await closeCharge(context, id, 'failed', { svcUid, reason: failReason });
    return { kind: 'declined', reason: failReason };
  }
  if (heldByPayment(payment) === 0) {
    // Taken and refunded at once, for example by a card company that cancels what it cannot confirm.
    const reason = cancelReason ?? 'cancelled';
    await closeCharge(context, id, 'failed', { svcUid, reason });
    return { kind: 'declined', reason };
  }
  // Money moved but does not pay for the order. Another charge would take it twice.
  if (!counted) {
    await closeCharge(context, id, 'needs_review', { svcUid, reason: 'not_counted' });
    reportReview(context, 'charge', id, 'not_counted');
    return { kind: 'needs_review' };
  }
  await closeCharge(context, id, 'paid', { svcUid });
  return { kind: 'paid' };
}
