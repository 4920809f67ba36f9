// A customer returns from the payment window (§6.5.1), perhaps before the notification arrives: the payment is synced
// now, and the page shows what is stored afterwards. Only the sync writes.

import { findOrder, type StoredOrder } from '../../core/orders/order-store';
import { depositAccount, type DepositAccount } from '../../core/payments/deposit-account';
import type { ReportedIds } from '../../core/payments/fetch-payment';
import type { StoredPayment } from '../../core/payments/payment-store';
import { syncPayment, type SyncOutcome } from '../../core/payments/sync-payment';
import { runTogether } from '../../platform/batch';
import { within } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { mayLook } from './pace-looks';
import { returnState, type ReturnState } from './return-state';

/** The longest wait before the page is shown. The sync continues, and the next refresh shows its result. */
const ANSWER_WITHIN_MS = 6_000;

export type Return = {
  state: ReturnState;
  /** Null unless the payment is stored under this order: the order's id alone reveals nothing about the order. */
  purchase: Pick<StoredOrder, 'name' | 'amount' | 'currency'> | null;
  /** How and when it was paid; null if it was not. */
  receipt: Receipt | null;
  /** Null unless the customer must pay into it. */
  account: DepositAccount | null;
};

/** What customers compare with the message of their card company. No part of the card number: anyone may have the address. */
type Receipt = Pick<StoredPayment, 'cardName' | 'applyNum' | 'paidAt'>;

/** For a URL without usable ids. */
export const MISSING: Return = { state: 'missing', purchase: null, receipt: null, account: null };
export const NOT_KNOWN_YET: Return = { ...MISSING, state: 'not_known_yet' };

/** With the network of the visitor who names the payment. */
type VisitorIds = ReportedIds & { network: string };

/** @throws DatabaseError if the state cannot be read */
export async function findReturn(
  context: Context,
  reported: VisitorIds,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<Return> {
  // Anybody can invent a URL, so the service is asked only about our own orders. The answer does not reveal whether an
  // order exists.
  if (!(await findOrder(context, reported.merchantUid))) return NOT_KNOWN_YET;
  const outcome = (await within(answerWithinMs, lookTogether(context, reported))) ?? 'queued';
  const order = await findOrder(context, reported.merchantUid);
  if (!order) return NOT_KNOWN_YET;
  const payment = order.payments.find(({ svcUid }) => svcUid === reported.svcUid) ?? null;
  const state = returnState(outcome, order, payment, context.clock.now());
  return {
    state,
    purchase: payment && state !== 'checking' ? order : null,
    receipt: payment && (state === 'paid' || state === 'partly_refunded') ? payment : null,
    account: payment && state === 'awaiting_deposit' ? depositAccount(payment) : null,
  };
}

/** Concurrent visits from one network for the same payment share a fetch, and count as one. */
function lookTogether(context: Context, reported: VisitorIds): Promise<SyncOutcome> {
  const { svcUid, merchantUid, network } = reported;
  return runTogether(context, look, reported, `${svcUid} ${merchantUid} ${network}`);
}

async function look(context: Context, reported: readonly VisitorIds[]): Promise<readonly SyncOutcome[]> {
  const [{ svcUid, merchantUid, network }] = reported as [VisitorIds];
  const { outcome } = await syncPayment(
    context,
    { svcUid, merchantUid, isVisitors: true },
    { pace: async () => ((await mayLook(context, merchantUid, network)) ? null : LOOK_AGAIN_MS) },
  );
  return reported.map(() => outcome);
}
const LOOK_AGAIN_MS = 2_000;
