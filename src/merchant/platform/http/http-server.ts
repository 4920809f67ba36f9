// The app on a port: how long a request may take, what is answered to something that is no request, and how the server stops.

import {
  createServer,
  IncomingMessage,
  ServerResponse,
  STATUS_CODES,
  type Server,
  type ServerOptions,
} from 'node:http';
import { Server as NetServer, Socket, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import helmet from 'helmet';
import type { Config } from '../config';
import { helmetOptions, type HeaderConfig } from './security-headers';

export type RunningServer = {
  port: number;
  /** From now on each answer closes its connection, so that a proxy does not choose it for its next request. */
  closeConnections(): void;
  /** Takes no more requests, lets those in progress finish, and closes every connection. */
  drain(options: { isGraceful: boolean }): Promise<void>;
};

/**
 * Slow headers and bodies end with 408; Node's own check interval would make these limits up to 30 s longer. An idle
 * connection stays longer than nginx and cloud balancers keep theirs (60 s): they close it first, so that none of them
 * sends a request into a connection that is closed at that moment. The limit on headers counts from their first byte.
 * A request without `Host` is refused by the app, with the headers of every answer.
 */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 72_000,
  requireHostHeader: false,
};
/** Also how many connections may wait to be accepted: with Node's 511, a burst of notifications would be refused. */
const MAX_CONNECTIONS = 4_000;
/** From here on, connections that are not used are closed for new ones: nobody keeps others out by holding them. */
const MANY_CONNECTIONS = 3_900;
/** From a connection to its first request. */
const REQUEST_ON_ITS_WAY_MS = 500;
/** How long a stopping server waits for requests in progress: one fetch of a payment and a margin. */
const DRAIN_MS = 15_000;

/** @throws an error of the system, such as EADDRINUSE */
export async function listen(
  app: Express,
  config: Pick<Config, 'port' | 'host'> & HeaderConfig,
): Promise<RunningServer> {
  const server = await new Promise<Server>((resolve, reject) => {
    const options = { ...LIMITS, ...expressClasses(app) };
    const opened = createServer(options, app).once('error', reject);
    opened.maxConnections = MAX_CONNECTIONS;
    opened.listen(config.port, config.host, MAX_CONNECTIONS, () => resolve(opened));
  });
  const connections = watchConnections(server);
  answerUnreadable(server, config);
  let isClosing = false;
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (isClosing) response.setHeader('Connection', 'close');
  });
  return {
    port: (server.address() as AddressInfo).port,
    closeConnections: () => (isClosing = true),
    drain: ({ isGraceful }) => drain(server, connections, isGraceful),
  };
}

/**
 * Requests and responses are Express' own from the start, which `app.listen` cannot say. Express would otherwise give each of
 * them another prototype when it arrives, and V8 then runs what touches them without some optimisations. What these lines
 * are worth (`npm run bench -- quick`, 64 connections): 0.38 ms CPU for a notification with them, 0.50 ms without.
 */
function expressClasses(app: Express): ServerOptions {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  app.request = Request.prototype as typeof app.request;
  app.response = Response.prototype as unknown as typeof app.response;
  return { IncomingMessage: Request, ServerResponse: Response } as ServerOptions;
}

type Connections = { closeUnused(): void };

function watchConnections(server: Server): Connections {
  /** When each was accepted. */
  const acceptedMs = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    if (acceptedMs.size >= MANY_CONNECTIONS) closeUnused();
    acceptedMs.set(socket, performance.now());
    socket.once('close', () => acceptedMs.delete(socket));
  });
  return { closeUnused };

  function closeUnused(): void {
    server.closeIdleConnections();
    // Opened ahead of its first request, as browsers and balancers do: Node.js does not count it as idle.
    const before = performance.now() - REQUEST_ON_ITS_WAY_MS;
    for (const [socket, openedMs] of acceptedMs)
      if (socket.bytesRead === 0 && openedMs < before) socket.destroy();
  }
}

/** As Node.js answers by itself what is no HTTP, too large or too slow, and with the headers of every answer. */
function answerUnreadable(server: Server, config: HeaderConfig): void {
  const headers = headerLines(config);
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  // Any other than `100-continue` is ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    const status = UNREADABLE[code ?? ''] ?? 400;
    const answer = answers.get(socket);
    // A second answer must not be written into one that has begun.
    const hasBegun = answer?.headersSent === true && !answer.writableFinished;
    if (socket.writable && !hasBegun)
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    socket.destroy();
  });
}

/** By the code of the error; everything else is 400. */
const UNREADABLE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

function headerLines(config: HeaderConfig): string {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(helmetOptions(config))(answer.req, answer, () => undefined);
  answer.setHeader('Cache-Control', 'no-store');
  return answer
    .getHeaderNames()
    .map((name) => `${name}: ${String(answer.getHeader(name))}\r\n`)
    .join('');
}

/** `close` alone would wait for half-sent bodies, and for connections that become idle later. */
async function drain(server: Server, connections: Connections, isGraceful: boolean): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  if (isGraceful) await stopListening(server);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  const sweep = setInterval(() => connections.closeUnused(), 100);
  server.close();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

/**
 * Takes no more connections. Two kinds would be reset by `close` of an http server, and a proxy must not send their
 * notifications a second time: those that wait to be accepted (none does after the event loop has looked at its sockets),
 * and those that were accepted just now, whose request is on its way.
 */
async function stopListening(server: Server): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  NetServer.prototype.close.call(server);
  await pause(REQUEST_ON_ITS_WAY_MS);
}
