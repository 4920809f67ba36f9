// The client of the payment service with a real sandbox, and a service that records its requests.

import type { ServerResponse } from 'node:http';
import { createPaymentService } from '../../src/merchant/payment-service/payment-service';
import { ServiceError } from '../../src/merchant/payment-service/records/service-error';
import type { OnCall } from '../../src/merchant/payment-service/transport/client';
import { startSandbox } from '../../src/sandbox/start-sandbox';
import { createManualClock } from './clock';
import { startHttpServer, type HttpServer } from './http-server';
import { openForEach } from './open-between';
import { createSandboxControls } from './sandbox-controls';

export const CREDENTIALS = { key: 'key-canary-1', secret: 'secret-canary-2', apiKey: 'api-key-canary-3' };

export type Client = Awaited<ReturnType<typeof startClient>>;

/** One for each test. */
export function useFreshClient(): Client {
  return openForEach(() => startClient());
}

export async function startClient({
  namePrefix = 'abc',
  timeoutMs = 5_000,
}: { namePrefix?: string; timeoutMs?: number } = {}) {
  const clock = createManualClock();
  const { key, secret, apiKey } = CREDENTIALS;
  const sandbox = await startSandbox({
    config: { port: 0, namePrefix, serviceKey: key, serviceSecret: secret, apiKey, slowCardMs: 10 },
    clock: clock.nowMs,
  });
  const calls: Parameters<OnCall>[0][] = [];
  const another = (options: { secret?: string; timeoutMs?: number } = {}) =>
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
    /** Another client of the same service, as in another process. */
    another,
    close: () => sandbox.close(),
  };
}

/** The facts of the ServiceError that a promise rejects with. */
export async function factsOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof ServiceError)) throw error;
  return { ...error.facts, mayHaveHappened: error.mayHaveHappened };
}

export const serviceResponse = (payload: unknown) => ({
  payload,
  invalidResponse: (detail: string) =>
    new ServiceError({ kind: 'bad_answer', method: 'GET', path: '/payments/{svc_uid}', detail }),
});

export type ReceivedRequest = { method: string; path: string; query: URLSearchParams; body: unknown };
type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

export type RecordingService = HttpServer & {
  /** Without token requests. */
  requests: ReceivedRequest[];
};

export async function startRecordingService(answer: Answer = notFound): Promise<RecordingService> {
  const requests: ReceivedRequest[] = [];
  const { url, close } = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    if (pathname === '/users/getToken') return sendEnvelope(response, TOKEN);
    const { method = '', body: text } = request;
    const received = { method, path: pathname, query: searchParams, body: text && JSON.parse(text) };
    requests.push(received);
    answer(received, response);
  });
  return { url, requests, close };
}

const TOKEN = { access_token: 'token', now: 1_000_000_000, expired_at: 1_000_001_800 };

export function sendEnvelope(response: ServerResponse, payload: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ code: 0, message: null, response: payload }));
}

function notFound(_request: ReceivedRequest, response: ServerResponse): void {
  response.statusCode = 404;
  response.end('{"code":-1,"message":"unknown","response":null}');
}
