// The sandbox without a socket: its app is called in this process. Requests and answers are the same as over HTTP, but much
// faster.

import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import axios, { AxiosError, type AxiosAdapter, type AxiosResponse } from 'axios';
import { finish } from '../../../src/merchant/payment-service/transport/undici-adapter';
import type { Sandbox } from '../../../src/sandbox/app';

/** Nothing is sent to this address. */
export const IN_PROCESS_URL = 'http://127.0.0.1:9';

type Message = { method: string; path: string; headers: Record<string, string>; body?: string | undefined };

export type ServiceRequest = Omit<Message, 'path'> & {
  url: string;
  /** The path with its placeholders. */
  template: string;
};
export type ServiceAnswer = {
  status: number;
  headers: NodeJS.Dict<number | string | string[]>;
  text: string;
};
/** @throws LostError */
export type Send = (request: ServiceRequest) => Promise<ServiceAnswer>;

/** The answer was lost. */
export class LostError extends Error {
  constructor(readonly isSent: boolean) {
    super('lost');
  }
}

/** An axios adapter that replaces the connections of the payment service's client. */
export function toAdapter(send: Send): AxiosAdapter {
  return async (config) => {
    const { method = '', template = '', headers, data } = config;
    const request = {
      method: method.toUpperCase(),
      url: axios.getUri(config),
      template,
      headers: headers.toJSON() as Record<string, string>,
      body: data as string | undefined,
    };
    try {
      const { text, ...answer } = await send(request);
      const response = { ...answer, data: text, statusText: '', config, request: { isSent: true } };
      return await new Promise((resolve, reject) => finish(response as AxiosResponse, resolve, reject));
    } catch (error) {
      if (!(error instanceof LostError)) throw error;
      throw new AxiosError('lost', 'LOST', config, { isSent: error.isSent });
    }
  };
}

export function createInProcessService({ app }: Pick<Sandbox, 'app'>) {
  /** @returns null if the connection was cut instead of an answer */
  function exchange({ method, path, headers, body }: Message): Promise<ServiceAnswer | null> {
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
      // Otherwise its end would look like an aborted connection.
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

  const send: Send = async ({ method, url, headers, body }) => {
    const answer = await exchange({ method, path: url.slice(IN_PROCESS_URL.length), headers, body });
    if (answer === null) throw new LostError(true);
    return answer;
  };

  return {
    send,
    /** Calls a control of the sandbox (docs/11-sandbox.md). @throws if the answer is not 200 */
    async control(path: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(fields);
      const answer = await exchange({ method: 'POST', path: `/_sandbox${path}`, headers, body });
      if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
      return JSON.parse(answer.text) as Record<string, unknown>;
    },
  };
}
