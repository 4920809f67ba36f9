// The payment service as the merchant sees it: one method per operation of §4 and §5.7. `get` throws `not_found` where
// there is nothing, `find` returns null or an empty list. Every other failure is a ServiceError.

import type { Clock } from '../clock';
import type { Config } from '../config';
import { billingKeyOperations } from './billing-keys';
import { chargeOperations } from './charges';
import { newerGenerationOperations } from './newer-generation';
import { paymentOperations } from './payments';
import { refundOperations } from './refunds';
import { scheduleOperations } from './schedules';
import { createAccessToken } from './transport/access-token';
import { withDeadline, type Connection } from './transport/call';
import { readEnvelope, readPlain } from './transport/envelope';
import type { OnCall } from './transport/exchange';
import { createHttp } from './transport/http';
import { NEWER_TOKEN_PATH, newerSignIn, signIn, TOKEN_PATH } from './transport/sign-in';
import { fromWire, toWire, wireNames } from './transport/wire-names';

export type PaymentService = ReturnType<typeof createPaymentService>;

const DEFAULT_TIMEOUT_MS = 10_000;

/** Both generations side by side, each with an access token of its own (§9). The newer one can be switched off. */
export function createPaymentService(options: {
  service: Config['service'];
  clock: Clock;
  /** Total deadline of one operation, token and retry included. */
  timeoutMs?: number;
  /** Whether payments of test channels are shown (§4.4): never in production. */
  includeTestChannel?: boolean;
  onCall?: OnCall;
}) {
  const { service, clock, timeoutMs = DEFAULT_TIMEOUT_MS, includeTestChannel = false } = options;
  const { onCall = () => undefined } = options;
  const names = wireNames(service.namePrefix);
  const secrets = [service.key, service.secret, ...(service.newer ? [service.newer.apiKey] : [])];
  const shared = { http: createHttp(), names, secrets, clock, onCall };
  const legacy = { ...shared, baseUrl: service.baseUrl, readPayload: readEnvelope };
  const legacyToken = createAccessToken({
    issue: () => withDeadline(timeoutMs, (signal) => signIn(legacy, service, signal)),
    path: TOKEN_PATH,
    clock,
  });
  const connection = { transport: legacy, accessToken: legacyToken, timeoutMs };
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
    getServerTime(): Promise<Date> {
      return legacyToken.getServerTime();
    },

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
    const { baseUrl, apiKey } = service.newer;
    const transport = { ...shared, baseUrl, readPayload: readPlain };
    const issue = () => withDeadline(timeoutMs, (signal) => newerSignIn(transport, apiKey, signal));
    const accessToken = createAccessToken({ issue, path: NEWER_TOKEN_PATH, clock });
    return { transport, accessToken, timeoutMs };
  }
}
