// The access token (§5.4, §5.5): fetched once, shared by every call in flight, renewed in time. Its life is reckoned from
// the answer itself on a clock that only grows, so the host's wall clock does not matter.
import type { Clock } from '../clock';
import { ServiceFault, type ServiceFaultKind } from '../errors';
import { withDeadline } from './deadline';

export type IssuedToken = {
  token: string;
  lifetimeMs: number;
  /** `now` of the answer, in UNIX seconds; null where the answer has none. */
  serverNow: number | null;
};

export type AccessToken = {
  /** A token that should be good. Throws a fault that says that the call itself was never made. */
  get(signal: AbortSignal): Promise<string>;
  /** After a 401: this token is not used again, unless the service gives it out again. */
  drop(token: string): void;
  /** The service's clock, from an answer fetched for this (§2.1). */
  getServerTime(): Promise<Date>;
};

/** §5.5: within the last minute a call extends the token. */
const RENEWAL_WINDOW_MS = 60_000;
/** A token that was extended already may not move any more: it is used to its end, without a storm of renewals. */
const MIN_RENEWAL_GAP_MS = 10_000;
/** Credentials that were refused are not tried at every call. */
const REFUSED_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;

export function createAccessToken(options: {
  issue: (signal: AbortSignal) => Promise<IssuedToken>;
  clock: Clock;
  timeoutMs: number;
  /** Of the token call, for faults. */
  path: string;
}): AccessToken {
  const { issue, clock, timeoutMs, path } = options;
  let held: { token: string; renewFromMs: number; expiresAtMs: number } | null = null;
  let underWay: Promise<IssuedToken & { askedAtMs: number }> | null = null;
  let lastAskedMs = -Infinity;
  let pause: { untilMs: number; fault: ServiceFault } | null = null;

  function renew() {
    underWay ??= askForToken().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  async function askForToken() {
    const askedAtMs = clock.monotonicMs();
    if (pause && askedAtMs < pause.untilMs) throw pause.fault;
    lastAskedMs = askedAtMs;
    try {
      const issued = await withDeadline(timeoutMs, issue);
      const { token, lifetimeMs } = issued;
      const window = Math.min(RENEWAL_WINDOW_MS, lifetimeMs / 2);
      const expiresAtMs = askedAtMs + lifetimeMs;
      held = { token, expiresAtMs, renewFromMs: expiresAtMs - window };
      pause = null;
      return { ...issued, askedAtMs };
    } catch (error) {
      const fault = withoutToken(error);
      const pauseMs = pauseAfter(fault);
      if (pauseMs > 0) pause = { untilMs: clock.monotonicMs() + pauseMs, fault };
      throw fault;
    }
  }

  return {
    async get(signal) {
      const nowMs = clock.monotonicMs();
      if (!held || nowMs >= held.expiresAtMs) return (await untilAborted(renew(), signal, path)).token;
      if (nowMs >= held.renewFromMs && nowMs - lastAskedMs >= MIN_RENEWAL_GAP_MS) {
        // Nobody waits for this one, and nobody misses it: the token in hand is still good.
        renew().catch(() => undefined);
      }
      return held.token;
    },

    drop(token) {
      if (held?.token === token) held = null;
    },

    async getServerTime() {
      const { serverNow, askedAtMs } = await renew();
      // Without `now` the host's clock is the next best: a sweep in a slightly wrong window still repairs something.
      if (serverNow === null) return clock.now();
      return new Date(serverNow * 1_000 + (clock.monotonicMs() - askedAtMs));
    },
  };
}

/**
 * A call that found no token was never made, whatever became of the token call: nothing may look like "perhaps it
 * happened", and a refusal of our credentials must not look like a declined card.
 */
function withoutToken(error: unknown): ServiceFault {
  if (!(error instanceof ServiceFault)) throw error;
  const { kind, detail } = error.facts;
  return new ServiceFault({
    ...error.facts,
    kind: WITHOUT_TOKEN[kind],
    detail: `no access token: ${detail ?? kind}`,
  });
}

const WITHOUT_TOKEN: Record<ServiceFaultKind, ServiceFaultKind> = {
  unreachable: 'unreachable',
  no_answer: 'unreachable',
  server_error: 'unreachable',
  rate_limited: 'rate_limited',
  unauthorized: 'unauthorized',
  refused: 'unauthorized',
  not_found: 'unauthorized',
  bad_answer: 'unauthorized',
};

function pauseAfter({ facts }: ServiceFault): number {
  if (facts.kind === 'unauthorized') return REFUSED_PAUSE_MS;
  if (facts.kind !== 'rate_limited') return 0;
  return Math.min((facts.retryAfterSeconds ?? 0) * 1_000 || REFUSED_PAUSE_MS, MAX_PAUSE_MS);
}

/** The shared token call goes on for the others when the deadline of one waiting call passes. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, path: string): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(tooLate(path));
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function tooLate(path: string): ServiceFault {
  return new ServiceFault({
    kind: 'unreachable',
    method: 'POST',
    path,
    detail: 'no access token: deadline passed',
  });
}
