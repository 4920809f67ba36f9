// Lists issuances, and stores a person's decision about one. `issuance-attempt-store.ts` has the diagram of their states.

import {
  Prisma,
  type BillingKeyIssuance,
  type BillingKeyStatus,
  type IssuanceStatus,
} from '../../../generated/prisma/client';
import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import type { Context } from '../../platform/context';
import { issuanceStatuses } from '../attempts/attempt-statuses';
import { findStuckAttempts } from '../attempts/attempt-store';
import type { Decision } from '../attempts/decision';
import { deliverSoon } from '../events/save-events';
import { activeKey, hasCode, saveCardEvent, toDate } from './billing-key-store';
import { issuedEvent, type StartedIssuance } from './issuance-attempt-store';

/** The value of `card_last_four` after the digits were deleted. */
export const NO_DIGITS = '****';

export type StoredIssuance = BillingKeyIssuance;

export type IssuanceFilter = {
  after?: bigint | undefined;
  customerUid?: string | undefined;
  status?: IssuanceStatus | undefined;
  /** True: only a person can resolve it. */
  needsPerson?: boolean | undefined;
};

/** The newest first. */
export async function findIssuances(
  { database }: Context,
  { after, customerUid, status, needsPerson }: IssuanceFilter,
  take: number,
): Promise<StoredIssuance[]> {
  return database.billingKeyIssuance.findMany({
    where: {
      ...(after !== undefined && { id: { lt: after } }),
      ...(customerUid !== undefined && { customerUid }),
      ...(status !== undefined && { status }),
      ...(needsPerson !== undefined && {
        AND: { status: needsPerson ? 'needs_review' : { not: 'needs_review' } },
      }),
    },
    orderBy: { id: 'desc' },
    take,
  });
}

/** Returns null if there is none with this id. */
export async function findIssuance({ database }: Context, id: bigint): Promise<StoredIssuance | null> {
  return database.billingKeyIssuance.findUnique({ where: { id } });
}

export type IssuanceToDecide = StartedIssuance & {
  status: IssuanceStatus;
  startedAt: Date;
  keyStatus: BillingKeyStatus;
  /** Whether this is the latest issuance of the key. Only the latest one determines the key's state. */
  isLatest: boolean;
};

/** An issuance with the state of its key. Returns null if there is none with this id. */
export async function findIssuanceToDecide(
  { database }: Context,
  id: bigint,
): Promise<IssuanceToDecide | null> {
  const row = await database.billingKeyIssuance.findUnique({
    where: { id },
    include: {
      billingKey: { include: { issuances: { orderBy: { id: 'desc' }, take: 1, select: { id: true } } } },
    },
  });
  if (!row) return null;
  const { billingKey, ...issuance } = row;
  return {
    ...issuance,
    knownUpdatedAt: toDate(billingKey.serviceUpdatedAt),
    keyStatus: billingKey.status,
    isLatest: billingKey.issuances[0]?.id === id,
  };
}

/** The effect of a decision on the key. */
export type KeyChange =
  /** The service has this key. */
  | { to: 'active'; record: BillingKeyRecord }
  /** The service has no key. */
  | { to: 'failed' };

/**
 * Writes a person's decision and its effect on the key in one transaction.
 * @param change null leaves the key as it is
 * @returns whether it was written; false if the issuance was resolved, or the key has changed, meanwhile
 */
export async function writeIssuanceDecision(
  context: Context,
  { id, keyStatus }: Pick<IssuanceToDecide, 'id' | 'keyStatus'>,
  status: 'issued' | 'declined',
  { by, note }: Decision,
  change: KeyChange | null,
): Promise<boolean> {
  const now = context.clock.now();
  const key = change && { ...toColumns(change), updatedAt: now };
  try {
    await context.database.$atomically(async (run) => {
      const { customerUid, replacesKey } = await run.billingKeyIssuance.update({
        where: { id, status: { in: issuanceStatuses.decidable.list } },
        data: {
          status,
          resolvedAt: now,
          settledBy: by,
          settleNote: note,
          ...(key && { billingKey: { update: { where: { status: keyStatus }, data: key } } }),
        },
        select: { customerUid: true, replacesKey: true },
      });
      // A replacement that was not issued leaves the previous card unchanged: no event.
      if (change?.to === 'failed') await saveCardEvent(run, customerUid, 'card.removed', now);
      else if (change && status === 'issued')
        await saveCardEvent(run, customerUid, issuedEvent(replacesKey), now);
    });
  } catch (error) {
    if (hasCode(error, 'P2025')) return false;
    throw error;
  }
  deliverSoon(context);
  return true;
}

function toColumns(change: KeyChange): Prisma.BillingKeyUpdateInput {
  return change.to === 'active' ? activeKey(change.record) : { status: 'failed' };
}

/** Issuances that polling should have resolved by now, the oldest first. */
export async function findStuckIssuances(context: Context): Promise<StoredIssuance[]> {
  const { ids, before } = await findStuckAttempts(context, 'issuance');
  return context.database.billingKeyIssuance.findMany({
    where: { id: { in: ids.map(BigInt) }, resolvedAt: null, startedAt: { lt: before } },
    orderBy: { startedAt: 'asc' },
  });
}
