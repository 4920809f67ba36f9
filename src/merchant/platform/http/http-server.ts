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
/**
 * Above this number, idle connections are closed for new ones, so that a client cannot block others by holding
 * connections open.
 */
const MANY_CONNECTIONS = 3_900;
/** The time that a new connection has to send its first request. */
const REQUEST_ON_ITS_WAY_MS = 500;
/** How long a stopping server waits for requests in progress: one payment fetch and a margin. */
const DRAIN_MS = 15_000;

/** @throws a system error, such as EADDRINUSE */
export async function listen(
  app: Express,
  config: Pick<Config, 'port' | 'host'> & HeaderConfig,
): Promise<RunningServer> {
  const server = await new Promise<Server>((resolve, reject) => {
    const options = { ...LIMITS, ...expressClasses(app) };
    const opened = createServer(options, app).once('error', reject);
    opened.maxHeadersCount = MOST_HEADER_LINES;
    opened.maxConnections = MAX_CONNECTIONS;
    opened.listen(config.port, config.host, MAX_CONNECTIONS, () => resolve(opened));
  });
  const closeUnused = watchConnections(server);
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
 * otherwise change the prototype of each one, which disables some V8 optimisations. Measured (`npm run bench -- quick`,
 * 64 connections): 0.38 ms CPU per notification with these lines, 0.50 ms without.
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

/** Returns a function that closes the connections without a request in progress. */
function watchConnections(server: Server): () => void {
  /** When each connection was accepted. */
  const acceptedMs = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    if (acceptedMs.size >= MANY_CONNECTIONS) closeUnused();
    acceptedMs.set(socket, performance.now());
    socket.once('close', () => acceptedMs.delete(socket));
  });
  return closeUnused;

  function closeUnused(): void {
    server.closeIdleConnections();
    // A connection opened ahead of its first request, as browsers and load balancers do: Node.js does not count it as
    // idle.
    const before = performance.now() - REQUEST_ON_ITS_WAY_MS;
    for (const [socket, openedMs] of acceptedMs)
      if (socket.bytesRead === 0 && openedMs < before) socket.destroy();
  }
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
  const sweep = setInterval(closeUnused, 100);
  server.close();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

/**
 * Stops accepting connections. `close` would reset two kinds of connection, and a proxy must not send their
 * notifications a second time: those in the listen backlog (empty after one turn of the event loop), and those accepted
 * just now, whose request is on its way.
 */
async function stopListening(server: Server): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  NetServer.prototype.close.call(server);
  await pause(REQUEST_ON_ITS_WAY_MS);
}
