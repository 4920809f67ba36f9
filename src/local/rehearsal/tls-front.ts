// A reverse proxy that ends TLS, as a deployment has one. By default it does what deploy/nginx.conf does behind another proxy.

import { request as requestPlain, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificates';

export async function startTlsFront(certificate: Certificate) {
  let targets: readonly string[] = [];
  let mode: 'adds' | 'silent' = 'adds';
  let inside: RegExp | null = null;
  let count = 0;
  const server = createHttpsServer(certificate, (incoming, response) => {
    const target = targets[count % targets.length];
    if (target === undefined) return response.writeHead(502).end();
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
    /** Sets the upstreams, which take turns; before that, requests are answered with a 502. */
    leadTo: (...urls: string[]) => void (targets = urls),
    /**
     * `adds`: appends the sender to X-Forwarded-For and passes on Host. `silent`: passes on X-Forwarded-For unchanged and sets Host
     * to the upstream, which is nginx's default.
     */
    setHeaders: (wanted: 'adds' | 'silent') => void (mode = wanted),
    /** Answers matching paths with a 403 from now on, as deploy/nginx.conf does for outside clients. */
    keepInside: (paths: RegExp) => void (inside = paths),
    /** The number of requests passed on. */
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
