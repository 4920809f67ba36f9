// An HTTP server whose requests and responses are Express' own from the start. Express would otherwise give each of them
// another prototype when it arrives, after which V8 runs what touches them without some of its optimisations. A response
// has the security headers when it is made, so that the answers that Node.js gives by itself have them as well.

import {
  createServer,
  IncomingMessage,
  ServerResponse,
  STATUS_CODES,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { AnswerHeaders } from './security-headers';

type ExpressServerOptions = {
  /** What a request may take: time and size. */
  limits: ServerOptions;
  /** Of every answer. */
  headers: AnswerHeaders;
  /** Is called before Express sees the request. */
  onRequest: (response: ServerResponse) => void;
};

export function createExpressServer(app: Express, options: ExpressServerOptions): Server {
  const { limits, headers, onRequest } = options;
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {
    constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...given);
      for (const [name, value] of headers) this.setHeader(name, value);
    }
  }
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  // What Express would set is what is set already.
  app.request = Request.prototype as typeof app.request;
  app.response = Response.prototype as unknown as typeof app.response;
  const classes = { IncomingMessage: Request, ServerResponse: Response };
  const server = createServer({ ...limits, ...classes } as ServerOptions, (request, response) => {
    onRequest(response);
    if (hasTwoHosts(request)) {
      // What the connection brings next may be meant for somebody else.
      response.shouldKeepAlive = false;
      response.writeHead(400).end();
      return;
    }
    app(request, response);
  });
  answerUnreadable(server, headers);
  return server;
}

/**
 * RFC 9112, section 3.2. Node.js takes the first, and a proxy before us may have taken the second. Joined headers no longer
 * show it.
 */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts > 1;
}

const HOST = 'host';

/** As Node.js answers by itself what is no HTTP, too large or too slow, and with our headers. */
function answerUnreadable(server: Server, headers: AnswerHeaders): void {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Duplex & InAnswer) => {
    const status = UNREADABLE[code ?? ''] ?? 400;
    // A second answer must not be written into one that has begun.
    if (socket.writable && !socket._httpMessage?.headersSent)
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    socket.destroy();
  });
}

/** Node.js has no public name for the answer that a socket is in the middle of. */
type InAnswer = { _httpMessage?: ServerResponse | null };

/** By the code of the error; everything else is 400. */
const UNREADABLE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};
