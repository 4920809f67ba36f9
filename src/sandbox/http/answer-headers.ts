// Headers of every answer of the sandbox. Pages loosen the content policy for themselves (secure-pages.ts); all other
// answers have the strictest one.

import { createServer, ServerResponse, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

class Response extends ServerResponse {
  constructor(...given: ConstructorParameters<typeof ServerResponse>) {
    super(...given);
    for (const [name, value] of Object.entries(HEADERS)) this.setHeader(name, value);
  }
}

type Limits = { requestTimeout: number; headersTimeout: number; connectionsCheckingInterval: number };

/** A server that sets these headers on every answer, also on those that Node.js sends before the app sees a request. */
export function createSecureServer(limits: Limits, app: RequestListener): Server {
  const server = createServer({ ...limits, ServerResponse: Response }, app);
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Duplex & InAnswer) => {
    const status = UNREADABLE[code ?? ''] ?? 400;
    if (socket.writable && !socket._httpMessage?.headersSent)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${LINES}\r\n`);
    socket.destroy();
  });
  return server;
}

/** The answer in progress on the socket. A second one must not be written into it. */
type InAnswer = { _httpMessage?: ServerResponse | null };

const LINES = Object.entries({ ...HEADERS, 'content-length': '0', connection: 'close' })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** The defaults of Node.js, by error code. */
const UNREADABLE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};
