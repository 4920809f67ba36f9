// The access token (§5.4, §5.5): fetched once, shared by every call in flight, renewed in time. Its life is counted from
// the response itself on a clock that only grows, so the host's wall clock does not matter.

import type { Clock } from '../../platform/clock';
import { ServiceError, type ServiceErrorKind } from '../../platform/errors';
import type { Deadline } from './deadline';

export type IssuedToken = {
  token: string;
  lifetimeMs: number;
  /** `now` of the response, in UNIX seconds; null where the response has none. */
  serverNow: number | null;
};
export type AccessToken = ReturnType<typeof createAccessToken>;

/** §5.5: within the last minute a call extends the token. */
const RENEWAL_WINDOW_MS = 60_000;
/** A token that was extended already may not move any more: it is used to its end, without a storm of renewals. */
const MIN_RENEWAL_GAP_MS = 10_000;
/** Credentials that were refused are not tried at every call. */
const REFUSED_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;

export function createAccessToken(options: {
  /** The token call, with a deadline of its own: it goes on when a call that waits for it gives up. */
  issue: () => Promise<IssuedToken>;
  clock: Clock;
  /** Of the token call, for errors. */
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
     * A token that should be good.
     * @throws ServiceError that says that the call itself was never made
     */
    async get(deadline: Deadline): Promise<string> {
      const nowMs = clock.monotonicMs();
      if (!held || nowMs >= held.expiresAtMs) return (await untilOver(renew(), deadline, path)).token;
      if (nowMs >= held.renewFromMs && nowMs - lastRequestedMs >= MIN_RENEWAL_GAP_MS) {
        // No call waits for this renewal, and its failure changes nothing: the held token is still good.
        renew().catch(() => undefined);
      }
      return held.token;
    },

    /** After a 401: this token is not used again, unless the service gives it out again. */
    drop(token: string): void {
      if (held?.token === token) held = null;
    },

    /** The service's clock, from a response fetched for this (§2.1). */
    async getServerTime(): Promise<Date> {
      const { serverNow, requestedAtMs } = await renew();
      // Without `now` the host's clock is the next best: a reconciliation in a slightly wrong window still repairs some.
      if (serverNow === null) return clock.now();
      return new Date(serverNow * 1_000 + (clock.monotonicMs() - requestedAtMs));
    },
  };
}

/**
 * A call that found no token was never made, whatever became of the token call: nothing may look like "perhaps it
 * happened", and a refusal of our credentials must not look like a declined card.
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

/** In milliseconds; 0 where the next call may ask again. */
function pauseAfter({ facts }: ServiceError): number {
  if (facts.kind === 'unauthorized') return REFUSED_PAUSE_MS;
  if (facts.kind !== 'rate_limited') return 0;
  return Math.min((facts.retryAfterSeconds ?? 0) * 1_000 || REFUSED_PAUSE_MS, MAX_PAUSE_MS);
}

/** The shared token call goes on for the others when the deadline of one waiting call passes. */
async function untilOver<T>(promise: Promise<T>, deadline: Deadline, path: string): Promise<T> {
  const over = new Promise<never>((_, reject) => {
    deadline.onOver = () => reject(tooLate(path));
    if (deadline.isOver) deadline.onOver();
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    deadline.onOver = null;
  }
}

function tooLate(path: string): ServiceError {
  return new ServiceError({
    kind: 'unreachable',
    method: 'POST',
    path,
    detail: 'no access token: deadline passed',
  });
}
