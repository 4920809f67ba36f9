// Stores the removals of billing keys; `billing-key-store.ts` has the diagram of key states.

import { Prisma } from '../../../generated/prisma/client';
import { recentSpan } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { growingGap } from '../../platform/drain-due-rows';
import { issuanceStatuses } from '../attempts/attempt-statuses';
import { deliverSoon } from '../events/save-events';
import { saveCardEvent, type StoredBillingKey } from './billing-key-store';
import { NO_DIGITS } from './issuance-store';

/** The values that must be unchanged for a removal to start. */
export type KeyAsRead = Pick<StoredBillingKey, 'customerUid' | 'status' | 'updatedAt'>;

/**
 * Takes a key out of use before it is deleted at the service, or claims the next try of its removal. Returns the time;
 * null if an issuance is unresolved, or if the row has changed since it was read. Every issuance and every other try
 * changes `updatedAt`. A later try increases it, because two tries may come in the same millisecond and the clocks of
 * hosts differ, unless the clock was put back.
 */
export async function startRemoval(
  { database, clock }: Context,
  { customerUid, status, updatedAt }: KeyAsRead,
): Promise<Date | null> {
  const now = clock.now();
  const begun = { updatedAt: now, removingSince: now };
  const isPutBack = updatedAt > recentSpan(0, now).to;
  const takenUp = { updatedAt: isPutBack ? now : new Date(Math.max(now.getTime(), updatedAt.getTime() + 1)) };
  const tried = status === 'removing' ? takenUp : begun;
  const { count } = await database.billingKey.updateMany({
    where: {
      customerUid,
      status,
      updatedAt,
      issuances: { none: { status: { in: issuanceStatuses.open.list } } },
    },
    data: { status: 'removing', ...tried },
  });
  return count === 1 ? tried.updatedAt : null;
}

/**
 * The service no longer has the key. The digits were stored only to show and recognise the card, so they are deleted
 * too.
 */
export async function markRemoved(context: Context, customerUid: string): Promise<void> {
  const now = context.clock.now();
  await context.database.$atomically(async (run) => {
    const { count } = await run.billingKey.updateMany({
      where: { customerUid, status: 'removing' },
      data: { status: 'removed', updatedAt: now, removingSince: null, cardNumber: null },
    });
    if (count === 0) return;
    await run.billingKeyIssuance.updateMany({ where: { customerUid }, data: { cardLastFour: NO_DIGITS } });
    await saveCardEvent(run, customerUid, 'card.removed', now);
  });
  deliverSoon(context);
}

/** The card companies, if known, of the cards removed between these times. */
export async function findRemovedBetween(
  { database }: Context,
  memberId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ customerUid: string; cardName: string | null }[]> {
  return database.billingKey.findMany({
    where: { memberId, status: 'removed', updatedAt: { gt: from, lt: to } },
    select: { customerUid: true, cardName: true },
    orderBy: { updatedAt: 'desc' },
  });
}

/**
 * Nothing was done at the service: puts the key back into use. Returns false and changes nothing if another process has
 * tried the removal since `startedAt`, because the key may then be gone.
 * @param status the one from before the removal
 */
export async function cancelRemoval(
  { database, clock }: Context,
  { customerUid, status }: KeyAsRead,
  startedAt: Date,
): Promise<boolean> {
  const { count } = await database.billingKey.updateMany({
    where: { customerUid, status: 'removing', updatedAt: startedAt },
    data: { status, updatedAt: clock.now(), removingSince: null },
  });
  return count === 1;
}

/** Maximum number of tries of one run of the job. */
const MOST_AT_ONCE = 100;

export type UnfinishedRemoval = KeyAsRead & { removingSince: Date | null };

/**
 * Keys whose removal is due for another try, those that have waited longest first. The gaps after the last try grow with the
 * age of the removal.
 */
export async function findUnfinishedRemovals({ database, clock }: Context): Promise<UnfinishedRemoval[]> {
  const now = clock.now();
  const gap = growingGap(Prisma.sql`updated_at - coalesce(removing_since, updated_at)`);
  return database.$queryRaw`
    select customer_uid as "customerUid", status, updated_at as "updatedAt", removing_since as "removingSince"
    from billing_keys
    where status = 'removing' and (updated_at > ${recentSpan(0, now).to} or updated_at + ${gap} <= ${now})
    order by updated_at limit ${MOST_AT_ONCE}`;
}
