// A stand-in for the payment service that remembers what was sent to it, queries and bodies included: the sandbox keeps
// neither in its log. It gives out a token, and answers everything else as the test says.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedRequest = { method: string; path: string; query: URLSearchParams; body: unknown };
type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

export type RecordingService = {
  url: string;
  /** Without those for a token. */
  requests: ReceivedRequest[];
  close(): Promise<void>;
};

export async function startRecordingService(answer: Answer = notFound): Promise<RecordingService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
      if (pathname === '/users/getToken') return sendEnvelope(response, TOKEN);
      const { method = '' } = request;
      const received = { method, path: pathname, query: searchParams, body: text && JSON.parse(text) };
      requests.push(received);
      answer(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const TOKEN = { access_token: 'token', now: 1_000_000_000, expired_at: 1_000_001_800 };

export function sendEnvelope(response: ServerResponse, payload: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ code: 0, message: null, response: payload }));
}

function notFound(_request: ReceivedRequest, response: ServerResponse): void {
  response.statusCode = 404;
  response.end('{"code":-1,"message":"unknown","response":null}');
}
