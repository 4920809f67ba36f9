// Subscriptions in the database. `change-store.ts` changes them.
//
//     stateDiagram-v2
//       [*] --> active: created
//       active --> active: the order of the cycle is paid, the next cycle begins (renewed)
//       active --> past_due: the payment failed (payment_failed)
//       past_due --> past_due: tried again after 1, 3 and 7 days, and failed (payment_failed)
//       past_due --> active: the order is paid, by a retry or otherwise (renewed)
//       past_due --> ended: the last retry failed (payment_failed, ended)
//       active --> ended: the payment failed and its billing key is gone for good (payment_failed, ended)
//       active --> ended: the order of the cycle was closed (ended)
//       past_due --> ended: the same two
//       active --> cancelled: cancelled (ended)
//       past_due --> cancelled: cancelled (ended)
//       active, past_due --> paused: its cycle was stopped (paused)
//       paused --> active: the next cycle by the calendar (resumed)
//       paused --> cancelled: cancelled (ended)
//
// A process claims a subscription for as long as any step may take. If it dies, another process continues from the rows.
// `check_at` is when the next check is due, in real time.

import {
  Prisma,
  SubscriptionStatus,
  type NeedsPerson,
  type Subscription,
} from '../../../generated/prisma/client';
import { toStoredFields, type PaymentFields } from '../../core/orders/payment-fields';
import type { Context } from '../../platform/context';
import { statusSet } from '../../platform/status-set';

export type StoredSubscription = Subscription;

export type NewSubscription = Pick<
  Subscription,
  'subscriptionId' | 'customerUid' | 'memberId' | 'name' | 'currency' | 'interval' | 'firstPaymentAt'
> & { amount: number } & Pick<PaymentFields, 'buyer' | 'customData'>;

const SUBSCRIPTION_STATUSES = {
  active: { isLive: true, isCharged: true },
  past_due: { isLive: true, isCharged: true },
  paused: { isLive: true, isCharged: false },
  cancelled: { isLive: false, isCharged: false },
  ended: { isLive: false, isCharged: false },
} satisfies Record<SubscriptionStatus, { isLive: boolean; isCharged: boolean }>;

/** Statuses with further payments, now or once it is resumed. */
export const liveSubscriptions = statusSet(
  SubscriptionStatus,
  (status) => SUBSCRIPTION_STATUSES[status].isLive,
);

/** Statuses that the job checks. As in the partial index over `check_at`. */
export const chargedSubscriptions = statusSet(
  SubscriptionStatus,
  (status) => SUBSCRIPTION_STATUSES[status].isCharged,
);

export const isLive = ({ status }: Pick<Subscription, 'status'>): boolean => liveSubscriptions.has(status);
export const isCharged = ({ status }: Pick<Subscription, 'status'>): boolean =>
  chargedSubscriptions.has(status);

/** The merchant_uid of a cycle's order. */
export function cycleOrder({
  subscriptionId,
  cycle,
}: Pick<Subscription, 'subscriptionId' | 'cycle'>): string {
  return `${subscriptionId}-${cycle}`;
}

/**
 * Inserts a subscription that is due for its first check, unless its id or the id of its first order is taken: another
 * order would count for a cycle. Returns whether it was inserted.
 */
export async function insertSubscription(
  { database, clock, realClock }: Context,
  {
    subscriptionId,
    customerUid,
    memberId,
    name,
    amount,
    currency,
    interval,
    firstPaymentAt,
    ...fields
  }: NewSubscription,
): Promise<boolean> {
  const now = clock.now();
  const { buyerName, buyerEmail, buyerTel, buyerAddr, buyerPostcode, customData } = toStoredFields(fields);
  const inserted = await database.$executeRaw`
    insert into subscriptions (subscription_id, customer_uid, member_id, name, amount, currency, "interval",
      first_payment_at, payment_at, check_at, created_at, updated_at,
      buyer_name, buyer_email, buyer_tel, buyer_addr, buyer_postcode, custom_data)
    select ${subscriptionId}, ${customerUid}, ${memberId}, ${name}, ${amount}, ${currency},
      ${interval}::subscription_interval, ${firstPaymentAt}::timestamptz, ${firstPaymentAt}::timestamptz,
      ${realClock.now()}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
      ${buyerName}, ${buyerEmail}, ${buyerTel}, ${buyerAddr}, ${buyerPostcode}, ${customData}
    where not exists (select from orders where merchant_uid = ${cycleOrder({ subscriptionId, cycle: 1 })})
    on conflict (subscription_id) do nothing`;
  return inserted === 1;
}

/** Returns null if there is none. */
export async function findSubscription(
  { database }: Context,
  subscriptionId: string,
): Promise<StoredSubscription | null> {
  return database.subscription.findUnique({ where: { subscriptionId } });
}

type SubscriptionFilter = Partial<Pick<Subscription, 'memberId' | 'status'>> & {
  needsPerson?: boolean | undefined;
  /** The last subscription of the page before. */
  after?: Pick<Subscription, 'createdAt' | 'subscriptionId'> | undefined;
};

/** A plan that is paused or over waits for nobody, whatever its last check has found. */
const waiting: Prisma.SubscriptionWhereInput = {
  needsPerson: { not: null },
  status: { in: chargedSubscriptions.list },
};

/** The newest first. */
export async function findSubscriptions(
  { database }: Context,
  { needsPerson, after, ...columns }: SubscriptionFilter,
  take: number,
): Promise<StoredSubscription[]> {
  return database.subscription.findMany({
    where: {
      ...columns,
      ...(needsPerson !== undefined && { AND: needsPerson ? waiting : { NOT: waiting } }),
      // The first condition lets the query start within an index.
      ...(after && {
        createdAt: { lte: after.createdAt },
        OR: [{ createdAt: { lt: after.createdAt } }, { subscriptionId: { lt: after.subscriptionId } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { subscriptionId: 'desc' }],
    take,
  });
}

/**
 * Claims subscriptions that are due for a check, the longest due first. No other process takes them until
 * `claimedUntil`. If the last check did not end, `check_at` stays as it is: one that fails at each try is overdue.
 * @param subscriptionId claims only this one, due or not
 */
export async function claimSubscriptions(
  { database, realClock }: Context,
  {
    claimedUntil,
    limit,
    subscriptionId,
  }: { claimedUntil: Date; limit: number; subscriptionId?: string | undefined },
): Promise<StoredSubscription[]> {
  const now = realClock.now();
  const which =
    subscriptionId === undefined
      ? Prisma.sql`check_at <= ${now}::timestamptz`
      : Prisma.sql`subscription_id = ${subscriptionId}`;
  const claimed = await database.$queryRaw<{ id: string; version: number }[]>`
    with due as (
      select subscription_id from subscriptions
      where status in ${chargedSubscriptions.sql} and ${which}
        and (claimed_until is null or claimed_until <= ${now}::timestamptz)
      order by check_at limit ${limit} for update skip locked
    )
    update subscriptions s
    set claimed_until = ${claimedUntil}::timestamptz, version = s.version + 1,
      check_at = case when s.claimed_until is null then ${claimedUntil}::timestamptz else s.check_at end
    from due where s.subscription_id = due.subscription_id
    returning s.subscription_id as id, s.version`;
  if (claimed.length === 0) return [];
  // Leaves out any that have changed since, for example were cancelled.
  return database.subscription.findMany({
    where: { OR: claimed.map(({ id: subscriptionId, version }) => ({ subscriptionId, version })) },
  });
}

/**
 * Releases the claim: the next check is due at `checkAt`, or earlier if one was requested meanwhile. Writes why the plan
 * waits for a person, and since when.
 */
export async function releaseSubscription(
  { database, clock }: Context,
  { subscriptionId, version }: StoredSubscription,
  { checkAt, needsPerson }: { checkAt: Date; needsPerson: NeedsPerson | null },
): Promise<void> {
  await database.$executeRaw`
    update subscriptions set claimed_until = null,
      check_at = case when check_at = claimed_until then ${checkAt}::timestamptz else check_at end,
      needs_person = ${needsPerson}::needs_person,
      needs_person_since = case when needs_person = ${needsPerson}::needs_person then needs_person_since
        when ${needsPerson}::needs_person is not null then ${clock.now()}::timestamptz end
    where subscription_id = ${subscriptionId} and version = ${version}`;
}

/** Makes a check due now, if this is still the current cycle. Returns whether it is. */
export async function wakeSubscription(
  { database, realClock }: Context,
  { subscriptionId, cycle }: Pick<Subscription, 'subscriptionId' | 'cycle'>,
): Promise<boolean> {
  const { count } = await database.subscription.updateMany({
    where: { subscriptionId, cycle, status: { in: chargedSubscriptions.list } },
    data: { checkAt: realClock.now() },
  });
  return count === 1;
}

/** The same after a decision about its charge, if it has waited for that. */
export async function wakeDecided(
  { database, realClock }: Context,
  { subscriptionId, cycle }: Pick<Subscription, 'subscriptionId' | 'cycle'>,
): Promise<boolean> {
  const { count } = await database.subscription.updateMany({
    where: {
      subscriptionId,
      cycle,
      needsPerson: 'charge_needs_review',
      status: { in: chargedSubscriptions.list },
    },
    data: { checkAt: realClock.now(), needsPerson: null, needsPersonSince: null },
  });
  return count === 1;
}

/** Makes a check of each due now: a person has moved the clock, so other payments are due. */
export async function wakeSubscriptions({ database, realClock }: Context): Promise<void> {
  await database.subscription.updateMany({
    where: { status: { in: chargedSubscriptions.list }, checkAt: { gt: realClock.now() } },
    data: { checkAt: realClock.now() },
  });
}
