// Erases a member. First it makes sure that no money can move: it cancels subscriptions, removes cards at the service
// and closes open orders. Then it erases the remaining data. Each step can be repeated, and rows record what waits, so
// that a repeated call or the job continues wherever a process stopped.

import type { KeyAsRead } from '../../core/billing-keys/removal-store';
import { removeCard } from '../../core/cards/remove-card';
import { closeOrder } from '../../core/orders/register-order';
import { payableOrders } from '../../core/payments/order-status';
import { keptFields } from '../../core/payments/stored-record';
import { DAY_MS } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { drainDueRows } from '../../platform/drain-due-rows';
import type { Waiting, WaitReason } from '../../platform/personal-data';
import {
  claimErasures,
  findErasableOrders,
  findKeysToRemove,
  findLeftOrders,
  finishErasure,
  memberRows,
  startErasure,
  writeErasedOrders,
  type ErasableOrder,
  type LeftOrder,
  type OpenErasure,
  type TypedText,
} from './erasure-store';

export type ErasureOutcome = {
  /** `erased`: nothing personal is left. `in_progress`: it is retried. */
  kind: 'erased' | 'in_progress';
  /** Also empty if something was registered for the member meanwhile. */
  waiting: Waiting[];
  toCheck: TypedText[];
};

/** The caller waits for it; the job does what takes longer. */
const TRY_MS = 20_000;

/** Idempotent: a member without data counts as erased. */
export async function eraseMember(context: Context, memberId: string): Promise<ErasureOutcome> {
  const toCheck = await startErasure(context, memberId);
  if (toCheck === null) return { kind: 'erased', waiting: [], toCheck: [] };
  const waiting = await continueErasure(context, memberId);
  const kind = waiting === null ? 'erased' : 'in_progress';
  return { kind, waiting: waiting ?? [], toCheck };
}

/** One try of a started erasure. Returns what waits, or null once it is finished. */
async function continueErasure(context: Context, memberId: string): Promise<Waiting[] | null> {
  const startedMs = context.clock.monotonicMs();
  const isOver = () => context.clock.monotonicMs() - startedMs > TRY_MS;
  const waiting = [
    // Before the cards: a subscription without a card would be charged, and fail.
    ...(await endOptions(context, memberId, isOver)),
    ...(await removeCards(context, memberId, isOver)),
    // After the cards, with which schedules are revoked: an order is erased once nothing of it is open.
    ...(await eraseOrders(context, memberId, isOver)),
  ];
  return waiting.length === 0 && (await finishErasure(context, memberId)) ? null : waiting;
}

/** Ends the options' rows about the member, such as subscriptions. */
async function endOptions(context: Context, memberId: string, isOver: () => boolean): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (const rows of memberRows(context)) waiting.push(...(await rows.end(context, memberId, isOver)));
  return waiting;
}

async function removeCards(context: Context, memberId: string, isOver: () => boolean): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (const key of await findKeysToRemove(context, memberId)) {
    const reason = isOver() ? 'later' : await removeOne(context, key);
    if (reason !== null) waiting.push({ kind: 'card', id: key.customerUid, reason });
  }
  return waiting;
}

async function removeOne(context: Context, key: KeyAsRead): Promise<WaitReason | null> {
  // `cards/remove-card.ts` retries it, at its own intervals.
  if (key.status === 'removing') return 'removal_pending';
  const outcome = await removeCard(context, key);
  switch (outcome.kind) {
    case 'removed':
      return null;
    case 'in_use':
      return 'issuance_pending';
    case 'unfinished':
      return 'removal_pending';
    case 'cannot_now':
      return 'removal_refused';
  }
}

async function eraseOrders(context: Context, memberId: string, isOver: () => boolean): Promise<Waiting[]> {
  // An order with a schedule waits for the subscription or the card that it belongs to.
  for (const { merchantUid, status, charge } of await findLeftOrders(context, memberId))
    if (payableOrders.has(status) && charge === null && !isOver()) await closeOrder(context, merchantUid);
  while (!isOver()) {
    const orders = await findErasableOrders(context, memberId);
    const erased = await writeErasedOrders(context, orders.map(withoutPersonalData));
    // None is left, or all have changed meanwhile, and the next try reads them again.
    if (erased === 0) break;
  }
  const left = await findLeftOrders(context, memberId);
  return left.map((order) => ({ kind: 'order', id: order.merchantUid, reason: whyLeft(order) }));
}

function withoutPersonalData(order: ErasableOrder): ErasableOrder {
  const payments = order.payments.map(({ svcUid, record }) => ({ svcUid, record: keptFields(record) }));
  return { ...order, payments };
}

function whyLeft({ charge, refund }: LeftOrder): WaitReason {
  if (charge === 'scheduled') return 'order_scheduled';
  if (charge !== null) return charge === 'needs_review' ? 'charge_needs_review' : 'charge_pending';
  if (refund !== null) return refund === 'needs_review' ? 'refund_needs_review' : 'refund_pending';
  return 'later';
}

/** An erasure open for longer causes a warning at each try. */
const WARN_AFTER_MS = DAY_MS;
/** How many waiting items a log line names. */
const MOST_LOGGED = 20;

/**
 * Job `finish-erasures`: finishes erasures that wait for something, or whose process died, without their caller.
 * Several processes may run it: each erasure is claimed by one of them. The log never names the member.
 * @param stopping is aborted when this process stops; the next run does the rest
 * @throws DatabaseError; the job then runs again
 */
export async function finishErasures(context: Context, stopping: AbortSignal): Promise<void> {
  await drainDueRows(context, {
    kind: 'erasures',
    atOnce: 1,
    claim: (places) => claimErasures(context, places),
    work: (erasure) => tryErasure(context, erasure),
    stopping,
  });
}

/** Never throws, so that one that fails does not hold up the others. It is due again like one that waits. */
async function tryErasure(context: Context, erasure: OpenErasure): Promise<void> {
  const { clock, logger } = context;
  const line = { erasure: String(erasure.id), requested_at: erasure.requestedAt };
  try {
    const waiting = await continueErasure(context, erasure.memberId);
    if (waiting === null) {
      logger.info({ event: 'erasure_finished', ...line, to_check: erasure.toCheck.slice(0, MOST_LOGGED) });
    } else {
      const isOld = clock.now().getTime() - erasure.requestedAt.getTime() >= WARN_AFTER_MS;
      const level = isOld ? 'warn' : 'info';
      logger[level]({ event: 'erasure_unfinished', ...line, waiting: waiting.slice(0, MOST_LOGGED) });
    }
  } catch (error) {
    logger.error({ event: 'erasure_unfinished', ...line, err: error });
  }
}
