// An HTTP server for a test, on a free port of this machine.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type HttpServer = { url: string; close(): Promise<void> };

/** @param answer is called with the whole body; without an answer the request stays open */
export async function startHttpServer(
  answer: (request: IncomingMessage & { body: string }, response: ServerResponse) => void,
): Promise<HttpServer> {
  const server = createServer((request, response) => {
    // An aborted request has no complete body.
    void text(request).then(
      (body) => answer(Object.assign(request, { body }), response),
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
