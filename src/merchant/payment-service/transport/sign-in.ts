// How each generation gives out its access token (§4.1, §5.7).

import { z } from 'zod';
import { check, type ServiceResponse } from '../records/record-fields';
import type { IssuedToken } from './access-token';
import type { Deadline } from './deadline';
import { exchange, type Transport } from './exchange';
import type { Http } from './client';

/** §5.4 gives 30 minutes and §5.5 five more. A response that claims more (a clock in KST) is not believed. */
const MAX_LIFETIME_MS = 35 * 60_000;
/** Where a response says nothing usable about the life of its token. */
const ASSUMED_LIFETIME_MS = 60_000;
/** The newer generation's response has no times (§5.7): our choice is §5.4, and a 401 corrects it. */
const NEWER_LIFETIME_MS = 30 * 60_000;
const MAX_TOKEN_LENGTH = 4_096;

/** Visible ASCII only: anything else would break the header or, as undefined, be sent as "Bearer undefined". */
const tokenSchema = z.object({
  access_token: z
    .string()
    .max(MAX_TOKEN_LENGTH)
    .regex(/^[\x21-\x7e]+$/),
});
const unixSeconds = z.int().positive();

export const TOKEN_PATH = '/users/getToken';
export const NEWER_TOKEN_PATH = '/v2/signin/api-key';

type SignIn = { transport: Transport; http: Pick<Http, 'send'>; deadline: Deadline };

/** §4.1 */
export async function signIn(
  { transport, http, deadline }: SignIn,
  { key, secret }: { key: string; secret: string },
): Promise<IssuedToken> {
  const body = { svc_key: key, svc_secret: secret };
  const response = await exchange(transport, http, {
    request: { method: 'POST', path: TOKEN_PATH, body },
    deadline,
  });
  const token = readToken(response);
  const { now, expired_at } = response.payload as Record<string, unknown>;
  const serverNow = unixSeconds.safeParse(now).data ?? null;
  return { token, serverNow, lifetimeMs: toLifetimeMs(serverNow, unixSeconds.safeParse(expired_at).data) };
}

/** §5.7 */
export async function newerSignIn(
  { transport, http, deadline }: SignIn,
  apiKey: string,
): Promise<IssuedToken> {
  const body = { api_key: apiKey };
  const response = await exchange(transport, http, {
    request: { method: 'POST', path: NEWER_TOKEN_PATH, body },
    deadline,
  });
  return { token: readToken(response), serverNow: null, lifetimeMs: NEWER_LIFETIME_MS };
}

function readToken(response: ServiceResponse): string {
  return check(tokenSchema, response).access_token;
}

function toLifetimeMs(now: number | null, expiredAt: number | undefined): number {
  if (now === null || expiredAt === undefined || expiredAt <= now) return ASSUMED_LIFETIME_MS;
  return Math.min((expiredAt - now) * 1_000, MAX_LIFETIME_MS);
}
