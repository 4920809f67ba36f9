// Serves the endpoints over HTTP. A request passes log, fault, token, fields, handler and answer, in this order. Unknown
// paths and methods are answered here as well.

import { setTimeout as wait } from 'node:timers/promises';
import express, { type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { failure, HttpError, type Answer } from './answer';
import { endpointName, type Call, type Endpoint } from './endpoint';
import type { Faults } from './faults';
import { parseBracketNames } from './parse-bracket-names';
import { readBody } from './read-body';
import { detailsOf } from './request-details';
import type { RequestLog } from './request-log';
import { answeredByFault, drip } from './send-fault';
import { readWireNames, toWireJson } from './wire-names';

export type ServeOptions = {
  endpoints: readonly Endpoint[];
  faults: Faults;
  requestLog: RequestLog;
  namePrefix: string;
  logger: Logger;
  now: () => number;
  /** The id of the latest notification; 0 if there is none. */
  lastNotification: () => number;
  /** The svc_uid of the payment that a path's parameters name, null if there is none. */
  paymentOf(params: Record<string, unknown>): string | null;
  /** How a refused operation is answered (§7): HTTP 200 with a `code`, or with the HTTP status of a query. */
  operationErrors: () => 'code' | 'http';
  /** Throws the 401 of §5.6 unless the header carries a valid token of this generation. */
  authorize(generation: 'legacy' | 'newer', authorization: string | undefined): void;
};

export function serveEndpoints(options: ServeOptions): Router {
  const { endpoints } = options;
  const router = express.Router({ caseSensitive: true });
  for (const endpoint of endpoints) {
    router[endpoint.method.toLowerCase() as 'get' | 'post' | 'delete'](endpoint.path, (request, response) =>
      serve(options, endpoint, request, response),
    );
  }
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const methods = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
    router.all(path, (request, response) => {
      logRequest(options, `${request.method} ${path}`, request, response, undefined);
      response.set('allow', methods.join(', '));
      send(options, response, new HttpError(405, `method: one of ${methods.join(', ')}`).answer);
    });
  }
  return router;
}

/** The last middleware: every path that is not an endpoint is a 404 with the envelope. */
export function serveUnknown(options: ServeOptions) {
  return (request: Request, response: Response) => {
    logRequest(options, 'unknown', request, response, undefined);
    send(options, response, new HttpError(404, 'path: unknown').answer);
  };
}

async function serve(options: ServeOptions, endpoint: Endpoint, request: Request, response: Response) {
  const fault = options.faults.take(endpointName(endpoint));
  const logged = logRequest(options, endpointName(endpoint), request, response, fault?.kind);
  if (fault && (await answeredByFault(response, fault))) return;
  const lastNotification = options.lastNotification();
  const call: Call = { params: request.params as Record<string, string>, query: {}, body: {} };
  const answer = await handle(options, endpoint, { request, response, call });
  options.requestLog.describe(logged, detailsOf({ svcUid: logged.svc_uid, lastNotification }, call, answer));
  if (answer.delayMs !== undefined) await wait(answer.delayMs, undefined, { ref: false });
  if (answer.lost || fault?.kind === 'lost_response') return void request.socket.destroy();
  if (fault?.kind !== 'drip') return send(options, response, answer);
  response.status(answer.status).type('json');
  await drip(response, toWireJson(options.namePrefix, answer.body), fault.delay_ms);
}

async function handle(
  { authorize, namePrefix, operationErrors, logger }: ServeOptions,
  endpoint: Endpoint,
  { request, response, call }: { request: Request; response: Response; call: Call },
): Promise<Answer> {
  try {
    if (endpoint.access !== 'open') authorize(endpoint.access, request.headers.authorization);
    // A DELETE needs no body: what a client sends with it, such as the JSON of null, is not read.
    if (request.method === 'POST') call.body = readWireNames(namePrefix, await readBody(request, response));
    call.query = readWireNames(namePrefix, parseBracketNames(request.url.split('?')[1] ?? ''));
    return await endpoint.handle(call);
  } catch (error) {
    if (error instanceof HttpError)
      return operationErrors() === 'code' && isRefusal(endpoint, error)
        ? failure(error.message)
        : error.answer;
    logger.error({ endpoint: endpointName(endpoint), error: describe(error) }, 'the sandbox itself failed');
    return new HttpError(500, 'the sandbox itself failed').answer;
  }
}

// An operation is a POST or DELETE that needs a token. A 401 keeps its status (§5.6), and so does a 5xx, which is not the
// merchant's mistake.
function isRefusal({ method, access }: Endpoint, { answer: { status } }: HttpError): boolean {
  return method !== 'GET' && access === 'legacy' && status < 500 && status !== 401;
}

// The stack without the message, because messages of libraries may repeat what was sent.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return [error.name, ...(error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))].join(
    '\n',
  );
}

function send({ namePrefix }: ServeOptions, response: Response, answer: Answer) {
  response.status(answer.status).type('json').send(toWireJson(namePrefix, answer.body));
}

function logRequest(
  { requestLog, logger, now, paymentOf }: ServeOptions,
  endpoint: string,
  request: Request,
  response: Response,
  fault: string | undefined,
) {
  const started = performance.now();
  const authorization = request.headers.authorization;
  // Logged on arrival, so that a request that hangs or is cut counts as received.
  const logged = requestLog.add({
    at: now(),
    method: request.method,
    endpoint,
    path: request.path,
    svc_uid: paymentOf(request.params),
    bare_token: authorization !== undefined && /^(?!bearer$)\S+$/i.test(authorization),
    fault: fault ?? null,
  });
  response.once('close', () => {
    const answer = response.writableFinished ? response.statusCode : null;
    requestLog.answered(logged, answer, Math.round(performance.now() - started));
    const { method, path, status, took_ms } = logged;
    logger.debug({ endpoint, method, path, status, took_ms, fault: logged.fault }, 'request');
  });
  return logged;
}
