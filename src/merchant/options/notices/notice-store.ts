// What was told of each kind of cases.

import type { Notice } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';

export async function findNotices({ database }: Context): Promise<Notice[]> {
  return database.notice.findMany();
}

/**
 * Claims a kind for one message, unless one was tried since. The time is written first, so that no process sends a second
 * one within a minute, also after a kill. Returns whether it is claimed.
 */
export async function claimNotice(
  { database, realClock }: Context,
  kind: string,
  triedBefore: Date,
): Promise<boolean> {
  const claimed = await database.$executeRaw`
    insert into notices as n (kind, tried_at, told) values (${kind}, ${realClock.now()}::timestamptz, '{}')
    on conflict (kind) do update set tried_at = excluded.tried_at
    where n.tried_at <= ${triedBefore}::timestamptz`;
  return claimed === 1;
}

/** The outcome of a message. @param told null if it was not delivered */
export async function saveNotice(
  { database }: Context,
  kind: string,
  { told, reason }: { told: readonly string[] | null; reason: string | null },
): Promise<void> {
  await database.notice.updateMany({
    where: { kind },
    data: { reason, ...(told !== null && { told: [...told] }) },
  });
}
