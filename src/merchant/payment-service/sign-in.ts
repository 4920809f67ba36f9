// How each generation gives out its access token (§4.1, §5.7).
import { z } from 'zod';
import type { IssuedToken } from './access-token';
import { check } from './check';
import type { Exchange } from './exchange';

/** §5.4 gives 30 minutes and §5.5 five more; whatever an answer claims beyond that (a clock in KST), it is not believed. */
const MAX_LIFETIME_MS = 35 * 60_000;
/** Where an answer says nothing usable about the life of its token. */
const ASSUMED_LIFETIME_MS = 60_000;
/** The newer generation's answer has no times (§5.7); §5.4 stands for it, and a 401 corrects us. */
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

export function createSignIn(exchange: Exchange, key: string, secret: string) {
  return async (signal: AbortSignal): Promise<IssuedToken> => {
    const body = { svc_key: key, svc_secret: secret };
    const { payload, bad } = await exchange({ method: 'POST', path: '/users/getToken', body }, signal);
    const token = check(tokenSchema, payload, bad).access_token;
    const { now, expired_at } = payload as Record<string, unknown>;
    const serverNow = unixSeconds.safeParse(now).data ?? null;
    return { token, serverNow, lifetimeMs: toLifetimeMs(serverNow, unixSeconds.safeParse(expired_at).data) };
  };
}

export function createNewerSignIn(exchange: Exchange, apiKey: string) {
  return async (signal: AbortSignal): Promise<IssuedToken> => {
    const body = { api_key: apiKey };
    const { payload, bad } = await exchange({ method: 'POST', path: '/v2/signin/api-key', body }, signal);
    const token = check(tokenSchema, payload, bad).access_token;
    return { token, serverNow: null, lifetimeMs: NEWER_LIFETIME_MS };
  };
}

function toLifetimeMs(now: number | null, expiredAt: number | undefined): number {
  if (now === null || expiredAt === undefined || expiredAt <= now) return ASSUMED_LIFETIME_MS;
  return Math.min((expiredAt - now) * 1_000, MAX_LIFETIME_MS);
}
