// The payment service as the merchant sees it: one method per operation of §4 and §5.7. `get` throws a `not_found` fault
// where there is nothing, `find` answers null or an empty list. Every other failure is a ServiceFault.
import type { Clock } from '../clock';
import type { Config } from '../config';
import { createAccessToken } from './access-token';
import { createBillingKeyOperations, type BillingKeyOperations } from './billing-keys';
import { createCall } from './call';
import { createChargeOperations, type ChargeOperations } from './charges';
import { readEnvelope, readPlain } from './envelope';
import { createExchange, type OnCall } from './exchange';
import { createSend } from './http';
import { createNewerGenerationOperations, type NewerGenerationOperations } from './newer-generation';
import { createPaymentOperations, type PaymentOperations } from './payments';
import { createScheduleOperations, type ScheduleOperations } from './schedules';
import { createNewerSignIn, createSignIn } from './sign-in';
import { createWireNames } from './wire-names';

export type PaymentService = BillingKeyOperations &
  ChargeOperations &
  PaymentOperations &
  ScheduleOperations &
  NewerGenerationOperations & {
    /**
     * The time on the service's clock: `now` of a token answer fetched for this (§2.1), so that windows of a sweep hold
     * where the host's clock is off. The answer also renews the token.
     */
    getServerTime(): Promise<Date>;
  };

const DEFAULT_TIMEOUT_MS = 10_000;

/** Both generations side by side, each with an access token of its own (§9). */
export function createPaymentService(options: {
  service: Config['service'];
  clock: Clock;
  /** Total deadline of one operation, token and retry included. */
  timeoutMs?: number;
  onCall?: OnCall;
}): PaymentService {
  const { service, clock, timeoutMs = DEFAULT_TIMEOUT_MS, onCall = () => undefined } = options;
  const shared = {
    send: createSend(),
    names: createWireNames(service.namePrefix),
    secrets: [service.key, service.secret, service.apiKey],
    clock,
    onCall,
  };
  const legacy = createExchange({ ...shared, baseUrl: service.baseUrl, readAnswer: readEnvelope });
  const newer = createExchange({ ...shared, baseUrl: service.v2BaseUrl, readAnswer: readPlain });
  const legacyToken = createAccessToken({
    issue: createSignIn(legacy, service.key, service.secret),
    path: '/users/getToken',
    clock,
    timeoutMs,
  });
  const newerToken = createAccessToken({
    issue: createNewerSignIn(newer, service.apiKey),
    path: '/v2/signin/api-key',
    clock,
    timeoutMs,
  });
  const call = createCall(legacy, legacyToken, timeoutMs);
  return {
    ...createBillingKeyOperations(call),
    ...createChargeOperations(call),
    ...createPaymentOperations(call),
    ...createScheduleOperations(call),
    ...createNewerGenerationOperations(createCall(newer, newerToken, timeoutMs)),
    getServerTime: () => legacyToken.getServerTime(),
  };
}
