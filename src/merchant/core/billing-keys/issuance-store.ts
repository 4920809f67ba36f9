// Issuances as a list, and what a person decides about one. `billing-key-store.ts` draws their states.

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
import { activeKey, hasCode, toDate, type StartedIssuance } from './billing-key-store';

/** What stands in `card_last_four` once the digits are gone. */
export const NO_DIGITS = '****';

export type StoredIssuance = BillingKeyIssuance;

export type IssuanceFilter = {
  after?: bigint | undefined;
  customerUid?: string | undefined;
  status?: IssuanceStatus | undefined;
  /** Whether only a person can settle it. */
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

/** Returns null where there is none with this id. */
export async function findIssuance({ database }: Context, id: bigint): Promise<StoredIssuance | null> {
  return database.billingKeyIssuance.findUnique({ where: { id } });
}

export type IssuanceToDecide = StartedIssuance & {
  status: IssuanceStatus;
  startedAt: Date;
  keyStatus: BillingKeyStatus;
  /** Whether no later issuance of this key was begun: it then says what becomes of the key. */
  isLatest: boolean;
};

/** An issuance with what is known of its key. Returns null where there is none with this id. */
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

/** What a decision makes of the key. */
export type KeyChange =
  /** The service holds this one. */
  | { to: 'active'; record: BillingKeyRecord }
  /** The service holds none. */
  | { to: 'failed' };

/**
 * Writes a person's decision and what it means for the key, together.
 * @param change null leaves the key as it is
 * @returns whether it was written: not where the issuance has been settled, or the key has changed, meanwhile
 */
export async function writeIssuanceDecision(
  { database, clock }: Context,
  { id, keyStatus }: Pick<IssuanceToDecide, 'id' | 'keyStatus'>,
  status: 'issued' | 'declined',
  { by, note }: Decision,
  change: KeyChange | null,
): Promise<boolean> {
  const now = clock.now();
  const key = change && { ...toColumns(change), updatedAt: now };
  try {
    await database.billingKeyIssuance.update({
      where: { id, status: { in: issuanceStatuses.settleable.list } },
      data: {
        status,
        resolvedAt: now,
        settledBy: by,
        settleNote: note,
        ...(key && { billingKey: { update: { where: { status: keyStatus }, data: key } } }),
      },
      select: { id: true },
    });
    return true;
  } catch (error) {
    if (hasCode(error, 'P2025')) return false;
    throw error;
  }
}

function toColumns(change: KeyChange): Prisma.BillingKeyUpdateInput {
  return change.to === 'active' ? activeKey(change.record) : { status: 'failed' };
}

/** Those whose outcome the polls should have found by now, the oldest first. */
export async function findStuckIssuances(context: Context): Promise<StoredIssuance[]> {
  const { ids, before } = await findStuckAttempts(context, 'issuance');
  return context.database.billingKeyIssuance.findMany({
    where: { id: { in: ids.map(BigInt) }, resolvedAt: null, startedAt: { lt: before } },
    orderBy: { startedAt: 'asc' },
  });
}
