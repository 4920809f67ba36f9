// Stores the pauses that the payment service asks for (429), which apply to all processes: the others read them with the
// snapshot before each fetch, or before a poll or a reconciliation.

import { Prisma } from '../../../generated/prisma/client';
import type { ChannelName } from '../../payment-service/payment-service';
import type { Context } from '../../platform/context';

/** The end of a pause, in milliseconds since 1970. */
export type PauseRow = { channel: ChannelName; untilMs: number };

/** The latest end wins. */
export async function savePause(
  { database }: Context,
  channels: readonly ChannelName[],
  until: Date,
): Promise<void> {
  await database.$executeRaw`
    insert into service_pauses (line, until)
    select line, ${until}::timestamptz from jsonb_array_elements_text(${JSON.stringify(channels)}::jsonb) as line
    on conflict (line) do update set until = greatest(service_pauses.until, excluded.until)`;
}

/** Pauses that are not over, as a scalar subquery. */
export function pausesAsJson(now: Date): Prisma.Sql {
  return Prisma.sql`select jsonb_agg(jsonb_build_object('channel', line, 'untilMs', extract(epoch from until) * 1000))
    from service_pauses where until > ${now}::timestamptz`;
}

/** Pauses that are not over. */
export async function findPauses({ database, realClock }: Context): Promise<PauseRow[]> {
  const rows = await database.servicePause.findMany({ where: { until: { gt: realClock.now() } } });
  return rows.map(({ line, until }) => ({ channel: line as ChannelName, untilMs: until.getTime() }));
}
