// The access token (§5.4, §5.5): fetched once, shared by all concurrent calls, renewed in time. Its lifetime comes from
// the response and is counted on a monotonic clock, so the host's wall clock does not matter.

import { z } from 'zod';
import { check, type ServiceResponse } from '../records/record-fields';
import { ServiceError, type ServiceErrorKind } from '../records/service-error';
import type { ServiceClock } from './service-channel';

export type IssuedToken = {
  token: string;
  lifetimeMs: number;
  /** `now` of the response, in UNIX seconds; null if absent. */
  serverNow: number | null;
};

/** §5.5: within the last minute a call extends the token. */
const RENEWAL_WINDOW_MS = 60_000;
/**
 * A token that was extended before may not be extended again. It is then used until its end, with this gap between
 * renewals.
 */
const MIN_RENEWAL_GAP_MS = 10_000;
/** Refused credentials are not retried at every call. */
const REFUSED_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;

export function createAccessToken(options: {
  /** The token call, with its own timeout: it continues when a waiting call gives up. */
  issue: () => Promise<IssuedToken>;
  clock: ServiceClock;
  /** The path of the token call, for errors. */
  path: string;
}) {
  const { issue, clock, path } = options;
  let held: { token: string; renewFromMs: number; expiresAtMs: number } | null = null;
  let underWay: Promise<IssuedToken & { requestedAtMs: number }> | null = null;
  let lastRequestedMs = 0;
  let pause: { untilMs: number; error: ServiceError } | null = null;

  function renew() {
    underWay ??= requestToken().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  async function requestToken() {
    const requestedAtMs = clock.monotonicMs();
    if (pause && requestedAtMs < pause.untilMs) throw pause.error;
    lastRequestedMs = requestedAtMs;
    try {
      const issued = await issue();
      const { token, lifetimeMs } = issued;
      const window = Math.min(RENEWAL_WINDOW_MS, lifetimeMs / 2);
      const expiresAtMs = requestedAtMs + lifetimeMs;
      held = { token, expiresAtMs, renewFromMs: expiresAtMs - window };
      pause = null;
      return { ...issued, requestedAtMs };
    } catch (caught) {
      const error = withoutToken(caught);
      pause = { untilMs: clock.monotonicMs() + pauseAfter(error), error };
      throw error;
    }
  }

  return {
    /**
     * Returns a token that should be valid.
     * @param timeoutMs how long to wait for one
     * @throws ServiceError whose kind says that the call itself was never made
     */
    async get(timeoutMs: number): Promise<string> {
      const nowMs = clock.monotonicMs();
      if (!held || nowMs >= held.expiresAtMs) {
        // When one waiting call times out, the shared token call continues for the others.
        const issued = await within(timeoutMs, renew());
        if (issued === null)
          throw new ServiceError({
            kind: 'unreachable',
            method: 'POST',
            path,
            detail: 'no access token: deadline passed',
          });
        return issued.token;
      }
      if (nowMs >= held.renewFromMs && nowMs - lastRequestedMs >= MIN_RENEWAL_GAP_MS) {
        // No call waits for this renewal, and its failure changes nothing: the current token is still valid.
        renew().catch(() => undefined);
      }
      return held.token;
    },

    /** After a 401: the token is not used again, unless the service issues it again. */
    drop(token: string): void {
      if (held?.token === token) held = null;
    },

    /** The service's time, from a response fetched for this (§2.1). */
    async getServerTime(): Promise<Date> {
      const { serverNow, requestedAtMs } = await renew();
      // Without `now`, use the host's clock: a reconciliation of a slightly wrong window still repairs something.
      if (serverNow === null) return clock.now();
      return new Date(serverNow * 1_000 + (clock.monotonicMs() - requestedAtMs));
    },
  };
}

/** Null after the limit. By a host timer, because it limits a real wait. */
function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * A call without a token was never made, whatever the token call did. The error must not suggest that it may have
 * happened, and a refusal of our credentials must not look like a declined card.
 */
function withoutToken(error: unknown): ServiceError {
  if (!(error instanceof ServiceError)) throw error;
  const { kind, detail } = error.facts;
  return new ServiceError({
    ...error.facts,
    kind: WITHOUT_TOKEN[kind],
    detail: `no access token: ${detail ?? kind}`,
  });
}

const WITHOUT_TOKEN: Record<ServiceErrorKind, ServiceErrorKind> = {
  unreachable: 'unreachable',
  no_answer: 'unreachable',
  server_error: 'unreachable',
  rate_limited: 'rate_limited',
  unauthorized: 'unauthorized',
  refused: 'unauthorized',
  not_found: 'unauthorized',
  bad_answer: 'unauthorized',
};

/** In milliseconds; 0 if the next call may try again. */
function pauseAfter({ facts }: ServiceError): number {
  if (facts.kind === 'unauthorized') return REFUSED_PAUSE_MS;
  if (facts.kind !== 'rate_limited') return 0;
  return Math.min((facts.retryAfterSeconds ?? 0) * 1_000 || REFUSED_PAUSE_MS, MAX_PAUSE_MS);
}

/** How a generation issues tokens: path and body of the request, and the parser of the answer. */
export type SignIn = {
  path: string;
  body: Record<string, string>;
  /** @throws ServiceError `bad_answer` */
  read: (response: ServiceResponse) => IssuedToken;
};

/** §5.4 gives 30 minutes and §5.5 five more. A longer lifetime in a response (a clock in KST) is not trusted. */
const MAX_LIFETIME_MS = 35 * 60_000;
/** For a response without a usable lifetime. */
const ASSUMED_LIFETIME_MS = 60_000;
/** The newer generation's response has no times (§5.7): our choice is §5.4, and a 401 corrects it. */
const NEWER_LIFETIME_MS = 30 * 60_000;
const MAX_TOKEN_LENGTH = 4_096;

/** Visible ASCII only: anything else would break the header or, if undefined, be sent as "Bearer undefined". */
const tokenSchema = z.object({
  access_token: z
    .string()
    .max(MAX_TOKEN_LENGTH)
    .regex(/^[\x21-\x7e]+$/),
});
const unixSeconds = z.int().positive();

/** §4.1 */
export function legacySignIn({ key, secret }: { key: string; secret: string }): SignIn {
  return {
    path: '/users/getToken',
    body: { svc_key: key, svc_secret: secret },
    read(response) {
      const token = check(tokenSchema, response).access_token;
      const { now, expired_at } = response.payload as Record<string, unknown>;
      const serverNow = unixSeconds.safeParse(now).data ?? null;
      return {
        token,
        serverNow,
        lifetimeMs: toLifetimeMs(serverNow, unixSeconds.safeParse(expired_at).data),
      };
    },
  };
}

/** §5.7 */
export function newerSignIn(apiKey: string): SignIn {
  return {
    path: '/v2/signin/api-key',
    body: { api_key: apiKey },
    read(response) {
      const token = check(tokenSchema, response).access_token;
      return { token, serverNow: null, lifetimeMs: NEWER_LIFETIME_MS };
    },
  };
}

function toLifetimeMs(now: number | null, expiredAt: number | undefined): number {
  if (now === null || expiredAt === undefined || expiredAt <= now) return ASSUMED_LIFETIME_MS;
  return Math.min((expiredAt - now) * 1_000, MAX_LIFETIME_MS);
}
