// GET /api/keys, POST /api/keys, POST /api/keys/{id}/revoke: for a caller whose key has the scope `keys`.

import { z } from 'zod';
import type { ApiKey } from '../../../generated/prisma/client';
import { isRowId } from '../../core/attempts/attempt-schema';
import { SCOPES } from '../../platform/context';
import { defineErrors, HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { byId, defineList, listRoute } from '../../platform/http/list';
import { platformErrors } from '../../platform/platform-errors';
import { findKeys } from './key-store';
import { exceedsLimit, limitOf, makeKey, newKeySchema, revokeKey, scopesOf } from './manage-keys';

export const keyErrors = defineErrors({
  api_key_limit_exceeded: {
    status: 403,
    message: 'A key that may refund needs a refund_limit of at most the limit of the key that makes it.',
    remedy: 'Send a refund_limit within it, or make the key with API_KEY, which has no limit.',
  },
  api_key_not_found: {
    status: 404,
    message: 'No API key has this id.',
    remedy: 'See GET /api/keys for those that there are.',
  },
  api_key_name_taken: {
    status: 409,
    message: 'A valid API key has this name.',
    remedy: 'Take another name, or revoke that key first.',
  },
});

const time = z.iso.datetime();

const keyShape = {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  refund_limit: z
    .int()
    .optional()
    .meta({ description: 'Won that it may refund of one payment; absent for no limit.' }),
  created_at: time,
  last_used_at: time.nullable().meta({ description: 'To the minute; null if it was never used.' }),
  revoked_at: time.nullable().meta({ description: 'Null while it is valid.' }),
};
const keySchema = z.strictObject(keyShape).meta({ id: 'ApiKey', description: 'An API key, without itself.' });
const madeKeySchema = z
  .strictObject({ ...keyShape, key: z.string().meta({ description: 'The key. It is shown only here.' }) })
  .meta({ id: 'NewApiKey' });

export function keyJson(stored: ApiKey): z.output<typeof keySchema> {
  return {
    id: String(stored.id),
    name: stored.name,
    scopes: scopesOf(stored),
    refund_limit: limitOf(stored) ?? undefined,
    created_at: stored.createdAt.toISOString(),
    last_used_at: stored.lastUsedAt?.toISOString() ?? null,
    revoked_at: stored.revokedAt?.toISOString() ?? null,
  };
}

const keyList = defineList({
  filters: {},
  cursor: byId,
  find: (context, { after }, take) => findKeys(context, after, take),
  json: keyJson,
});

const keyExample = {
  id: '3',
  name: 'warehouse',
  scopes: ['read', 'orders'],
  created_at: '2026-11-21T09:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
} satisfies z.input<typeof keySchema>;

const made = {
  description: 'Made.',
  schema: madeKeySchema,
  example: { ...keyExample, key: 'mkey_…' },
};

export const keyRoutes: ApiRoute[] = [
  listRoute(keyList, {
    path: '/api/keys',
    scope: 'keys',
    summary: 'API keys besides API_KEY, the newest first',
    id: 'ApiKeyList',
    item: keySchema,
    example: keyExample,
  }),
  apiRoute({
    method: 'post',
    path: '/api/keys',
    scope: 'keys',
    summary: 'Make an API key with scopes',
    body: newKeySchema,
    example: { name: 'warehouse', scopes: ['read', 'orders'] },
    answers: { 201: made },
    errors: [keyErrors.api_key_limit_exceeded, keyErrors.api_key_name_taken],
    async handle(context, { body, caller, sent, log }) {
      const missing = body.scopes.filter((scope) => !caller.scopes.includes(scope));
      if (missing.length > 0)
        throw new HttpError(
          platformErrors.scope_missing,
          `scopes: the API key "${caller.name}" lacks ${missing.join(', ')} and cannot give it`,
        );
      if (exceedsLimit(body, caller.refundLimit)) throw new HttpError(keyErrors.api_key_limit_exceeded);
      const result = await makeKey(context, body, { by: caller.name, sent });
      if (!result) throw new HttpError(keyErrors.api_key_name_taken);
      log({ api_key_id: String(result.stored.id) });
      return { status: 201, body: { ...keyJson(result.stored), key: result.key } };
    },
  }),
  apiRoute({
    method: 'post',
    path: '/api/keys/{id}/revoke',
    scope: 'keys',
    summary: 'Revoke an API key: it is refused from the next request on',
    answers: { 200: { description: 'Revoked, now or before.', schema: keySchema, example: keyExample } },
    errors: [keyErrors.api_key_not_found],
    async handle(context, { params: { id }, caller, sent, log }) {
      const by = caller.name;
      const stored = isRowId(id) ? await revokeKey(context, BigInt(id), { by, sent }) : null;
      if (!stored) throw new HttpError(keyErrors.api_key_not_found);
      log({ api_key_id: id });
      return { body: keyJson(stored) };
    },
  }),
];
