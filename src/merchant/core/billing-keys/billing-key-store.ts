// Stores which member has which billing key, and the events that tell the shop of a change. `issuance-store.ts`
// has the issuances, `removal-store.ts` the removals.
//
// The effect of an issuance's outcome on the billing key:
//
//     stateDiagram-v2
//       [*] --> pending: first issuance starts
//       [*] --> active: issued in the payment window (adopt-key.ts)
//       pending --> active: issued
//       pending --> failed: declined
//       pending --> needs_review: needs review
//       active --> active: replacement issued or declined
//       active --> needs_review: replacement needs review
//       needs_review --> active: replacement issued
//       needs_review --> needs_review: replacement declined or needs review
//       needs_review --> active: a person has decided the latest issuance, and there is a key
//       needs_review --> failed: a person has decided it, and there is no key (so for pending, and active)
//       active --> removing: removal starts
//       needs_review --> removing: removal starts
//       removing --> removing: removal is tried again
//       removing --> removed: deleted at the service
//       removing --> active: nothing was done at the service, and it was active when the removal started
//       removing --> needs_review: nothing was done, and it needed review when the removal started
//
// A replacement starts only for a key that is `active` or `needs_review`; the pages offer a removal only for such a key.
// A removal does not start while an issuance is `pending` or `unknown`. `cards/remove-card.ts` retries a key that stays
// `removing`.

import { BillingKeyStatus } from '../../../generated/prisma/client';
import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import { toUnixSeconds } from '../../payment-service/records/record-fields';
import type { Context } from '../../platform/context';
import type { Statements } from '../../platform/database-transaction';
import { statusSet } from '../../platform/status-set';
import type { CardEvent } from '../../shop/event';
import { deliverSoon, nextVersion, saveEvents } from '../events/save-events';

const KEY_STATUSES = {
  pending: { isHeld: true, isReplaceable: false },
  active: { isHeld: true, isReplaceable: true },
  needs_review: { isHeld: true, isReplaceable: true },
  removing: { isHeld: true, isReplaceable: false },
  failed: { isHeld: false, isReplaceable: false },
  removed: { isHeld: false, isReplaceable: false },
} satisfies Record<BillingKeyStatus, { isHeld: boolean; isReplaceable: boolean }>;

/** The key has a card, or may have one, so its member sees it. */
export const heldKeys = statusSet(BillingKeyStatus, (status) => KEY_STATUSES[status].isHeld);
/** The service has a card for the key, which can be replaced. */
export const replaceableKeys = statusSet(BillingKeyStatus, (status) => KEY_STATUSES[status].isReplaceable);

/** A card in the result of `findCards`. */
export type ListedCard = Awaited<ReturnType<typeof findCards>>[number];

/** The member's cards, each with its issuances; the newest first. */
export async function findCards({ database }: Context, memberId: string) {
  return database.billingKey.findMany({
    where: { memberId, status: { in: heldKeys.list } },
    orderBy: [{ createdAt: 'desc' }, { customerUid: 'asc' }],
    // Two issuances can start in the same millisecond.
    include: { issuances: { orderBy: [{ startedAt: 'desc' }, { id: 'desc' }] } },
  });
}

export type StoredBillingKey = NonNullable<Awaited<ReturnType<typeof findKey>>>;

/** The key of a customer_uid, of any member. Returns null if there is none. */
export async function findKey({ database }: Context, customerUid: string) {
  return database.billingKey.findUnique({ where: { customerUid } });
}

/** Cards that a member has at one time, including those that are being checked or removed. Our choice. */
export const CARDS_HELD = 10;

/**
 * Whether the member can have another card. Nothing is locked, so two keys that come at the same moment may both be
 * stored, and exceed the limit by one.
 */
export async function hasRoomForKey({ database }: Context, memberId: string): Promise<boolean> {
  const where = { memberId, status: { in: heldKeys.list } };
  return (await database.billingKey.count({ where })) < CARDS_HELD;
}

/**
 * Counts a member's cards for the limits of the card form. A declined card has no key and does not count.
 * @returns `held`: cards that the member has, including those that are being checked or removed. `registeredAt`: when
 * cards were registered between these times, including removed ones; the oldest first
 */
export async function countKeys(
  { database }: Context,
  memberId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ held: number; registeredAt: Date[] }> {
  const keys = await database.billingKey.findMany({
    where: {
      memberId,
      OR: [{ status: { in: heldKeys.list } }, { status: 'removed', createdAt: { gt: from, lte: to } }],
    },
    select: { status: true, createdAt: true },
    orderBy: { createdAt: 'asc' },
  });
  return {
    held: keys.filter(({ status }) => heldKeys.has(status)).length,
    registeredAt: keys
      .map(({ createdAt }) => createdAt)
      .filter((createdAt) => createdAt > from && createdAt <= to),
  };
}

/** The member who owns a key; null if we know no such key. */
export async function findKeyOwner({ database }: Context, customerUid: string): Promise<string | null> {
  const key = await database.billingKey.findUnique({ where: { customerUid }, select: { memberId: true } });
  return key?.memberId ?? null;
}

/** The card as the service shows it (§2.3). The client has masked the number and cut each text to its column. */
export function activeKey(record: BillingKeyRecord) {
  const { cardNumber, cardName, cardCode, cardType, pgProvider, updatedAt } = record;
  const serviceUpdatedAt = updatedAt && BigInt(toUnixSeconds(updatedAt));
  return {
    status: 'active' as const,
    cardNumber,
    cardName,
    cardCode,
    cardType,
    pgProvider,
    serviceUpdatedAt,
  };
}

/** Stores a key that the payment window has issued, and its event. Returns false if its customer_uid is stored already. */
export async function insertKey(
  context: Context,
  key: ReturnType<typeof activeKey> & Pick<StoredBillingKey, 'customerUid' | 'memberId' | 'issuedBy'>,
): Promise<boolean> {
  const now = context.clock.now();
  const isNew = await context.database.$atomically(async (run) => {
    const row = { ...key, createdAt: now, updatedAt: now };
    const { count } = await run.billingKey.createMany({ data: [row], skipDuplicates: true });
    if (count === 1) await saveCardEvent(run, key.customerUid, 'card.registered', now);
    return count === 1;
  });
  if (isNew) deliverSoon(context);
  return isNew;
}

type ChangedCard = {
  version: number;
  member_id: string;
  card_name: string | null;
  card_number: string | null;
};

/**
 * Writes the event of a changed card, in the transaction of the change; the row must have its new state already. A card
 * that the shop has never heard of has no `card.removed`: its registration was never confirmed. Only the newest event of
 * a card has the masked number, so that the log of events keeps it no longer than the row of the key does.
 */
export async function saveCardEvent(
  run: Statements,
  customerUid: string,
  type: CardEvent['type'],
  occurredAt: Date,
): Promise<void> {
  const isRemoved = type === 'card.removed';
  const [card] = await run.$queryRaw<ChangedCard[]>`
    update billing_keys k set version = ${nextVersion('k')}
    where customer_uid = ${customerUid} and (version > 0 or not ${isRemoved})
    returning version, member_id, card_name, card_number`;
  if (!card) return;
  const stream = `card:${customerUid}`;
  await run.$executeRaw`
    update events set data = data || '{"card_number": null}'
    where stream = ${stream} and data->>'card_number' is not null`;
  const data: CardEvent['data'] = {
    customer_uid: customerUid,
    member_id: card.member_id || null,
    version: card.version,
    card_name: card.card_name,
    card_number: isRemoved ? null : card.card_number,
  };
  await saveEvents(run, [{ stream, version: card.version, type, data, occurredAt }]);
}
