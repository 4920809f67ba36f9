// The payment service as the merchant sees it: one method per operation of §4 and §5.7. `get` throws `not_found` where
// there is nothing, `find` returns null or an empty list. Every other failure is a ServiceError.

import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import { billingKeyOperations } from './billing-keys';
import { chargeOperations } from './charges';
import { newerGenerationOperations } from './newer-generation';
import { paymentOperations } from './payments';
import { refundOperations } from './refunds';
import { scheduleOperations } from './schedules';
import { legacySignIn, newerSignIn } from './transport/access-token';
import { createClient, type Connection, type OnCall } from './transport/client';
import { LEGACY, NEWER } from './transport/envelope';
import { createLine, type Line, type LineName } from './transport/line';
import { createUndiciAdapter } from './transport/undici-adapter';
import { fromWire, toWire, wireNames } from './transport/wire-names';

export type { LineName };
export type PaymentService = ReturnType<typeof createPaymentService>;

const DEFAULT_TIMEOUT_MS = 10_000;

/** Calls in flight at most, for each process; the others wait for a connection. */
const MOST_IN_FLIGHT = { legacy: 256, newer: 256, operations: 64, visitors: 8 } satisfies Record<
  LineName,
  number
>;

/**
 * For which lines a 429 is meant. One to a query leaves operations alone; one to an operation is meant for queries as well.
 * One to a visitor's query delays nobody but visitors.
 */
const PAUSED_WITH = {
  legacy: ['legacy', 'visitors'],
  newer: ['newer'],
  operations: ['operations', 'legacy', 'visitors'],
  visitors: ['visitors'],
} satisfies Record<LineName, readonly LineName[]>;

/** What is learned of the service by its answers. */
export type ServiceListener = {
  /** It has asked for a pause (429) on these lines. */
  onPause(lines: readonly LineName[], until: Date): void;
  /** Queries of this generation are answered again, after several in a row that were not. */
  onAnswersAgain(generation: 'legacy' | 'newer'): void;
};

/** Both generations side by side, each with an access token of its own (§9). The newer one can be switched off. */
export function createPaymentService(options: {
  service: Config['service'];
  clock: Clock;
  /** Total deadline of one operation, token and retry included. */
  timeoutMs?: number;
  /** Whether payments of test channels are shown (§4.4): never in production. */
  includeTestChannel?: boolean;
  onCall?: OnCall;
  /** Another network, in place of connections to the service. */
  openAdapter?: typeof createUndiciAdapter;
}) {
  const { service, clock, timeoutMs = DEFAULT_TIMEOUT_MS, includeTestChannel = false } = options;
  const { onCall = () => undefined, openAdapter = createUndiciAdapter } = options;
  const names = wireNames(service.namePrefix);
  const secrets = [service.key, service.secret, ...(service.newer ? [service.newer.apiKey] : [])];
  const shared = { names, secrets, timeoutMs, clock, onCall };
  let listener: ServiceListener | null = null;
  const lines: Record<LineName, Line> = {
    legacy: openLine('legacy'),
    newer: openLine('newer'),
    operations: openLine('operations'),
    visitors: openLine('visitors'),
  };
  const signIn = legacySignIn(service);
  const { client, accessToken } = createClient({
    ...shared,
    baseURL: service.baseUrl,
    generation: LEGACY,
    signIn,
    // A token is fetched over the connections of operations: queries that wait for theirs cannot keep it from them.
    adapter: lines.operations.adapter,
  });
  const connection: Connection = {
    client,
    lines: { queries: lines.legacy, operations: lines.operations, visitors: lines.visitors },
    timeoutMs,
  };
  return {
    ...billingKeyOperations(connection, { includeTestChannel }),
    ...chargeOperations(connection),
    ...refundOperations(connection),
    ...paymentOperations(connection, { includeTestChannel }),
    ...scheduleOperations(connection),
    ...newerGenerationOperations(newerConnection()),

    /**
     * The time on the service's clock: `now` of a token response fetched for this (§2.1), so that the periods of a
     * reconciliation hold where the host's clock is off. The response also renews the token.
     */
    async getServerTime(): Promise<Date> {
      lines.legacy.checkPause({ method: 'POST', path: signIn.path });
      return accessToken.getServerTime();
    },

    /** There is one listener: whoever distributes what this process learns. */
    listen(to: ServiceListener): void {
      listener = to;
    },

    /** Pauses that another process was asked for hold for this one as well. `untilMs`: milliseconds since 1970. */
    applyPauses(pauses: readonly { line: LineName; untilMs: number }[]): void {
      for (const { line, untilMs } of pauses) lines[line].pauseUntil(new Date(untilMs));
    },

    /** Whether the last query of a generation was answered; null before the first one. */
    isAnswering: (generation: 'legacy' | 'newer'): boolean | null => lines[generation].isAnswering(),

    /** A body that the service sent by itself, such as a notification, with the document's names in place of the wire's. */
    fromWire(body: unknown): unknown {
      return fromWire(names, body);
    },

    /** The other direction, such as for the query of an address to which the service sends a buyer. */
    toWire(fields: Record<string, string>): Record<string, string> {
      return toWire(names, fields) as Record<string, string>;
    },
  };

  function newerConnection(): Connection | null {
    if (service.newer === null) return null;
    const { baseUrl: baseURL, apiKey } = service.newer;
    // It has queries alone.
    const line = lines.newer;
    const { adapter } = line;
    const { client } = createClient({
      ...shared,
      baseURL,
      generation: NEWER,
      signIn: newerSignIn(apiKey),
      adapter,
    });
    return { client, lines: { queries: line, operations: line, visitors: line }, timeoutMs };
  }

  function openLine(name: LineName): Line {
    const paused = PAUSED_WITH[name];
    return createLine(name, {
      clock,
      adapter: openAdapter(MOST_IN_FLIGHT[name]),
      listener: {
        onPause(until) {
          for (const each of paused) lines[each].pauseUntil(until);
          listener?.onPause(paused, until);
        },
        onAnswersAgain() {
          if (name === 'legacy' || name === 'newer') listener?.onAnswersAgain(name);
        },
      },
    });
  }
}
