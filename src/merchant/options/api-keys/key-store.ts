// The rows of API keys. A key itself is in no row: only its hash.

import type { ApiKey } from '../../../generated/prisma/client';
import type { Context, Scope } from '../../platform/context';
import { isUniqueViolation } from '../../platform/errors';

type NewKey = { name: string; hash: string; scopes: readonly Scope[]; refundLimit: number | null };

/** Returns null if a valid key has this name. */
export async function insertKey(
  { database, realClock }: Context,
  { name, hash, scopes, refundLimit }: NewKey,
): Promise<ApiKey | null> {
  try {
    return await database.apiKey.create({
      data: { name, hash, scopes: [...scopes], refundLimit, createdAt: realClock.now() },
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Returns null if there is no such key, or it was revoked. */
export async function findValidKey({ database }: Context, hash: string): Promise<ApiKey | null> {
  return database.apiKey.findUnique({ where: { hash, revokedAt: null } });
}

/** The newest first, with those that were revoked. */
export async function findKeys(
  { database }: Context,
  after: bigint | undefined,
  take: number,
): Promise<ApiKey[]> {
  return database.apiKey.findMany({
    where: after === undefined ? {} : { id: { lt: after } },
    orderBy: { id: 'desc' },
    take,
  });
}

/** Writes nothing if the last use that is stored is younger than `before`. */
export async function writeLastUse(
  { database, realClock }: Context,
  id: bigint,
  before: Date,
): Promise<void> {
  await database.apiKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] },
    data: { lastUsedAt: realClock.now() },
  });
}

/** A key that was revoked before keeps its first time. Returns null if there is no key with this id. */
export async function writeRevocation({ database, realClock }: Context, id: bigint): Promise<ApiKey | null> {
  await database.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: realClock.now() } });
  return database.apiKey.findUnique({ where: { id } });
}
