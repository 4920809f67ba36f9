// Who has changed whose account. Within a day, such a person may still know the other's password, so the two do not count
// as two persons.

import type { Context } from '../../../platform/context';
import type { Transaction } from '../../../platform/database';

const LINKED_MS = 24 * 3600_000;

/** In the transaction of the change. Own changes, and those without an account, are not written. */
export async function writeChange(
  run: Transaction,
  { operatorId, changedBy, at }: { operatorId: bigint; changedBy: bigint | null; at: Date },
): Promise<void> {
  if (changedBy === null || changedBy === operatorId) return;
  await run.operatorChange.upsert({
    where: { operatorId_changedBy: { operatorId, changedBy } },
    create: { operatorId, changedBy, at },
    update: { at },
  });
}

/**
 * Whether one person may have both accounts: within a day, one has changed the other, or somebody has changed both, also
 * through accounts between them.
 */
export async function areLinked(
  { database, realClock }: Context,
  one: bigint,
  other: bigint,
): Promise<boolean> {
  const since = new Date(realClock.now().getTime() - LINKED_MS);
  const [row] = await database.$queryRaw<[{ linked: boolean }]>`
    with recursive
      holders (account, holder) as (
        select id, id from unnest(${[one, other]}::bigint[]) as given (id)
        union
        select h.account, c.changed_by from holders h
        join operator_changes c on c.operator_id = h.holder and c.at > ${since}::timestamptz)
    select exists (
      select from holders a join holders b using (holder)
      where a.account = ${one} and b.account = ${other}) as linked`;
  return row.linked;
}
