// The client calls the real sandbox over HTTP, on one clock, with a prefix that is not the document's.

import { ServiceError } from '../../src/merchant/errors';
import {
  createPaymentService,
  type PaymentService,
} from '../../src/merchant/payment-service/payment-service';
import type { OnCall } from '../../src/merchant/payment-service/transport/exchange';
import { startSandbox } from '../../src/sandbox/start-sandbox';
import { createManualClock, type ManualClock } from './clock';
import { openBetween } from './open-between';
import { createSandboxControls, type SandboxControls } from './sandbox-controls';

export const CREDENTIALS = { key: 'key-canary-1', secret: 'secret-canary-2', apiKey: 'api-key-canary-3' };

export type ClientOptions = { namePrefix?: string; timeoutMs?: number };
export type Client = {
  service: PaymentService;
  sandbox: SandboxControls;
  clock: ManualClock;
  calls: Parameters<OnCall>[0][];
  /** Another client of the same service, as another process has it. */
  another(options?: { secret?: string; timeoutMs?: number }): PaymentService;
  close(): Promise<void>;
};

/** One for each test. */
export function useFreshClient(): Client {
  return openBetween(
    beforeEach,
    afterEach,
    () => startClient(),
    (client) => client.close(),
  );
}

export async function startClient({
  namePrefix = 'abc',
  timeoutMs = 5_000,
}: ClientOptions = {}): Promise<Client> {
  const clock = createManualClock();
  const { key, secret, apiKey } = CREDENTIALS;
  const sandbox = await startSandbox({
    config: { port: 0, namePrefix, serviceKey: key, serviceSecret: secret, apiKey, slowCardMs: 10 },
    clock: clock.nowMs,
  });
  const calls: Client['calls'] = [];
  const another: Client['another'] = (options = {}) =>
    createPaymentService({
      service: {
        baseUrl: sandbox.url,
        key,
        secret: options.secret ?? secret,
        namePrefix,
        newer: { baseUrl: sandbox.url, apiKey },
      },
      clock,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      onCall: (call) => calls.push(call),
    });
  return {
    service: another(),
    sandbox: createSandboxControls(sandbox.url),
    clock,
    calls,
    another,
    close: () => sandbox.close(),
  };
}

/** The facts of the ServiceError that a promise ends with. */
export async function factsOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof ServiceError)) throw error;
  return { ...error.facts, mayHaveHappened: error.mayHaveHappened };
}
