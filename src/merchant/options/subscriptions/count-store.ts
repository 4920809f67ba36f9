// Counts subscriptions: for `/metrics`, the action queue and the overview.

import { NeedsPerson, Prisma } from '../../../generated/prisma/client';
import type { Context, GaugeColumns, Gauges } from '../../platform/context';
import { AT_MOST, COUNTED_AT_MOST, countOf } from '../../platform/gauge-store';
import { chargedSubscriptions, liveSubscriptions } from './subscription-store';

export const subscriptionGauges: Gauges = {
  read: readGauges,
  rows: {
    merchant_subscriptions_overdue: {
      help: `Subscriptions whose check is more than ten minutes late. ${AT_MOST}`,
    },
    merchant_subscriptions_needing_person: {
      help: `Subscriptions that need a person, by reason. ${AT_MOST}`,
      label: { name: 'reason', values: Object.values(NeedsPerson) },
      isQueue: true,
    },
  },
};

/** The job that checks subscriptions runs every minute. */
const OVERDUE_MS = 10 * 60_000;

function readGauges({ database, realClock }: Context) {
  const overdueBefore = new Date(realClock.now().getTime() - OVERDUE_MS);
  const overdue = Prisma.sql`from subscriptions
    where status in ${chargedSubscriptions.sql} and check_at < ${overdueBefore}::timestamptz`;
  return database.$queryRaw<GaugeColumns[]>`
    select ${countOf(overdue)} as merchant_subscriptions_overdue,
      (select coalesce(jsonb_object_agg(needs_person, number), '{}') from (
        select needs_person, count(*)::int as number from (
          select needs_person from subscriptions
          where needs_person is not null and status in ${chargedSubscriptions.sql} limit ${COUNTED_AT_MOST}) waiting
        group by needs_person) counted) as merchant_subscriptions_needing_person`;
}

/** How many took money at this time, or were paused, counted up to COUNTED_AT_MOST. A subscription does not change after its end. */
export async function countLiveAt({ database }: Context, at: Date): Promise<number> {
  const live = Prisma.sql`from subscriptions
    where created_at <= ${at}::timestamptz
      and (status in ${liveSubscriptions.sql} or updated_at > ${at}::timestamptz)`;
  const [row] = await database.$queryRaw<{ count: number }[]>`select ${countOf(live)} as count`;
  return row?.count ?? 0;
}
