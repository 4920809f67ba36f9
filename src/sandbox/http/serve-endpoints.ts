// The border between HTTP and the service: log, fault, token, fields, handler, answer, in the order a request meets
// them. Also the answers for paths and methods that the service does not have.
import express, { type Request, type Response, type Router } from 'express';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Refusal, type Answer } from './answer';
import { parseBracketNames } from './bracket-names';
import { endpointName, type Endpoint } from './endpoint';
import type { Faults } from './faults';
import { readBody } from './read-body';
import type { RequestLog } from './request-log';
import { answeredByFault, drip } from './send-fault';
import type { WireNames } from './wire-names';

export type Border = {
  endpoints: readonly Endpoint[];
  faults: Faults;
  requestLog: RequestLog;
  wireNames: WireNames;
  logger: Logger;
  now: () => number;
  /** Throws the 401 of §5.6 unless the header carries a living token of this generation. */
  authorize(generation: 'legacy' | 'newer', authorization: string | undefined): void;
};

export function serveEndpoints(border: Border): Router {
  const router = express.Router({ caseSensitive: true });
  for (const endpoint of border.endpoints) {
    router[endpoint.method.toLowerCase() as 'get' | 'post' | 'delete'](endpoint.path, (request, response) =>
      serve(border, endpoint, request, response),
    );
  }
  for (const path of new Set(border.endpoints.map((endpoint) => endpoint.path))) {
    const methods = border.endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
    router.all(path, (request, response) => {
      logRequest(border, `${request.method} ${path}`, request, response, undefined);
      response.set('allow', methods.join(', '));
      send(border, response, new Refusal(405, `method: one of ${methods.join(', ')}`).answer);
    });
  }
  return router;
}

/** The last middleware: everything that is not an endpoint is a 404 envelope. */
export function serveUnknown(border: Border) {
  return (request: Request, response: Response) => {
    logRequest(border, 'unknown', request, response, undefined);
    send(border, response, new Refusal(404, 'path: unknown').answer);
  };
}

async function serve(border: Border, endpoint: Endpoint, request: Request, response: Response) {
  const fault = border.faults.take(endpointName(endpoint));
  logRequest(border, endpointName(endpoint), request, response, fault?.kind);
  if (fault && (await answeredByFault(response, fault))) return;
  const answer = await handle(border, endpoint, request, response);
  if (answer.delayMs !== undefined) await wait(answer.delayMs, undefined, { ref: false });
  if (answer.lost || fault?.kind === 'lost_response') return void request.socket.destroy();
  if (fault?.kind !== 'drip') return send(border, response, answer);
  response.status(answer.status).type('json');
  await drip(response, border.wireNames.write(answer.body), fault.delay_ms);
}

async function handle(
  border: Border,
  endpoint: Endpoint,
  request: Request,
  response: Response,
): Promise<Answer> {
  try {
    if (endpoint.access !== 'open') border.authorize(endpoint.access, request.headers.authorization);
    const body = request.method === 'GET' ? {} : border.wireNames.read(await readBody(request, response));
    const query = border.wireNames.read(parseBracketNames(request.url.split('?')[1] ?? ''));
    return await endpoint.handle({ params: request.params as Record<string, string>, query, body });
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    border.logger.error(
      { endpoint: endpointName(endpoint), error: nameOf(error) },
      'the sandbox itself failed',
    );
    return new Refusal(500, 'the sandbox itself failed').answer;
  }
}

// The stack without the message: messages of foreign code may repeat what was sent.
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return [error.name, ...(error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))].join(
    '\n',
  );
}

function send(border: Border, response: Response, answer: Answer) {
  response.status(answer.status).type('json').send(border.wireNames.write(answer.body));
}

function logRequest(
  border: Border,
  endpoint: string,
  request: Request,
  response: Response,
  fault: string | undefined,
) {
  const started = performance.now();
  const authorization = request.headers.authorization;
  // Counted when it arrives: one that hangs or is cut was received all the same.
  const logged = border.requestLog.add({
    at: border.now(),
    method: request.method,
    endpoint,
    path: request.path,
    status: null,
    took_ms: null,
    bare_token: authorization !== undefined && !/^bearer /i.test(authorization),
    fault: fault ?? null,
  });
  response.once('close', () => {
    logged.status = response.writableFinished ? response.statusCode : null;
    logged.took_ms = Math.round(performance.now() - started);
    border.logger.debug({ endpoint, status: logged.status, took_ms: logged.took_ms }, 'request');
  });
}
