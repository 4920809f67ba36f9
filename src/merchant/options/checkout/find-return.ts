// A customer comes back from the payment window (§6.5.1), perhaps before the notification does: the payment is synced now,
// and what is stored then is what the customer is told. Nothing is changed but what the sync writes.

import { setTimeout as pause } from 'node:timers/promises';
import { findOrder, type StoredOrder } from '../../core/orders/order-store';
import type { Claim, Visitor } from '../../core/payments/claim';
import { syncPayment, type SyncOutcome } from '../../core/payments/sync-payment';
import type { Context } from '../../platform/context';
import { depositAccount, type DepositAccount } from './deposit-account';
import { returnState, type ReturnState } from './return-state';

/** Nobody looks at an empty page for longer; the sync goes on, and the next look tells. */
const ANSWER_WITHIN_MS = 6_000;

export type Return = {
  state: ReturnState;
  /** Null unless the payment is stored under this order: whoever knows the order's id alone learns nothing of it. */
  purchase: Pick<StoredOrder, 'name' | 'amount' | 'currency'> | null;
  /** Null unless it is to be paid into. */
  account: DepositAccount | null;
};

/** For an address without usable ids. */
export const MISSING: Return = { state: 'missing', purchase: null, account: null };
export const NOT_KNOWN_YET: Return = { state: 'not_known_yet', purchase: null, account: null };

/** The visitor cannot be left out: without one the claim would be fetched without a limit and be noted. */
type VisitorClaim = Claim & { visitor: Visitor };

/** @throws DatabaseError where it cannot be found out */
export async function findReturn(
  context: Context,
  claim: VisitorClaim,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<Return> {
  // Anybody can make up an address: the service is asked for an order of ours alone. Nobody learns whose order it is not.
  if (!(await findOrder(context, claim.merchantUid))) return NOT_KNOWN_YET;
  const outcome = await syncInTime(context, claim, answerWithinMs);
  const order = await findOrder(context, claim.merchantUid);
  if (!order) return NOT_KNOWN_YET;
  const payment = order.payments.find(({ svcUid }) => svcUid === claim.svcUid) ?? null;
  const state = returnState(outcome, order, payment, context.clock.now());
  return {
    state,
    purchase: payment && state !== 'checking' ? order : null,
    account: payment && state === 'awaiting_deposit' ? depositAccount(payment) : null,
  };
}

/** A host timer, not the clock: it bounds how long somebody waits. */
async function syncInTime(context: Context, claim: Claim, answerWithinMs: number): Promise<SyncOutcome> {
  const timer = new AbortController();
  const late = pause(answerWithinMs, 'queued' as const, { signal: timer.signal });
  try {
    return await Promise.race([syncPayment(context, claim).then(({ outcome }) => outcome), late]);
  } finally {
    timer.abort();
  }
}
