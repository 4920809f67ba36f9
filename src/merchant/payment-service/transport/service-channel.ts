// A channel to the payment service: the queries of one interface generation, those of visitors, or the writing calls. Each
// channel has its own connections, its own pause (429) and its own record of whether the service answers.

import type { AxiosAdapter } from 'axios';
import { OUTAGE_KINDS, ServiceError } from '../records/service-error';
import type { Endpoint } from './request';

/** What the client reads of the merchant's clock. */
export type ServiceClock = {
  /** Wall-clock time: for pauses, whose end is a time. */
  now(): Date;
  /** Milliseconds, independent of the wall clock: for deadlines and the lifetime of a token. */
  monotonicMs(): number;
};

/**
 * `legacy` and `newer`: the queries of a generation. `writes`: calls that change something at the service, such as
 * an issuance, a charge, a refund or a schedule; waiting queries take none of its connections. `visitors`: legacy
 * queries that any visitor of a page can cause; they delay nothing else.
 */
export type ChannelName = 'legacy' | 'newer' | 'writes' | 'visitors';

export type ServiceChannel = {
  /** The channel's connections. */
  adapter: AxiosAdapter;
  /** @throws ServiceError `rate_limited` during a pause that the service has asked for: nothing is sent then */
  checkPause(endpoint: Endpoint): void;
  /** Applies the pause of another channel or another process. The latest end counts. */
  pauseUntil(until: Date): void;
  /** Called after an answered call, including a refusal. */
  answered(): void;
  /** Called after a call without an answer. */
  failed(error: ServiceError, endpoint: Endpoint): void;
  /** False while calls fail, once none has been answered for fifteen seconds. */
  isAnswering(): boolean;
};

export type ChannelListener = {
  /** The service has asked for a pause. */
  onPause(until: Date): void;
  /** A call was answered after several that were not. */
  onAnswersAgain(): void;
};

/**
 * The pause after a 429 that names no time (§8 shows no limits). Our choice: queries pause this long, and no order has
 * to wait.
 */
const DEFAULT_PAUSE_SECONDS: Record<ChannelName, number> = {
  legacy: 5,
  newer: 5,
  writes: 0,
  visitors: 5,
};
/** One failed call may be about its payment; this many in a row mean an outage. */
const FAILURES_OF_AN_OUTAGE = 3;
/** A call that was answered more recently than this shows that the failed ones are about their payments. */
const RECENTLY_MS = 15_000;

export function createChannel(
  name: ChannelName,
  { clock, adapter, listener }: { clock: ServiceClock; adapter: AxiosAdapter; listener: ChannelListener },
): ServiceChannel {
  let pausedUntilMs = 0;
  let failures = 0;
  let answeredAtMs = -Infinity;

  function answered(): void {
    const wasOutage = failures >= FAILURES_OF_AN_OUTAGE;
    failures = 0;
    answeredAtMs = clock.monotonicMs();
    if (wasOutage) listener.onAnswersAgain();
  }

  return {
    adapter,

    checkPause({ method, path }) {
      const restMs = pausedUntilMs - clock.now().getTime();
      if (restMs <= 0) return;
      const retryAfterSeconds = Math.ceil(restMs / 1_000);
      const detail = 'the service asked for a pause, nothing was sent';
      throw new ServiceError({ kind: 'rate_limited', method, path, retryAfterSeconds, detail });
    },

    pauseUntil(until) {
      pausedUntilMs = Math.max(pausedUntilMs, until.getTime());
    },

    answered,

    failed({ facts }, endpoint) {
      const isPause = facts.kind === 'rate_limited';
      if (isPause || !OUTAGE_KINDS.has(facts.kind)) answered();
      else failures += 1;
      // The token call has its own pause (access-token.ts), which must not extend the pause of this channel.
      if (!isPause || facts.path !== endpoint.path) return;
      const nowMs = clock.now().getTime();
      const untilMs = nowMs + (facts.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS[name]) * 1_000;
      // If many concurrent calls get a 429, only the first one is reported.
      if (untilMs > Math.max(nowMs, pausedUntilMs + 1_000)) listener.onPause(new Date(untilMs));
    },

    isAnswering: () => failures === 0 || clock.monotonicMs() - answeredAtMs < RECENTLY_MS,
  };
}
