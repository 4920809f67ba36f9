// Serves the app on a port: timeouts, answers to unreadable requests, and the graceful stop.

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
import { MOST_HEADER_LINES } from './unclear-headers';

export type RunningServer = {
  port: number;
  /** From now on each answer closes its connection, so that a proxy does not reuse it. */
  closeConnections(): void;
  /** Stops accepting requests, lets those in progress finish, and closes every connection. */
  drain(options: { isGraceful: boolean }): Promise<void>;
};

/**
 * Slow headers and bodies end with 408. Node's default check interval would add up to 30 s to these limits. The
 * keep-alive timeout is longer than that of nginx and cloud load balancers (60 s), so that they close an idle
 * connection first and never send a request into a socket that this server is closing. The header timeout starts with
 * the first byte. The app itself refuses a request without `Host`, so that the answer has all headers.
 */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 72_000,
  requireHostHeader: false,
};
/** Also the listen backlog: with Node's default of 511, a burst of notifications would be refused. */
const MAX_CONNECTIONS = 4_000;
/** The time that a new connection has to send its first request. */
const REQUEST_ON_ITS_WAY_MS = 500;
/** How long a stopping server accepts connections at most, so that a flood of them does not keep it running. */
const BACKLOG_MS = 2_000;
/** In a shorter turn, hardly any connection can arrive unnoticed. */
const SHORT_TURN_MS = 1;
/** How long a stopping server waits for requests in progress: one payment fetch and a margin. */
const DRAIN_MS = 15_000;

/**
 * @param maxConnections above this number, each new connection closes an older one that is not being served
 * @throws a system error, such as EADDRINUSE
 */
export async function listen(
  app: Express,
  config: Pick<Config, 'port' | 'host'> & HeaderConfig,
  maxConnections = MAX_CONNECTIONS,
): Promise<RunningServer> {
  const server = await new Promise<Server>((resolve, reject) => {
    const options = { ...LIMITS, ...expressClasses(app) };
    const opened = createServer(options, app).once('error', reject);
    opened.maxHeadersCount = MOST_HEADER_LINES;
    opened.listen(config.port, config.host, MAX_CONNECTIONS, () => resolve(opened));
  });
  const closeUnused = watchConnections(server, maxConnections);
  answerUnreadable(server, config);
  let isClosing = false;
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (isClosing) response.setHeader('Connection', 'close');
  });
  return {
    port: (server.address() as AddressInfo).port,
    closeConnections: () => (isClosing = true),
    drain: ({ isGraceful }) => drain(server, closeUnused, isGraceful),
  };
}

/**
 * Creates requests and responses with Express' classes from the start, which `app.listen` cannot do. Express would
 * otherwise change the prototype of each one, which disables some V8 optimisations. Measured with
 * 64 connections: 0.38 ms CPU per notification with these lines, 0.50 ms without.
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

type Connection = {
  acceptedMs: number;
  /** Null before the headers of the first one are complete. */
  latest: { request: IncomingMessage; response: ServerResponse } | null;
};

/**
 * Keeps the number of connections within its limit: above it, a new connection closes the oldest one for which the
 * server has nothing to do. Otherwise a client could block all others by holding connections open, whether it sends
 * nothing, half of its headers or half of a body, or does not read its answer.
 *
 * There is no limit for each address: behind a proxy, all connections come from one.
 * @returns closes the connections without a request in progress
 */
function watchConnections(server: Server, maxConnections: number): () => void {
  /** The one that has been quiet the longest comes first. */
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { acceptedMs: performance.now(), latest: null });
    socket.once('close', () => connections.delete(socket));
    if (connections.size > maxConnections) closeOldest();
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.latest = { request, response };
    connections.delete(request.socket);
    connections.set(request.socket, connection);
  });
  return closeUnused;

  /** If every other connection is being served, this is the new one. */
  function closeOldest(): void {
    for (const [socket, connection] of connections) {
      if (isServed(connection)) continue;
      connections.delete(socket);
      socket.destroy();
      return;
    }
  }

  function closeUnused(): void {
    server.closeIdleConnections();
    // A connection opened ahead of its first request, as browsers and load balancers do: Node.js does not count it as
    // idle.
    const before = performance.now() - REQUEST_ON_ITS_WAY_MS;
    for (const [socket, { acceptedMs }] of connections)
      if (socket.bytesRead === 0 && acceptedMs < before) socket.destroy();
  }
}

/** Whether the whole request has arrived and its answer has not been written yet. */
function isServed({ latest }: Connection): boolean {
  return latest !== null && latest.request.complete && !latest.response.writableEnded;
}

/** Answers invalid HTTP, large and slow requests as Node.js does, but with the headers of every answer. */
function answerUnreadable(server: Server, config: HeaderConfig): void {
  const headers = headerLines(config);
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  // Any expectation other than `100-continue` is ignored.
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

/** By error code; all others are 400. */
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
async function drain(server: Server, closeUnused: () => void, isGraceful: boolean): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  if (isGraceful) await stopListening(server);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  const sweep = setInterval(() => void arrivedRequestsRead().then(closeUnused), 100);
  await arrivedRequestsRead();
  server.close();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

/**
 * Stops accepting connections. `close` would reset two kinds of connection, and a proxy must not send their
 * notifications a second time: those in the listen backlog, and those accepted just now, whose request is on its way.
 */
async function stopListening(server: Server): Promise<void> {
  await backlogAccepted(server);
  NetServer.prototype.close.call(server);
  await pause(REQUEST_ON_ITS_WAY_MS);
}

/**
 * Node.js accepts one connection in each turn of the event loop, so the backlog is empty after a turn that accepts none.
 * During a turn that takes long, more can arrive.
 */
async function backlogAccepted(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => (accepted += 1);
  server.on('connection', count);
  const deadline = performance.now() + BACKLOG_MS;
  let isEmpty = false;
  while (!isEmpty && performance.now() < deadline) {
    const [before, beganMs] = [accepted, performance.now()];
    await arrivedRequestsRead();
    isEmpty = accepted === before && performance.now() - beganMs < SHORT_TURN_MS;
  }
  server.off('connection', count);
}

/**
 * Resolves after one turn of the event loop. A timer fires before sockets are read, so on a busy host a connection can
 * still look idle although its next request has arrived.
 */
function arrivedRequestsRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
