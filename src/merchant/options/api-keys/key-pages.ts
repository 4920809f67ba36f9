// The operator page of API keys: the list, a form that makes one, and a button that revokes one. A new key is in the
// answer to its form and nowhere else.

import { isRowId } from '../../core/attempts/attempt-schema';
import { SCOPES, type Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { settingsOf } from '../../platform/settings';
import { readAmount } from '../operator/frame/formats';
import {
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../operator/frame/page';
import { operatorSettings } from '../operator/settings';
import { keyErrors, keyJson } from './key-routes';
import { findKeys } from './key-store';
import { exceedsLimit, makeKey, newKeySchema, revokeKey } from './manage-keys';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const KEYS_PATH = '/operator/api-keys';
/** More keys than a merchant has systems. GET /api/keys has all. */
const MOST_SHOWN = 200;

type Shown = {
  status?: number;
  /** The new key. */
  made?: { name: string; key: string };
  revoked?: string;
  problem?: 'wrong' | 'taken' | 'limit';
  /** The form as it was sent, where it was refused. */
  typed?: { name: string; scopes: readonly string[]; limit: string };
};

async function showKeys(context: Context, { status = 200, ...shown }: Shown): Promise<OperatorAnswer> {
  const keys = await findKeys(context, undefined, MOST_SHOWN);
  return toPage({
    status,
    template: '../api-keys/keys',
    title: ({ lang }) => (lang === 'en' ? en : ko).title,
    place: 'api-keys',
    isError: shown.problem !== undefined,
    data: {
      words: { ko, en },
      scopes: SCOPES,
      keys: keys.map(keyJson),
      made: null,
      revoked: null,
      problem: null,
      typed: { name: '', scopes: ['read'], limit: '' },
      mostRefunded: settingsOf(context.config, operatorSettings).REFUND_LIMIT ?? null,
      ...shown,
    },
  });
}

async function makeFromForm(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { name, scopes, refund_limit: limit = '' } = (request.body ?? {}) as Record<string, unknown>;
  const { REFUND_LIMIT: mostRefunded = null } = settingsOf(context.config, operatorSettings);
  // A form sends one checked box as a text, and several as a list.
  const asked = {
    name,
    scopes: scopes === undefined ? [] : [scopes].flat(),
    ...(limit !== '' && { refund_limit: typeof limit === 'string' ? readAmount(limit) : limit }),
  };
  const parsed = newKeySchema.safeParse(asked);
  const typed = {
    name: typeof name === 'string' ? name.slice(0, 100) : '',
    scopes: asked.scopes.filter((scope) => typeof scope === 'string'),
    limit: typeof limit === 'string' ? limit.slice(0, 20) : '',
  };
  if (!parsed.success) return showKeys(context, { status: 400, problem: 'wrong', typed });
  if (exceedsLimit(parsed.data, mostRefunded))
    return showKeys(context, { status: 403, problem: 'limit', typed });
  const result = await makeKey(context, parsed.data, request);
  if (!result) return showKeys(context, { status: 409, problem: 'taken', typed });
  request.log({ api_key_id: String(result.stored.id) });
  return showKeys(context, { status: 201, made: { name: result.stored.name, key: result.key } });
}

async function revokeByButton(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { id = '' } = request.params;
  const stored = isRowId(id) ? await revokeKey(context, BigInt(id), request) : null;
  if (!stored) throw new HttpError(keyErrors.api_key_not_found);
  request.log({ api_key_id: id });
  return showKeys(context, { revoked: stored.name });
}

export const KEY_PAGES: readonly OperatorRoute[] = [
  { method: 'get', path: KEYS_PATH, role: 'admin', handle: (context) => showKeys(context, {}) },
  {
    method: 'post',
    path: KEYS_PATH,
    role: 'admin',
    action: 'add',
    back: () => KEYS_PATH,
    handle: makeFromForm,
  },
  {
    method: 'post',
    path: `${KEYS_PATH}/:id/revoke`,
    role: 'admin',
    action: 'revoke',
    back: () => KEYS_PATH,
    handle: revokeByButton,
  },
];
