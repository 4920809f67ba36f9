// Many notifications at once, and what became of them.

import type { World } from './world';

/** Sends one notification for each pair of ids. Returns how often each outcome was answered. */
export async function notifyMany(
  world: Pick<World, 'notify'>,
  ids: readonly { svcUid: string; merchantUid: string }[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const answers = await Promise.all(
    ids.map(({ svcUid, merchantUid }) =>
      world.notify({ svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' }),
    ),
  );
  for (const { outcome = 'none' } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Stored notifications by outcome and reason. */
export async function storedOutcomes({ rows }: Pick<World, 'rows'>): Promise<Record<string, number>> {
  const found = await rows.query<{ name: string; count: number }>(
    `select coalesce(outcome::text || coalesce(':' || reason, ''), 'open') as name, count(*)::int as count
     from notifications group by 1 order by 1`,
  );
  return Object.fromEntries(found.map(({ name, count }) => [name, count]));
}
