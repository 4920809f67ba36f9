// Stores issuances. An issuance is one attempt to store a card under a customer_uid (§4.2):
//
//     stateDiagram-v2
//       [*] --> pending: written before the call
//       pending --> issued: the service shows the card that was sent
//       pending --> declined: the service refused it, never had it, or shows no trace of it for long enough
//       pending --> needs_review: the service shows another card
//       pending --> unknown: the answer was lost, or the record could not be confirmed after code 0
//       unknown --> issued: a poll shows the card that was sent
//       unknown --> declined: no trace of it for long enough
//       unknown --> needs_review: a poll shows another card, or no trace of it after code 0
//       unknown, needs_review --> issued, declined: a person has decided (decide-issuance.ts)

import type {
  BillingKeyIssuance,
  BillingKeyStatus,
  IssuanceStatus,
  Prisma,
} from '../../../generated/prisma/client';
import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import { fromUnixSeconds } from '../../payment-service/records/record-fields';
import type { Context } from '../../platform/context';
import { isRowMissing, isUniqueViolation } from '../../platform/errors';
import type { CardEvent } from '../../shop/event';
import { issuanceStatuses, MAX_REASON_LENGTH } from '../attempts/attempt-statuses';
import { numberedPage, type PageFilter } from '../attempts/attempt-store';
import type { Decision } from '../attempts/decision';
import { deliverSoon } from '../events/save-events';
import { activeKey, replaceableKeys, saveCardEvent } from './billing-key-store';

export type NewIssuance = {
  customerUid: string;
  memberId: string;
  /** Valid once: a second issuance with the same nonce is `form_in_use`. */
  formNonce: string;
  /** The card replaces the one under this customer_uid (§1). */
  replacesKey: boolean;
  cardLastFour: string;
  consent: { termsVersion: string; privacyVersion: string };
};

export type StartedIssuance = {
  id: bigint;
  customerUid: string;
  replacesKey: boolean;
  cardLastFour: string;
  /** `updated` of the record (§2.3), as stored before this issuance; null if we never saw a record. */
  knownUpdatedAt: Date | null;
};

/**
 * Writes an issuance before the call, and the key row if the customer_uid is new.
 * `form_in_use`: the form was posted before. `key_in_use`: another issuance of this customer_uid is unresolved.
 * `no_key`: the member has no key to replace.
 */
export async function startIssuance(
  context: Context,
  issuance: NewIssuance,
): Promise<StartedIssuance | 'form_in_use' | 'key_in_use' | 'no_key'> {
  const { customerUid, formNonce, replacesKey, cardLastFour } = issuance;
  try {
    const started = replacesKey
      ? await startReplacement(context, issuance)
      : await startFirst(context, issuance);
    if (started === null) return 'no_key';
    const { id, serviceUpdatedAt } = started;
    return { id, customerUid, replacesKey, cardLastFour, knownUpdatedAt: toDate(serviceUpdatedAt) };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const sent = await context.database.billingKeyIssuance.findUnique({ where: { formNonce } });
    return sent ? 'form_in_use' : 'key_in_use';
  }
}

type StartedRow = { id: bigint; serviceUpdatedAt: bigint | null };

async function startFirst({ database, clock }: Context, issuance: NewIssuance): Promise<StartedRow> {
  const { customerUid, memberId } = issuance;
  const now = clock.now();
  const { issuances } = await database.billingKey.create({
    data: {
      customerUid,
      memberId,
      status: 'pending',
      createdAt: now,
      updatedAt: now,
      issuances: { create: toIssuanceRow(issuance, now) },
    },
    select: { issuances: { select: { id: true } } },
  });
  const [{ id }] = issuances as [{ id: bigint }];
  return { id, serviceUpdatedAt: null };
}

/** Returns null if the member has no such key. */
async function startReplacement(
  { database, clock }: Context,
  issuance: NewIssuance,
): Promise<StartedRow | null> {
  const { customerUid, memberId } = issuance;
  const now = clock.now();
  return database.$atomically(async (run) => {
    // Locks the key, so that its removal cannot start before the issuance is stored.
    const [key] = await run.billingKey.updateManyAndReturn({
      where: { customerUid, memberId, status: { in: replaceableKeys.list } },
      data: { updatedAt: now },
      select: { serviceUpdatedAt: true },
    });
    if (!key) return null;
    const { id } = await run.billingKeyIssuance.create({
      data: { customerUid, ...toIssuanceRow(issuance, now) },
      select: { id: true },
    });
    return { id, ...key };
  });
}

function toIssuanceRow({ formNonce, replacesKey, cardLastFour, consent }: NewIssuance, now: Date) {
  return {
    formNonce,
    replacesKey,
    status: 'pending' as const,
    cardLastFour,
    ...consent,
    consentedAt: now,
    startedAt: now,
  };
}

/** The service has the card that was sent. */
export async function markIssued(context: Context, id: bigint, record: BillingKeyRecord): Promise<void> {
  await writeOutcome(context, whileOpen(id), { status: 'issued', reason: null }, { data: activeKey(record) });
}

/** Nothing was issued: a first key fails, and a key that was to be replaced stays as it is. */
export async function markDeclined(
  context: Context,
  { id, replacesKey }: { id: bigint; replacesKey: boolean },
  reason: string,
): Promise<void> {
  const outcome = { status: 'declined', reason: reason.slice(0, MAX_REASON_LENGTH) } as const;
  const key = replacesKey ? null : { data: { status: 'failed' } as const };
  await writeOutcome(context, whileOpen(id), outcome, key);
}

/** The service has another card than was sent, or contradicts itself. A person has to decide. */
export async function markNeedsReview(context: Context, id: bigint, reason: string): Promise<void> {
  const status = 'needs_review';
  await writeOutcome(context, whileOpen(id), { status, reason }, { data: { status } });
}

const whileOpen = (id: bigint) => ({ id, status: { in: issuanceStatuses.open.list } });

/**
 * Writes a person's decision.
 * @param change null leaves the key as it is
 * @returns whether it was written; false if the issuance was resolved, or the key has changed, meanwhile
 */
export async function writeIssuanceDecision(
  context: Context,
  { id, keyStatus }: Pick<StoredIssuance, 'id' | 'keyStatus'>,
  status: 'issued' | 'declined',
  { by, note }: Decision,
  change: KeyChange | null,
): Promise<boolean> {
  const whileDecidable = { id, status: { in: issuanceStatuses.decidable.list } };
  const outcome = { status, settledBy: by, settleNote: note };
  const key = change && { where: { status: keyStatus }, data: change };
  return writeOutcome(context, whileDecidable, outcome, key);
}

type Outcome = { status: IssuanceStatus } & Partial<
  Pick<BillingKeyIssuance, 'reason' | 'settledBy' | 'settleNote'>
>;
/** What becomes of the key. */
export type KeyChange = { status: BillingKeyStatus } & Prisma.BillingKeyUpdateInput;

/**
 * Writes an outcome, its effect on the key, and the event, in one transaction.
 * @returns false, and nothing is written, if the issuance or its key is not in the required status any more
 */
async function writeOutcome(
  context: Context,
  issuance: Prisma.BillingKeyIssuanceWhereUniqueInput,
  outcome: Outcome,
  key: { where?: Prisma.BillingKeyWhereInput; data: KeyChange } | null,
): Promise<boolean> {
  const now = context.clock.now();
  try {
    const event = await context.database.$atomically(async (run) => {
      const { customerUid, replacesKey } = await run.billingKeyIssuance.update({
        where: issuance,
        data: {
          ...outcome,
          resolvedAt: now,
          ...(key && { billingKey: { update: { ...key, data: { ...key.data, updatedAt: now } } } }),
        },
        select: { customerUid: true, replacesKey: true },
      });
      const type = key && eventOf(outcome.status, key.data.status, replacesKey);
      if (type) await saveCardEvent(run, customerUid, type, now);
      return type;
    });
    if (event) deliverSoon(context);
    return true;
  } catch (error) {
    if (isRowMissing(error)) return false;
    throw error;
  }
}

/** Null if the shop has nothing to learn: a first card that was not issued was never registered. */
function eventOf(
  outcome: IssuanceStatus,
  key: BillingKeyStatus,
  replacesKey: boolean,
): CardEvent['type'] | null {
  if (outcome === 'issued') return replacesKey ? 'card.replaced' : 'card.registered';
  return key === 'failed' && replacesKey ? 'card.removed' : null;
}

/** The value of `card_last_four` after the digits were deleted. */
export const NO_DIGITS = '****';

type IssuanceFilter = Partial<Pick<BillingKeyIssuance, 'customerUid' | 'status'>> & PageFilter;

/** The newest first. */
export async function findIssuances(
  { database }: Context,
  filter: IssuanceFilter,
  take: number,
): Promise<BillingKeyIssuance[]> {
  return database.billingKeyIssuance.findMany({ ...numberedPage(filter), take });
}

/** An issuance with the state of its key. */
export type StoredIssuance = BillingKeyIssuance & {
  /** As in `StartedIssuance`. */
  knownUpdatedAt: Date | null;
  keyStatus: BillingKeyStatus;
  /** Whether this is the latest issuance of the key. Only the latest one determines the key's state. */
  isLatest: boolean;
};

/** Returns null if there is none with this id. */
export async function findIssuance({ database }: Context, id: bigint): Promise<StoredIssuance | null> {
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

/** @param seconds UNIX seconds of the service's clock */
function toDate(seconds: bigint | null): Date | null {
  return seconds === null ? null : fromUnixSeconds(Number(seconds));
}
