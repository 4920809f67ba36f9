// The sandbox without a socket: its app is called in this process. What is on the wire otherwise is the same, and an answer
// costs a fraction of the time.

import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Http, HttpRequest, HttpResponse } from '../../src/merchant/payment-service/transport/client';
import { ServiceError } from '../../src/merchant/platform/errors';
import type { Sandbox } from '../../src/sandbox/app';

/** Nothing is sent to this address. */
export const IN_PROCESS_URL = 'http://127.0.0.1:9';

type Message = { method: string; path: string; headers: Record<string, string>; body?: string | undefined };

export function createInProcessService({ app }: Pick<Sandbox, 'app'>) {
  /** @returns null where the connection was cut instead of an answer */
  function exchange({ method, path, headers, body }: Message): Promise<HttpResponse | null> {
    return new Promise((resolve) => {
      const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
      socket.once('close', () => resolve(null));
      const request = new IncomingMessage(socket as Socket);
      request.method = method;
      request.url = path;
      for (const [name, value] of Object.entries(headers)) request.headers[name.toLowerCase()] = value;
      if (body !== undefined) {
        request.headers['content-length'] = String(Buffer.byteLength(body));
        request.push(body);
      }
      // Else it takes its own end for that of the connection.
      request.complete = true;
      request.push(null);
      const response = new ServerResponse(request);
      const end = (text?: string | Buffer): ServerResponse => {
        resolve({
          status: response.statusCode,
          headers: response.getHeaders(),
          text: text?.toString() ?? '',
        });
        return response;
      };
      app(request as never, Object.assign(response, { end }) as never);
    });
  }

  const http: Pick<Http, 'send'> = {
    async send({ method, url, path, headers, body }: HttpRequest): Promise<HttpResponse> {
      const answer = await exchange({ method, path: url.slice(IN_PROCESS_URL.length), headers, body });
      if (answer === null)
        throw new ServiceError({ kind: 'no_answer', method, path, detail: 'connection cut' });
      return answer;
    },
  };

  return {
    http,
    /** A control of the sandbox (docs/sandbox.md). @throws where it answers anything but 200 */
    async control(path: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(fields);
      const answer = await exchange({ method: 'POST', path: `/_sandbox${path}`, headers, body });
      if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
      return JSON.parse(answer.text) as Record<string, unknown>;
    },
  };
}
