// What ends TLS in front of a program, as a reverse proxy in production does: with a certificate of the test's choice, and
// with the headers of a proxy that was set up for us or left as it came.

import { request as requestPlain, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate';

export type TlsFront = {
  port: number;
  /** Where requests are passed on to; 502 before it is set. */
  leadTo(url: string): void;
  /**
   * `adds` the sender to X-Forwarded-For and passes Host on. `silent`: X-Forwarded-For as the sender wrote it, and the
   * Host of the program behind it, which is what nginx does unless it is told otherwise.
   */
  setHeaders(mode: 'adds' | 'silent'): void;
  /** From now on paths that match are answered 403, as by deploy/nginx.conf to somebody outside. */
  keepInside(paths: RegExp): void;
  /** Requests that were passed on. */
  passedOn(): number;
  close(): Promise<void>;
};

export async function startTlsFront(certificate: Certificate): Promise<TlsFront> {
  let target: string | null = null;
  let mode: 'adds' | 'silent' = 'adds';
  let inside: RegExp | null = null;
  let count = 0;
  const server = createServer(certificate, (incoming, response) => {
    if (target === null) return response.writeHead(502).end();
    if (inside?.test(incoming.url ?? '/')) return response.writeHead(403).end();
    count += 1;
    const url = new URL(incoming.url ?? '/', target);
    const outgoing = requestPlain(
      url,
      {
        method: incoming.method,
        headers: { ...incoming.headers, ...(mode === 'adds' ? forwarded(incoming) : { host: url.host }) },
        agent: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    return incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (url) => void (target = url),
    setHeaders: (wanted) => void (mode = wanted),
    keepInside: (paths) => void (inside = paths),
    passedOn: () => count,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forwarded({ socket, headers }: IncomingMessage): Record<string, string> {
  const before = headers['x-forwarded-for'];
  const { remoteAddress = '' } = socket;
  return { 'x-forwarded-for': before === undefined ? remoteAddress : `${String(before)}, ${remoteAddress}` };
}
