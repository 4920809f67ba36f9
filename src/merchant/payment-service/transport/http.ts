// The only file that knows axios. Its errors carry the card (config.data) and the token (headers), so nothing of them
// but a code goes into a ServiceError.

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import axios, { isAxiosError } from 'axios';
import { ServiceError, type ServiceErrorKind } from '../../errors';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Absolute; its path and query are built from checked parts only. */
  url: string;
  /** The path's template, for errors. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Total deadline. axios' `timeout` is none: a dripping body outlives it. */
  signal: AbortSignal;
  maxBytes: number;
};
export type HttpResponse = { status: number; headers: Record<string, unknown>; text: string };
export type Http = ReturnType<typeof createHttp>;

// Shorter than the five seconds after which many servers close an idle connection: a request must not meet that.
const IDLE_SOCKET_MS = 4_000;

/** @param maxSockets connections of its own: as many calls are in flight at most, and the others wait */
export function createHttp(maxSockets: number) {
  const agentOptions = {
    keepAlive: true,
    maxSockets,
    maxFreeSockets: maxSockets,
    timeout: IDLE_SOCKET_MS,
  };
  const client = axios.create({
    httpAgent: new http.Agent(agentOptions),
    httpsAgent: new https.Agent({ ...agentOptions, rejectUnauthorized: true }), // whatever the environment says
    proxy: false, // HTTP(S)_PROXY of the host must not see what is sent
    maxRedirects: 0, // a 307 would carry the card to another host
    transport: { request: requestAndWatch },
    responseType: 'text',
    transformRequest: [(body: unknown) => body],
    transformResponse: [(text: unknown) => text],
    validateStatus: () => true,
  });
  return {
    /**
     * Resolves with any status.
     * @throws ServiceError where there is no complete response
     */
    async send(request: HttpRequest): Promise<HttpResponse> {
      const { method, url, headers, body, signal, maxBytes } = request;
      try {
        const response = await client.request<string>({
          method,
          url,
          headers,
          data: body,
          signal,
          maxContentLength: maxBytes,
        });
        return { status: response.status, headers: response.headers, text: response.data };
      } catch (error) {
        throw toServiceError(error, request);
      }
    },
  };
}

function toServiceError(error: unknown, { method, path, signal }: HttpRequest): ServiceError {
  const failure = (kind: ServiceErrorKind, detail: string) =>
    new ServiceError({ kind, method, path, detail });
  if (signal.aborted)
    return neverLeft(error)
      ? failure('unreachable', 'deadline passed without a connection')
      : failure('no_answer', 'deadline passed');
  if (!isAxiosError(error)) return failure('no_answer', 'the request could not be made');
  if (error.message.startsWith('maxContentLength')) return failure('bad_answer', 'the answer is too large');
  const code = error.code ?? 'connection broken';
  if (/^(HPE_|Z_|ERR_BROTLI|ERR__ERROR_)/.test(code)) return failure('bad_answer', code);
  return failure(neverConnected(error.cause, code) ? 'unreachable' : 'no_answer', code);
}

/** Requests that were given a connection. The others have waited for one all the time: the service did not see them. */
const sent = new WeakSet<ClientRequest>();

function requestAndWatch(
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
): ClientRequest {
  const request = (options.protocol === 'https:' ? https : http).request(options, onResponse);
  request.once('socket', (socket: Socket) => {
    const markSent = () => void sent.add(request);
    if (socket.connecting) socket.once('connect', markSent);
    else markSent();
  });
  return request;
}

function neverLeft(error: unknown): boolean {
  const { request } = (error ?? {}) as { request?: ClientRequest };
  return request !== undefined && !sent.has(request);
}

// Only what failed before a byte was sent proves that the service did not see the request. The code alone is no proof:
// an established connection may end with EHOSTUNREACH, too.
function neverConnected(cause: unknown, code: string): boolean {
  if (/^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/.test(code)) return true;
  // Where a name has several addresses, each attempt is an error of its own.
  const { errors = [cause] } = (cause ?? {}) as { errors?: unknown[] };
  return errors.every((attempt) => {
    const { syscall } = (attempt ?? {}) as { syscall?: unknown };
    return syscall === 'connect' || syscall === 'getaddrinfo';
  });
}
