// The client of the payment service: one method per operation of §4 and §5.7. `get` throws `not_found` if nothing
// exists, `find` returns null or an empty list. Every other failure is a ServiceError.

import { billingKeyOperations } from './billing-keys';
import { chargeOperations } from './charges';
import { newerGenerationOperations } from './newer-generation';
import { paymentOperations, type ShownChannels } from './payments';
import { refundOperations } from './refunds';
import { scheduleOperations } from './schedules';
import { legacySignIn, newerSignIn } from './transport/access-token';
import { createClient, type ClientOptions, type Connection, type OnCall } from './transport/client';
import { LEGACY, NEWER } from './transport/envelope';
import {
  createChannel,
  type ChannelName,
  type ServiceChannel,
  type ServiceClock,
} from './transport/service-channel';
import { createUndiciAdapter, type ProxySettings } from './transport/undici-adapter';
import { fromWire, toWire, wireNames } from './transport/wire-names';

export type { ChannelName };
export type PaymentService = ReturnType<typeof createPaymentService>;

const DEFAULT_TIMEOUT_MS = 10_000;

/** Maximum number of concurrent calls per process; further calls wait for a connection. */
const MOST_IN_FLIGHT = { legacy: 256, newer: 256, writes: 64, visitors: 8 } satisfies Record<
  ChannelName,
  number
>;

/**
 * The channels that a 429 pauses. A 429 to a query does not pause writing calls; a 429 to a writing call pauses queries too. A
 * 429 to a visitor's query pauses only visitors.
 */
const PAUSED_WITH = {
  legacy: ['legacy', 'visitors'],
  newer: ['newer'],
  writes: ['writes', 'legacy', 'visitors'],
  visitors: ['visitors'],
} satisfies Record<ChannelName, readonly ChannelName[]>;

/** Notified of what the service's answers reveal about its state. */
export type ServiceListener = {
  /** The service has asked for a pause (429) on these channels. */
  onPause(channels: readonly ChannelName[], until: Date): void;
  /** Queries of this generation are answered again, after several unanswered ones in a row. */
  onAnswersAgain(generation: 'legacy' | 'newer'): void;
};

/** Where the service is, and our credentials. */
type ServiceSettings = {
  baseUrl: string;
  key: string;
  secret: string;
  /** Begins the names of the wire that have the name of the service: `svc` in its document. */
  namePrefix: string;
  /** The newer generation (§5.7, §9). Null means that it is switched off. */
  newer: { baseUrl: string; apiKey: string } | null;
};

/** Creates clients for both generations, each with its own access token (§9). The newer one can be switched off. */
export function createPaymentService(options: {
  service: ServiceSettings;
  clock: ServiceClock;
  /** Total deadline of one operation, including token and retry. */
  timeoutMs?: number;
  /** Whether to show payments of test channels (§4.4): never in production. */
  includeTestChannel?: boolean;
  onCall?: OnCall;
  /** Null: calls go to the service directly, whatever the environment says. */
  proxy?: ProxySettings | null;
  /** Replaces the network connections to the service. */
  openAdapter?: typeof createUndiciAdapter;
}) {
  const { service, clock, timeoutMs = DEFAULT_TIMEOUT_MS, includeTestChannel = false } = options;
  const { onCall = () => undefined, openAdapter = createUndiciAdapter, proxy = null } = options;
  const names = wireNames(service.namePrefix);
  const secrets = [service.key, service.secret, ...(service.newer ? [service.newer.apiKey] : [])];
  const shared = { names, secrets, timeoutMs, clock, onCall };
  let listener: ServiceListener | null = null;
  const channels: Record<ChannelName, ServiceChannel> = {
    legacy: openChannel('legacy'),
    newer: openChannel('newer'),
    writes: openChannel('writes'),
    visitors: openChannel('visitors'),
  };
  const signIn = legacySignIn(service);
  const { connection, accessToken } = connect({
    baseURL: service.baseUrl,
    generation: LEGACY,
    signIn,
    channels: { queries: channels.legacy, writes: channels.writes, visitors: channels.visitors },
  });
  const newer =
    service.newer &&
    connect({
      baseURL: service.newer.baseUrl,
      generation: NEWER,
      signIn: newerSignIn(service.newer.apiKey),
      // The newer generation has only queries.
      channels: { queries: channels.newer, writes: channels.newer, visitors: channels.newer },
    });
  const shown: ShownChannels = { include_sandbox: includeTestChannel ? 'true' : undefined };
  return {
    ...billingKeyOperations(connection, shown),
    ...chargeOperations(connection),
    ...refundOperations(connection),
    ...paymentOperations(connection, shown),
    ...scheduleOperations(connection),
    ...newerGenerationOperations(newer?.connection ?? null),

    /**
     * The time on the service's clock: `now` of a token response fetched for this (§2.1), so that the periods of a
     * reconciliation are right even if the host's clock is not. The response also renews the token.
     */
    async getServerTime(): Promise<Date> {
      channels.legacy.checkPause({ method: 'POST', path: signIn.path });
      return accessToken.getServerTime();
    },

    /** Sets the only listener, which distributes the information. */
    listen(to: ServiceListener): void {
      listener = to;
    },

    /** Applies pauses that another process was asked for. `untilMs`: milliseconds since 1970. */
    applyPauses(pauses: readonly { channel: ChannelName; untilMs: number }[]): void {
      for (const { channel, untilMs } of pauses) channels[channel].pauseUntil(new Date(untilMs));
    },

    /** Whether the last query of a generation was answered; false before the first one. */
    isAnswering: (generation: 'legacy' | 'newer'): boolean => channels[generation].isAnswering(),

    /** Converts a body that the service sent on its own, such as a notification, to the document's field names. */
    fromWire(body: unknown): unknown {
      return fromWire(names, body);
    },

    /** The other direction, such as for the query of a URL that the service sends a buyer to. */
    toWire(fields: Record<string, string>): Record<string, string> {
      return toWire(names, fields) as Record<string, string>;
    },
  };

  function connect({
    channels: ofConnection,
    ...generation
  }: Pick<ClientOptions, 'baseURL' | 'generation' | 'signIn'> & Pick<Connection, 'channels'>) {
    // A token is fetched over the connections of the writing calls, so that waiting queries cannot block it.
    const { client, accessToken } = createClient({
      ...shared,
      ...generation,
      adapter: ofConnection.writes.adapter,
    });
    return { connection: { client, channels: ofConnection, timeoutMs }, accessToken };
  }

  function openChannel(name: ChannelName): ServiceChannel {
    const paused = PAUSED_WITH[name];
    return createChannel(name, {
      clock,
      adapter: openAdapter(MOST_IN_FLIGHT[name], proxy),
      listener: {
        onPause(until) {
          for (const each of paused) channels[each].pauseUntil(until);
          listener?.onPause(paused, until);
        },
        onAnswersAgain() {
          if (name === 'legacy' || name === 'newer') listener?.onAnswersAgain(name);
        },
      },
    });
  }
}
