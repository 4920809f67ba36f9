// The rows of operators' accounts and of their sessions. Whatever changes the rights or the sign-in of an account ends its
// sessions in the same transaction. A cookie's token is in no row: only its hash.

import type { Operator, OperatorRole } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';
import type { Transaction } from '../../../platform/database';
import { isUniqueViolation } from '../../../platform/errors';

export type AccountFigures = { accounts: number; withoutSecondFactor: number };

/** Of the enabled accounts. At least one is enabled once there is one (`changeAccount`). */
export async function countAccounts({ database }: Context): Promise<AccountFigures> {
  const [accounts, withoutSecondFactor] = await Promise.all([
    database.operator.count({ where: { disabledAt: null } }),
    database.operator.count({ where: { disabledAt: null, totpSecret: null } }),
  ]);
  return { accounts, withoutSecondFactor };
}

export async function hasAccounts({ database }: Context): Promise<boolean> {
  return (await database.operator.findFirst({ select: { id: true } })) !== null;
}

export type ListedAccount = Operator & { sessions: number };

/** By name. `sessions` counts those that have not ended. */
export async function findAccounts(context: Context): Promise<ListedAccount[]> {
  const rows = await context.database.operator.findMany({
    orderBy: { name: 'asc' },
    include: { _count: { select: { sessions: { where: liveNow(context) } } } },
  });
  return rows.map(({ _count: { sessions }, ...row }) => ({ ...row, sessions }));
}

export async function findAccount(
  { database }: Context,
  where: { name: string } | { id: bigint },
): Promise<Operator | null> {
  return database.operator.findUnique({ where });
}

export type NewAccount = Pick<Operator, 'name' | 'role' | 'passwordHash' | 'mustChange'>;

/**
 * `taken`: also by a name that differs only in case. `not_admin`: the first account must be able to make the others.
 */
export async function insertAccount(
  { database, realClock }: Context,
  account: NewAccount,
  { accountId, mustBeFirst }: { accountId: bigint | null; mustBeFirst: boolean },
): Promise<Operator | 'taken' | 'not_admin' | 'not_first'> {
  try {
    return await database.$atomically(async (run) => {
      if (mustBeFirst) {
        await run.$executeRaw`lock table operators in share row exclusive mode`;
        if (await run.operator.findFirst()) return 'not_first';
      }
      if (account.role !== 'admin' && (await lockAdmins(run)).length === 0) return 'not_admin';
      const now = realClock.now();
      const added = await run.operator.create({ data: { ...account, recoveryCodes: [], createdAt: now } });
      await writeChange(run, { operatorId: added.id, changedBy: accountId, at: now });
      return added;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken';
    throw error;
  }
}

/** A new password; a second factor that was reset (`totpSecret: null`); a role; or the end. */
export type AccountChange = Partial<
  Pick<
    Operator,
    'passwordHash' | 'mustChange' | 'role' | 'disabledAt' | 'totpSecret' | 'totpLastStep' | 'recoveryCodes'
  >
>;

/**
 * Changes an account and deletes its sessions, except one.
 * @returns `last_admin` if nobody could manage accounts afterwards: nothing is changed then
 */
export async function changeAccount(
  { database, realClock }: Context,
  name: string,
  change: AccountChange,
  { author, exceptSession }: { author: { accountId: bigint | null }; exceptSession: string | null },
): Promise<Operator | 'not_found' | 'last_admin'> {
  return database.$atomically(async (run) => {
    const admins = await lockAdmins(run);
    const before = await run.operator.findUnique({ where: { name } });
    if (!before) return 'not_found';
    const staysAdmin = (change.role ?? 'admin') === 'admin' && !change.disabledAt;
    if (!staysAdmin && admins.length === 1 && admins[0]?.id === before.id) return 'last_admin';
    const account = await run.operator.update({ where: { name }, data: change });
    if (change.passwordHash !== undefined || change.role !== undefined)
      await writeChange(run, { operatorId: account.id, changedBy: author.accountId, at: realClock.now() });
    await run.operatorSession.deleteMany({
      where: { operatorId: account.id, ...(exceptSession !== null && { NOT: { tokenHash: exceptSession } }) },
    });
    return account;
  });
}

/** Two changes at the same time must not each leave the other's account as the last one. */
function lockAdmins(run: Transaction): Promise<{ id: bigint }[]> {
  return run.$queryRaw`
    select id from operators where role = 'admin' and disabled_at is null order by id for update`;
}

/** Within a day, a person who has changed an account may still know its password, so the two do not count as two persons. */
const LINKED_MS = 24 * 3600_000;

/** In the transaction of the change. Own changes, and those without an account, are not written. */
async function writeChange(
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

export async function deleteSessionsOf({ database }: Context, name: string): Promise<void> {
  await database.operatorSession.deleteMany({ where: { operator: { name } } });
}

/** Those that count, the last used first. */
export async function findSessionsOf(
  context: Context,
  operatorId: bigint,
): Promise<{ tokenHash: string; createdAt: Date; lastUsedAt: Date }[]> {
  return context.database.operatorSession.findMany({
    where: { operatorId, ...liveNow(context) },
    orderBy: { lastUsedAt: 'desc' },
    select: { tokenHash: true, createdAt: true, lastUsedAt: true },
  });
}

export async function deleteOtherSessions(
  { database }: Context,
  operatorId: bigint,
  tokenHash: string,
): Promise<void> {
  await database.operatorSession.deleteMany({ where: { operatorId, NOT: { tokenHash } } });
}

/**
 * Marks the time step of a code as used, and writes the secret as it is encrypted now. Returns false if the code was
 * used meanwhile, or the second factor was changed.
 */
export async function useStep(
  { database }: Context,
  { id, totpSecret }: Pick<Operator, 'id' | 'totpSecret'>,
  step: number,
  encryptedAgain: string,
): Promise<boolean> {
  const { count } = await database.operator.updateMany({
    where: { id, totpSecret, OR: [{ totpLastStep: null }, { totpLastStep: { lt: step } }] },
    data: { totpLastStep: step, totpSecret: encryptedAgain },
  });
  return count === 1;
}

/** Removes a recovery code. Returns false if the account has no such code left. */
export async function useRecoveryCode({ database }: Context, id: bigint, hash: string): Promise<boolean> {
  const written = await database.$executeRaw`
    update operators set recovery_codes = array_remove(recovery_codes, ${hash}::char(64))
    where id = ${id} and ${hash}::char(64) = any(recovery_codes)`;
  return written === 1;
}

export type NewSession = { tokenHash: string; name: string };

/** Opened with OPERATOR_PASSWORD. @param openedWith keyed hash of the value that was typed */
export async function insertPasswordSession(
  { database, realClock }: Context,
  { tokenHash, name }: NewSession,
  openedWith: string,
): Promise<void> {
  const now = realClock.now();
  await database.operatorSession.create({
    data: { tokenHash, name, openedWith, createdAt: now, lastUsedAt: now },
  });
}

/**
 * The session of an account. Returns false, and writes nothing, if the account was disabled or got another password
 * since the password was compared.
 */
export async function insertAccountSession(
  { database, realClock }: Context,
  { tokenHash }: Pick<NewSession, 'tokenHash'>,
  { id, passwordHash }: { id: bigint; passwordHash: string },
): Promise<boolean> {
  const now = realClock.now();
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

/** Use does not extend it. Our choice. */
export const SESSION_SECONDS = 12 * 3600;
const IDLE_SECONDS = 15 * 60;

/** What a session must be younger than to count now. */
function liveNow({ realClock }: Context) {
  const before = (seconds: number) => new Date(realClock.now().getTime() - seconds * 1000);
  return { createdAt: { gt: before(SESSION_SECONDS) }, lastUsedAt: { gt: before(IDLE_SECONDS) } };
}

/**
 * Null: there is none, or it has expired, or its account was disabled. A session of OPERATOR_PASSWORD counts only while
 * there is no account.
 * @param openedWith keyed hashes of the values of OPERATOR_PASSWORD
 */
export async function findLiveSession(
  context: Context,
  tokenHash: string,
  openedWith: readonly string[],
): Promise<SessionRow | null> {
  const { createdAt, lastUsedAt } = liveNow(context);
  const [session] = await context.database.$queryRaw<SessionRow[]>`
    select s.name, s.operator_id as "accountId", o.role::text as role, s.last_used_at as "lastUsedAt",
      o.totp_secret is not null as "hasSecondFactor", coalesce(o.must_change, false) as "mustChangePassword"
    from operator_sessions s left join operators o on o.id = s.operator_id
    where s.token_hash = ${tokenHash}
      and s.created_at > ${createdAt.gt}::timestamptz and s.last_used_at > ${lastUsedAt.gt}::timestamptz
      and case when s.operator_id is null
        then s.opened_with = any(${openedWith}::text[]) and not exists (select from operators)
        else o.disabled_at is null end`;
  return session ?? null;
}

export async function writeLastUse({ database, realClock }: Context, tokenHash: string): Promise<void> {
  await database.operatorSession.updateMany({ where: { tokenHash }, data: { lastUsedAt: realClock.now() } });
}

export async function deleteSession({ database }: Context, tokenHash: string): Promise<void> {
  await database.operatorSession.deleteMany({ where: { tokenHash } });
}

export async function deleteExpiredSessions(context: Context): Promise<void> {
  await context.database.operatorSession.deleteMany({ where: { NOT: liveNow(context) } });
}
