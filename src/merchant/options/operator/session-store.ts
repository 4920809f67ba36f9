// The rows of operators' sessions. A cookie's token is in no row: only its hash.

import type { OperatorRole } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';

export type NewSession = { tokenHash: string; name: string };

/** Opened with OPERATOR_PASSWORD. @param openedWith keyed hash of the value that was typed */
export async function insertPasswordSession(
  { database, clock }: Context,
  { tokenHash, name }: NewSession,
  openedWith: string,
): Promise<void> {
  const now = clock.now();
  await database.operatorSession.create({
    data: { tokenHash, name, openedWith, createdAt: now, lastUsedAt: now },
  });
}

/**
 * The session of an account. Returns false, and writes nothing, if the account was disabled or got another password
 * since the password was compared.
 */
export async function insertAccountSession(
  { database, clock }: Context,
  { tokenHash }: Pick<NewSession, 'tokenHash'>,
  { id, passwordHash }: { id: bigint; passwordHash: string },
): Promise<boolean> {
  const now = clock.now();
  // The lock orders it before or after a change of the account, which deletes the account's sessions.
  const written = await database.$executeRaw`
    insert into operator_sessions (token_hash, operator_id, name, created_at, last_used_at)
    select ${tokenHash}, id, name, ${now}::timestamptz, ${now}::timestamptz from operators
    where id = ${id} and password_hash = ${passwordHash} and disabled_at is null
    for update`;
  return written === 1;
}

export type SessionRow = {
  name: string;
  accountId: bigint | null;
  /** Null without an account. */
  role: OperatorRole | null;
  hasSecondFactor: boolean;
  mustChangePassword: boolean;
  lastUsedAt: Date;
};

/** How old a session may be, and how long it may be unused. */
export type Lifetime = { createdAfter: Date; usedAfter: Date };

/**
 * Null: there is none, or it has expired, or its account was disabled. A session of OPERATOR_PASSWORD counts only while
 * there is no account.
 * @param openedWith keyed hashes of the values of OPERATOR_PASSWORD
 */
export async function findLiveSession(
  { database }: Context,
  tokenHash: string,
  { createdAfter, usedAfter }: Lifetime,
  openedWith: readonly string[],
): Promise<SessionRow | null> {
  const [session] = await database.$queryRaw<SessionRow[]>`
    select s.name, s.operator_id as "accountId", o.role::text as role, s.last_used_at as "lastUsedAt",
      o.totp_secret is not null as "hasSecondFactor", coalesce(o.must_change, false) as "mustChangePassword"
    from operator_sessions s left join operators o on o.id = s.operator_id
    where s.token_hash = ${tokenHash}
      and s.created_at > ${createdAfter}::timestamptz and s.last_used_at > ${usedAfter}::timestamptz
      and case when s.operator_id is null
        then s.opened_with = any(${openedWith}::text[]) and not exists (select from operators)
        else o.disabled_at is null end`;
  return session ?? null;
}

export async function writeLastUse({ database, clock }: Context, tokenHash: string): Promise<void> {
  await database.operatorSession.updateMany({ where: { tokenHash }, data: { lastUsedAt: clock.now() } });
}

export async function deleteSession({ database }: Context, tokenHash: string): Promise<void> {
  await database.operatorSession.deleteMany({ where: { tokenHash } });
}

export async function deleteExpiredSessions(
  { database }: Context,
  { createdAfter, usedAfter }: Lifetime,
): Promise<void> {
  await database.operatorSession.deleteMany({
    where: { OR: [{ createdAt: { lte: createdAfter } }, { lastUsedAt: { lte: usedAfter } }] },
  });
}
