// API keys with scopes: made, recognised in a request, and revoked. A key is shown once, when it is made.

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ApiKey } from '../../../generated/prisma/client';
import { bestEffort } from '../../core/attempts/send-once';
import { SCOPES, type Caller, type Context, type Scope } from '../../platform/context';
import { strictBody } from '../../platform/http/body-fields';
import type { SentFrom } from '../../platform/http/log-fields';
import { hashOfToken } from '../../platform/secrets';
import { findValidKey, insertKey, writeLastUse, writeRevocation } from './key-store';

/** Says what it is to people, and to programs that search code and logs for secrets. */
const PREFIX = 'mkey_';
const KEY = new RegExp(`^${PREFIX}[\\w-]{43}$`);
/** The last use is written at most this often, so that a request does not cost a write. */
const USE_EVERY_MS = 60_000;

const DUPLICATE = 'names a scope twice';
export const newKeySchema = strictBody({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be 1 to 40 of a-z, 0-9 and -, a letter first')
    .meta({ description: 'The system that uses it. The request log names it.' }),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1, 'needs at least one scope')
    .refine((scopes) => new Set(scopes).size === scopes.length, DUPLICATE)
    .meta({ description: 'What it may do. A caller can give only scopes that its own key has.' }),
  refund_limit: z.int().positive().optional().meta({
    description:
      'Won that it may refund of one payment, all refunds of the payment together; no limit by default. With it, payments in other currencies cannot be refunded. A caller can give at most its own limit.',
  }),
});
/** Who makes or revokes a key, for the log. */
type Author = { by: string; sent: SentFrom };

type NewKeyRequest = z.output<typeof newKeySchema>;

type MadeKey = { stored: ApiKey; key: string };

/** Returns null if a valid key has this name. */
export async function makeKey(
  context: Context,
  { name, scopes, refund_limit: asked }: NewKeyRequest,
  { by, sent }: Author,
): Promise<MadeKey | null> {
  const refundLimit = asked ?? null;
  const key = `${PREFIX}${randomBytes(32).toString('base64url')}`;
  const stored = await insertKey(context, { name, hash: hashOfToken(key), scopes, refundLimit });
  if (!stored) return null;
  const facts = { id: String(stored.id), name, scopes, refund_limit: refundLimit };
  context.logger.info({ event: 'api_key_made', ...facts, by, ...sent });
  return { stored, key };
}

/** It is refused from the next request on. Returns null if there is none with this id. */
export async function revokeKey(context: Context, id: bigint, { by, sent }: Author): Promise<ApiKey | null> {
  const stored = await writeRevocation(context, id);
  const facts = { id: String(id), name: stored?.name, by };
  if (stored) context.logger.info({ event: 'api_key_revoked', ...facts, ...sent });
  return stored;
}

/** The owner of a key; null if it is not one of these keys, or was revoked. @throws DatabaseError */
export async function findCaller(context: Context, key: string): Promise<Caller | null> {
  if (!KEY.test(key)) return null;
  const stored = await findValidKey(context, hashOfToken(key));
  if (!stored) return null;
  const before = new Date(context.realClock.now().getTime() - USE_EVERY_MS);
  if (stored.lastUsedAt === null || stored.lastUsedAt < before)
    await bestEffort(context, () => writeLastUse(context, stored.id, before));
  return { name: stored.name, scopes: scopesOf(stored), refundLimit: limitOf(stored) };
}

export function limitOf({ refundLimit }: Pick<ApiKey, 'refundLimit'>): number | null {
  return refundLimit === null ? null : Number(refundLimit);
}

/**
 * Whether a key that may refund would exceed what its maker may. Otherwise one administrator could pass REFUND_LIMIT with
 * a key, and a key its own limit with another one.
 * @param limit of the maker; null for no limit
 */
export function exceedsLimit({ scopes, refund_limit: asked }: NewKeyRequest, limit: number | null): boolean {
  return limit !== null && scopes.includes('refund') && (asked === undefined || asked > limit);
}

/** A scope that this version does not know gives no right. */
export function scopesOf({ scopes }: Pick<ApiKey, 'scopes'>): Scope[] {
  return SCOPES.filter((scope) => scopes.includes(scope));
}
