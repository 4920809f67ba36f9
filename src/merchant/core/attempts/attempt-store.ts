// Stores what issuances, charges and refunds share: an attempt is `pending` before its call and `unknown` after a lost
// answer, and counts its polls. Each kind resolves its own rows.

import { Prisma, type Charge } from '../../../generated/prisma/client';
import type { Context, GaugeColumns } from '../../platform/context';
import { ageOf, countOf } from '../../platform/gauge-store';
import {
  chargeStatuses,
  issuanceStatuses,
  MAX_REASON_LENGTH,
  refundStatuses,
  type AttemptStatus,
} from './attempt-statuses';

export type AttemptName = 'issuance' | 'charge' | 'refund';

/** The columns of every attempt that polls need. */
export type PolledAttempt = Pick<Charge, 'polls' | 'notFoundPolls' | 'startedAt'> & {
  id: string | bigint;
  status: AttemptStatus;
  /** When the service carries out a scheduled charge. */
  scheduleAt?: Date | null;
};

const TABLES = {
  issuance: { table: 'billing_key_issuances', statuses: issuanceStatuses },
  charge: { table: 'charges', statuses: chargeStatuses },
  refund: { table: 'refunds', statuses: refundStatuses },
} satisfies Record<AttemptName, object>;
export const ATTEMPT_NAMES = Object.keys(TABLES) as AttemptName[];

const MOST_AT_ONCE = 1000;

/** The answer was lost. Does nothing if the attempt was resolved meanwhile. */
export async function markUnknown(
  context: Context,
  name: AttemptName,
  id: string | bigint,
  reason: string,
): Promise<void> {
  const { table, statuses } = TABLES[name];
  await context.database.$executeRaw`
    update ${Prisma.raw(table)} set status = 'unknown', reason = ${reason.slice(0, MAX_REASON_LENGTH)}
    where id = ${id} and status in ${statuses.open.sql}`;
}

/** Counts a poll that did not resolve the attempt. */
export async function countPoll(
  context: Context,
  name: AttemptName,
  id: string | bigint,
  { notFound }: { notFound: boolean },
): Promise<void> {
  const { table, statuses } = TABLES[name];
  await context.database.$executeRaw`
    update ${Prisma.raw(table)}
    set polls = polls + 1, not_found_polls = not_found_polls + ${notFound ? 1 : 0}
    where id = ${id} and status in ${statuses.open.sql}`;
}

/**
 * Attempts that need a poll and may have no job: with unknown outcome, pending but not started within
 * `startedRecently`, or scheduled for a time before `dueBefore`. The oldest first, at most a thousand; the others follow a minute later.
 */
export async function findUnresolvedAttempts(
  context: Context,
  name: AttemptName,
  { startedRecently, dueBefore }: { startedRecently: { from: Date; to: Date }; dueBefore: Date },
): Promise<string[]> {
  const table = Prisma.raw(TABLES[name].table);
  const scheduled =
    name === 'charge'
      ? Prisma.sql`union all
        select id, started_at from charges where status = 'scheduled' and schedule_at < ${dueBefore}`
      : Prisma.empty;
  // Each part of the union has its own index.
  const rows = await context.database.$queryRaw<{ id: string }[]>`
    select id::text from (
      select id, started_at from ${table} where status = 'unknown'
      union all
      select id, started_at from ${table} where status = 'pending'
        and started_at not between ${startedRecently.from} and ${startedRecently.to}
      ${scheduled}) open
    order by started_at, id
    limit ${MOST_AT_ONCE}`;
  return rows.map(({ id }) => id);
}

/** Without scheduled charges, whose outcome is still to come. */
const UNRESOLVED = Prisma.sql`status in ('pending', 'unknown')`;

export function readAttemptGauges({ database }: Context, now: Date) {
  const unresolved = ofEach((table) => countOf(Prisma.sql`from ${table} where ${UNRESOLVED}`));
  const oldest = ofEach((table) =>
    ageOf(Prisma.sql`select min(started_at) from ${table} where ${UNRESOLVED}`, now),
  );
  return database.$queryRaw<GaugeColumns[]>`
    select ${ofEach((table) => countOf(needingPerson(table)))} as merchant_attempts_needing_person,
      ${unresolved} as merchant_attempts_unresolved,
      ${oldest} as merchant_attempts_oldest_unresolved_age_seconds`;
}

/** With the charges whose schedule could not be revoked yet. */
function needingPerson(table: Prisma.Sql): Prisma.Sql {
  const inReview = Prisma.sql`select from ${table} where status = 'needs_review'`;
  const notRevoked = Prisma.sql`select from schedule_revocations r join charges c on c.id = r.charge_id
    where r.reason is not null and c.status in ${chargeStatuses.open.sql}`;
  const isCharge = table.sql === TABLES.charge.table;
  return isCharge
    ? Prisma.sql`from (${inReview} union all ${notRevoked}) waiting`
    : Prisma.sql`from (${inReview}) waiting`;
}

/** One value per kind of attempt. */
function ofEach(figure: (table: Prisma.Sql) => Prisma.Sql): Prisma.Sql {
  const figures = Object.entries(TABLES).map(
    ([name, { table }]) => Prisma.sql`${name}::text, ${figure(Prisma.raw(table))}`,
  );
  return Prisma.sql`jsonb_build_object(${Prisma.join(figures)})`;
}

export type PageFilter = {
  /** The id of the last row of the page before. */
  after?: bigint | undefined;
  /** True: only a person can resolve it. */
  needsPerson?: boolean;
};

/** What Prisma reads of a list of issuances or refunds: the newest first. @param filter with columns */
export function numberedPage<Filter extends PageFilter>({ after, needsPerson, ...columns }: Filter) {
  return {
    where: {
      ...columns,
      ...(after !== undefined && { id: { lt: after } }),
      ...(needsPerson !== undefined && {
        AND: { status: needsPerson ? NEEDS_REVIEW : { not: NEEDS_REVIEW } },
      }),
    },
    orderBy: { id: 'desc' as const },
  };
}

const NEEDS_REVIEW = 'needs_review' as const;
