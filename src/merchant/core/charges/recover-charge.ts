// Recovers the outcome of a charge from what the service shows, right after its call and by polls if the answer was
// lost. A charge is never sent again, and until it is resolved its order accepts no other charge.

import type { PaymentStatus } from '../../../generated/prisma/client';
import { ServiceError } from '../../payment-service/records/service-error';
import type { ScheduleRecord } from '../../payment-service/schedules';
import type { Context } from '../../platform/context';
import { VALUE_REFUSED } from '../../platform/errors';
import { heldByPayment } from '../attempts/held-money';
import type { Finding, Recovery } from '../attempts/recover-attempt';
import { reportReview } from '../attempts/report-review';
import type { ReportedIds } from '../payments/fetch-payment';
import { findPayment, type StoredPayment } from '../payments/payment-store';
import { syncOrder, syncPayment } from '../payments/sync-payment';
import { belongsToCharge, isChargeId } from './charge-id';
import { closeCharge, findCharge, markScheduled, markUnjudged, type StoredCharge } from './charge-store';

export const chargeRecovery: Recovery<StoredCharge> = {
  name: 'charge',
  isId: isChargeId,
  find: findCharge,

  ask(context, charge) {
    if (charge.svcUid !== null) return resolveByPayment(context, charge, charge.svcUid);
    return charge.kind === 'schedule' ? askForSchedule(context, charge) : askForPayment(context, charge);
  },

  findDoubt({ status, revocation }, { suspicious }) {
    if (suspicious) return 'something_else';
    // The service had the schedule and no longer has it.
    return status === 'scheduled' && revocation === null ? 'not_found' : null;
  },

  async recordNotFound(context, { id }) {
    await closeCharge(context, id, 'not_executed', { reason: 'not_found' });
    return 'not_executed';
  },

  leaveToPerson: (context, { id }, reason) => closeCharge(context, id, 'needs_review', { reason }),

  logFields: ({ merchantUid, kind }) => ({ merchant_uid: merchantUid, charge_kind: kind }),
};

async function resolveByPayment(context: Context, charge: StoredCharge, svcUid: string): Promise<Finding> {
  const { kind } = await recordChargeOutcome(context, charge, svcUid);
  return kind === 'unknown' ? { kind } : { kind: 'resolved', outcome: kind };
}

const NOT_FOUND: Finding = { kind: 'not_found' };
/** Something that is not known to come from the charge, but may still take the money. */
const SOMETHING_ELSE: Finding = { kind: 'not_found', suspicious: true };

async function askForPayment(context: Context, charge: StoredCharge): Promise<Finding> {
  // All payments of the order are stored, whatever charge they come from: a paid order cannot be charged again, even if
  // the service does not echo the charge id.
  const { payments, unreadable } = await syncOrder(context, charge.merchantUid);
  const payment = payments.find(({ record }) => belongsToCharge(charge.id, record));
  if (payment) return resolveByPayment(context, charge, payment.record.svcUid);
  return unreadable.length > 0 ? SOMETHING_ELSE : NOT_FOUND;
}

/** Asks for the schedule record (§2.5), which names the payment once it was executed. */
async function askForSchedule(context: Context, charge: StoredCharge): Promise<Finding> {
  const { id, merchantUid, status, revocation } = charge;
  const record = await findSchedule(context, merchantUid);
  if (!record) return NOT_FOUND;
  // The order is finished, and the service had the schedule: somebody has replaced it in the service's console. Whoever
  // made the other one, it must not take money, and what became of it is the outcome of this charge.
  const isReplaced = status === 'scheduled' && revocation !== null;
  if (isReplaced && record.status === 'scheduled') return { kind: 'unknown' };
  // An earlier schedule of the same order says nothing about this charge, unless it is still waiting.
  if (!isReplaced && !belongsToCharge(id, record))
    return record.status === 'scheduled' ? SOMETHING_ELSE : NOT_FOUND;
  switch (record.status) {
    case 'scheduled':
      if (status === 'scheduled') return { kind: 'unknown' };
      await markScheduled(context, id);
      return { kind: 'resolved', outcome: 'scheduled' };
    case 'revoked':
      await closeCharge(context, id, 'revoked');
      return { kind: 'resolved', outcome: 'revoked' };
    case 'executed':
      return record.svcUid === null ? SOMETHING_ELSE : resolveByPayment(context, charge, record.svcUid);
    case 'unknown':
      return SOMETHING_ELSE;
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
  | { kind: 'needs_review'; reason: string }
  /** The payment cannot be verified yet. The charge stays open, with the payment's svc_uid. */
  | { kind: 'unknown'; reason: string };

/**
 * Resolves a charge by the payment that the service has named. What the answer of the call says about money is not
 * trusted (§6.4).
 * @throws DatabaseError; the charge then stays open and is polled
 */
export async function recordChargeOutcome(
  context: Context,
  charge: { id: string; merchantUid: string },
  svcUid: string,
): Promise<ChargeFinding> {
  const { id, merchantUid } = charge;
  const finding = await findOutcome(context, { svcUid, merchantUid });
  switch (finding.kind) {
    case 'paid':
      await closeCharge(context, id, 'paid', { svcUid });
      break;
    case 'declined':
      await closeCharge(context, id, 'failed', { svcUid, reason: finding.reason });
      break;
    case 'needs_review':
      await closeCharge(context, id, 'needs_review', { svcUid, reason: finding.reason });
      reportReview(context, 'charge', id, finding.reason);
      break;
    case 'unknown':
      await markUnjudged(context, id, { svcUid, reason: finding.reason });
      break;
  }
  return finding;
}

/** Syncs the payment (`payments/sync-payment.ts`). The stored payment then decides. */
async function findOutcome(context: Context, reported: ReportedIds): Promise<ChargeFinding> {
  const { outcome, reason, status } = await syncPayment(context, reported);
  if (reason === VALUE_REFUSED) return { kind: 'needs_review', reason };
  switch (outcome) {
    case 'recorded':
    case 'unchanged':
      return outcomeOf(await findPayment(context, reported.svcUid), status);
    // The service's replicas may lag behind its answer.
    case 'queued':
    case 'unknown_payment':
      return { kind: 'unknown', reason: outcome };
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
    case 'unknown_order':
    case 'unknown_billing_key':
      return { kind: 'needs_review', reason: outcome };
  }
}

/** @param shown the status that the service has confirmed, of a payment that may not be stored */
function outcomeOf(payment: StoredPayment | null, shown: PaymentStatus | null): ChargeFinding {
  if ((payment?.status ?? shown) === 'ready') return { kind: 'unknown', reason: 'ready' };
  // The amount is wrong and nothing is paid, so the payment is not stored.
  if (!payment) return { kind: 'declined', reason: null };
  const { status, counted, failReason, cancelReason } = payment;
  if (status === 'failed') return { kind: 'declined', reason: failReason };
  // Taken and refunded at once, for example by a card company that cancels what it cannot confirm.
  if (heldByPayment(payment) === 0) return { kind: 'declined', reason: cancelReason ?? 'cancelled' };
  // Money moved but does not pay for the order. Another charge would take it twice.
  return counted ? { kind: 'paid' } : { kind: 'needs_review', reason: 'not_counted' };
}
