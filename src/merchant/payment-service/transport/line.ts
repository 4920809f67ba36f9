// A line to the payment service: the queries of one interface generation, those of visitors, or the operations. Each has
// its own connections, knows whether the service has asked for a pause (429) and whether it answers, and shares neither.

import type { AxiosAdapter } from 'axios';
import type { Clock } from '../../platform/clock';
import { OUTAGE_KINDS, ServiceError, type ServiceErrorKind } from '../../platform/errors';
import type { Endpoint } from './request';

/**
 * `legacy` and `newer` are the queries of a generation. `operations` is whatever changes something at the service, such as
 * an issuance, a charge, a refund or a schedule: queries that wait take none of its connections. `visitors` is the legacy
 * queries that anybody can cause with a page: they delay nothing else.
 */
export const LINES = ['legacy', 'newer', 'operations', 'visitors'] as const;
export type LineName = (typeof LINES)[number];

export type Line = {
  name: LineName;
  /** Its connections. */
  adapter: AxiosAdapter;
  /** @throws ServiceError `rate_limited` while the service has asked for a pause: nothing is sent then */
  checkPause(endpoint: Endpoint): void;
  /** The pause of another line, or one that another process was asked for. The latest end counts. */
  pauseUntil(until: Date): void;
  /** After a call that was answered, also with a refusal. */
  answered(): void;
  /** After one that was not. */
  failed(error: ServiceError, endpoint: Endpoint): void;
  /** Whether the last call was answered; null before the first one. */
  isAnswering(): boolean | null;
};

export type LineListener = {
  /** The service has asked for a pause. */
  onPause(until: Date): void;
  /** A call was answered after several that were not. */
  onAnswersAgain(): void;
};

/** Where a 429 names no time (§8 shows no limits), our choice: queries pause for so long, and no order is kept waiting. */
const DEFAULT_PAUSE_SECONDS: Record<LineName, number> = {
  legacy: 5,
  newer: 5,
  operations: 0,
  visitors: 5,
};
/** One call that fails may be about its payment; so many in a row are about the service. */
const FAILURES_OF_AN_OUTAGE = 3;

const NOT_ANSWERED = new Set<ServiceErrorKind>(OUTAGE_KINDS);

export function createLine(
  name: LineName,
  { clock, adapter, listener }: { clock: Clock; adapter: AxiosAdapter; listener: LineListener },
): Line {
  let pausedUntilMs = 0;
  let failures = 0;
  let answering: boolean | null = null;

  function answered(): void {
    const wasOutage = failures >= FAILURES_OF_AN_OUTAGE;
    failures = 0;
    answering = true;
    if (wasOutage) listener.onAnswersAgain();
  }

  return {
    name,
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
      if (!NOT_ANSWERED.has(facts.kind)) return answered();
      failures += 1;
      answering = false;
      // The token call has a pause of its own (access-token.ts), which must not be taken for a longer one of this line.
      if (facts.kind !== 'rate_limited' || facts.path !== endpoint.path) return;
      const nowMs = clock.now().getTime();
      const untilMs = nowMs + (facts.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS[name]) * 1_000;
      // Of many calls in flight, each answered so, the first one is told of.
      if (untilMs > Math.max(nowMs, pausedUntilMs + 1_000)) listener.onPause(new Date(untilMs));
    },

    isAnswering: () => answering,
  };
}
