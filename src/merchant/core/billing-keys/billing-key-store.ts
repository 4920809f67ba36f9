// Which member holds which billing key, and every attempt to issue one; `removal-store.ts` has the removals. Each
// function is one statement, or one to Prisma, where what it nests is one transaction.
//
// An issuance is one attempt to put a card under a customer_uid (§4.2):
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
//
// What its outcome means for the billing key:
//
//     stateDiagram-v2
//       [*] --> pending: first issuance starts
//       pending --> active: issued
//       pending --> failed: declined
//       pending --> needs_review: needs review
//       active --> active: replacement issued or declined
//       active --> needs_review: replacement needs review
//       needs_review --> active: replacement issued
//       needs_review --> needs_review: replacement declined or needs review
//       needs_review --> active: a person has settled the latest issuance, and there is a key
//       needs_review --> failed: a person has settled it, and there is no key (so for pending, and active)
//       active --> removing: removal starts
//       needs_review --> removing: removal starts
//       removing --> removing: removal is tried again
//       removing --> removed: deleted at the service
//       removing --> active: nothing was done at the service, and it was active when the removal started
//       removing --> needs_review: nothing was done, and it needed review when the removal started
//
// A replacement starts only for a key that is `active` or `needs_review`. A removal does not start while an issuance is
// `pending` or `unknown`; the pages offer it for a key that is `active` or `needs_review`. A key that stays `removing`
// is tried again by `cards/recover-removals.ts`.

import { Prisma, type BillingKeyStatus, type IssuanceStatus } from '../../../generated/prisma/client';
import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import { fromUnixSeconds, toUnixSeconds } from '../../payment-service/records/record-fields';
import { batched } from '../../platform/batch';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import type { OpenAttempt } from '../attempts/attempt-store';

export type NewIssuance = {
  customerUid: string;
  memberId: string;
  /** Taken once: a second issuance with the same nonce is `form_in_use`. */
  formNonce: string;
  /** The card goes to a key that this customer_uid holds already (§1). */
  replacesKey: boolean;
  cardLastFour: string;
  consent: { termsVersion: string; privacyVersion: string };
};

export type StartedIssuance = {
  id: bigint;
  customerUid: string;
  replacesKey: boolean;
  cardLastFour: string;
  /** `updated` of the record (§2.3) as we stored it before this issuance. Null means that we never saw one. */
  knownUpdatedAt: Date | null;
};

/** `reason` says why the outcome is open; null means that the call has not ended, or that its end was not written. */
export type OpenIssuance = StartedIssuance & OpenAttempt & { reason: string | null };

/** Two issuances can begin in one millisecond. */
const NEWEST_FIRST = [{ startedAt: 'desc' as const }, { id: 'desc' as const }];
/** An issuance whose outcome is not known. */
export const OPEN: IssuanceStatus[] = ['pending', 'unknown'];
/** A key that can take another card: there is one at the service. */
const REPLACEABLE: BillingKeyStatus[] = ['active', 'needs_review'];
/** What a member sees of its cards. */
const LISTED: BillingKeyStatus[] = ['pending', 'active', 'needs_review', 'removing'];
const MAX_REASON_LENGTH = 200;

/**
 * Writes an issuance before the call, with the key row where the customer_uid is new.
 * `form_in_use`: the form was sent before. `key_in_use`: another issuance of this customer_uid is not settled.
 * `no_key`: the member holds no key that could be replaced.
 */
export async function startIssuance(
  { database, clock }: Context,
  issuance: NewIssuance,
): Promise<StartedIssuance | 'form_in_use' | 'key_in_use' | 'no_key'> {
  const { customerUid, memberId, formNonce, replacesKey, cardLastFour, consent } = issuance;
  const { termsVersion, privacyVersion } = consent;
  const values = [customerUid, memberId, formNonce, cardLastFour, termsVersion, privacyVersion, clock.now()];
  try {
    const [started] = await database.$prepared<StartedRow>(
      replacesKey ? START_REPLACEMENT : START_NEW,
      values,
    );
    if (!started) return 'no_key';
    const knownUpdatedAt = toDate(
      started.serviceUpdatedAt === null ? null : BigInt(started.serviceUpdatedAt),
    );
    return { id: BigInt(started.id), customerUid, replacesKey, cardLastFour, knownUpdatedAt };
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === UNIQUE_VIOLATION)) throw error;
    const sent = await database.billingKeyIssuance.findUnique({ where: { formNonce } });
    return sent ? 'form_in_use' : 'key_in_use';
  }
}

/** `pg` reads a bigint as text. */
type StartedRow = { id: string; serviceUpdatedAt: string | null };
const UNIQUE_VIOLATION = '23505';

const START_NEW = {
  name: 'start-issuance',
  text: `
    with key as (
      insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
      values ($1, $2, 'pending', $7::timestamptz, $7::timestamptz)
      returning customer_uid, service_updated_at
    ) ${insertIssuance(false)}`,
};
const START_REPLACEMENT = {
  name: 'start-replacement',
  text: `
    with key as (
      update billing_keys set updated_at = $7::timestamptz
      where customer_uid = $1 and member_id = $2 and status in (${REPLACEABLE.map((each) => `'${each}'`).join(', ')})
      returning customer_uid, service_updated_at
    ) ${insertIssuance(true)}`,
};

/** For the one row of `key`. */
function insertIssuance(replacesKey: boolean): string {
  return `
    insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four, terms_version,
      privacy_version, consented_at, started_at)
    select customer_uid, $3, ${replacesKey}, 'pending', $4, $5, $6, $7::timestamptz, $7::timestamptz from key
    returning id, (select service_updated_at from key) as "serviceUpdatedAt"`;
}

/** The service holds the card that was sent. */
export async function markIssued(context: Context, id: bigint, record: BillingKeyRecord): Promise<void> {
  const { cardNumber, cardName, cardCode, cardType, pgProvider, updatedAt } = record;
  const card = [cardNumber, cardName, cardCode, cardType, pgProvider, updatedAt && toUnixSeconds(updatedAt)];
  await context.database.$prepared(MARK_ISSUED, [String(id), context.clock.now(), ...card]);
}

/** Does nothing to an issuance that is settled already. */
const MARK_ISSUED = {
  name: 'mark-issued',
  text: `
    with issued as (
      update billing_key_issuances set status = 'issued', resolved_at = $2::timestamptz, reason = null
      where id = $1::bigint and status in (${OPEN.map((each) => `'${each}'`).join(', ')})
      returning customer_uid
    )
    update billing_keys k set status = 'active', card_number = $3, card_name = $4, card_code = $5, card_type = $6,
      pg_provider = $7, service_updated_at = $8::bigint, updated_at = $2::timestamptz
    from issued where k.customer_uid = issued.customer_uid`,
};

/** Nothing was issued: a first key has failed, and a key that was to be replaced stays as it is. */
export async function markDeclined(
  context: Context,
  { id, replacesKey }: { id: bigint; replacesKey: boolean },
  reason: string,
): Promise<void> {
  const now = context.clock.now();
  const outcome = {
    status: 'declined',
    resolvedAt: now,
    reason: reason.slice(0, MAX_REASON_LENGTH),
  } as const;
  await settle(context, id, outcome, replacesKey ? undefined : { status: 'failed', updatedAt: now });
}

/** The service holds something else than what was sent, or contradicts itself: a person has to decide. */
export async function markNeedsReview(context: Context, id: bigint, reason: string): Promise<void> {
  const now = context.clock.now();
  const key = { status: 'needs_review', updatedAt: now } as const;
  await settle(context, id, { status: 'needs_review', resolvedAt: now, reason }, key);
}

/** Writes the outcome and what it means for the key. Does nothing to an issuance that is settled already. */
async function settle(
  { database }: Context,
  id: bigint,
  outcome: Prisma.BillingKeyIssuanceUpdateInput,
  key: Prisma.BillingKeyUpdateInput | undefined,
): Promise<void> {
  try {
    await database.billingKeyIssuance.update({
      where: { id, status: { in: OPEN } },
      data: key ? { ...outcome, billingKey: { update: key } } : outcome,
      select: { id: true },
    });
  } catch (error) {
    if (!hasCode(error, 'P2025')) throw error;
  }
}

/** Returns null once the issuance is settled. */
export async function findOpenIssuance({ database }: Context, id: string): Promise<OpenIssuance | null> {
  const row = await database.billingKeyIssuance.findFirst({
    where: { id: BigInt(id), status: { in: OPEN } },
    include: { billingKey: { select: { serviceUpdatedAt: true } } },
  });
  return row && { ...row, knownUpdatedAt: toDate(row.billingKey.serviceUpdatedAt) };
}

/** A card as `findCards` lists it. */
export type ListedCard = Awaited<ReturnType<typeof findCards>>[number];

/** The member's cards, the newest first, each with its latest issuance. */
export async function findCards({ database }: Context, memberId: string) {
  return database.billingKey.findMany({
    where: { memberId, status: { in: LISTED } },
    orderBy: [{ createdAt: 'desc' }, { customerUid: 'asc' }],
    include: { issuances: { orderBy: NEWEST_FIRST, take: 1 } },
  });
}

export type StoredBillingKey = NonNullable<Awaited<ReturnType<typeof findKey>>>;

/** The key of a customer_uid, whichever member holds it. Returns null where there is none. */
export async function findKey({ database }: Context, customerUid: string) {
  return database.billingKey.findUnique({ where: { customerUid } });
}

/** The member who holds a key; null where we know no such key. Calls that come at the same time are one statement. */
export const findKeyOwner = batched<string, string | null>(findKeyOwners);

async function findKeyOwners(
  { database }: Context,
  customerUids: readonly string[],
): Promise<(string | null)[]> {
  const rows = await database.$prepared<{ owner: string | null }>(FIND_OWNERS, [customerUids]);
  return rows.map(({ owner }) => owner);
}

const FIND_OWNERS = {
  name: 'find-key-owners',
  text: `
    select (select k.member_id from billing_keys k where k.customer_uid = wanted.customer_uid) as owner
    from unnest($1::text[]) with ordinality as wanted (customer_uid, position) order by wanted.position`,
};

/** A card that can pay, as far as we know it: masked, and its last four digits where the service masks one of those. */
export type HeldCard = {
  customerUid: string;
  cardName: string | null;
  cardNumber: string | null;
  lastFour: string | null;
};

/** The member's cards that can pay, the newest first. */
export async function findActiveCards({ database }: Context, memberId: string): Promise<HeldCard[]> {
  return database.$prepared<HeldCard>(ACTIVE_CARDS, [memberId]);
}

const ACTIVE_CARDS = {
  name: 'active-cards',
  text: `
    select k.customer_uid as "customerUid", k.card_name as "cardName", k.card_number as "cardNumber",
      (select i.card_last_four from billing_key_issuances i
        where i.customer_uid = k.customer_uid and i.status = 'issued'
        order by i.started_at desc, i.id desc limit 1) as "lastFour"
    from billing_keys k where k.member_id = $1 and k.status = 'active'
    order by k.created_at desc, k.customer_uid`,
};

/** The card as the service shows it (§2.3). The client has masked the number and bounded each text to its column. */
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

/** @param seconds UNIX seconds of the service's clock */
export function toDate(seconds: bigint | null): Date | null {
  return seconds === null ? null : fromUnixSeconds(Number(seconds));
}

export function hasCode(error: unknown, code: 'P2002' | 'P2025'): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}
