// The only file that knows axios. Behind `Send` the transport can change. Here axios' errors end: they carry the card
// (config.data) and the token (headers), so nothing of them but a code is copied.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { isAxiosError } from 'axios';
import { ServiceFault, type ServiceFaultKind } from '../errors';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Absolute; its path and query are built from checked parts only. */
  url: string;
  /** The path's template, for faults. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Total deadline. axios' `timeout` is none: a dripping body outlives it. */
  signal: AbortSignal;
  maxBytes: number;
};
export type HttpAnswer = { status: number; headers: Record<string, unknown>; text: string };

/** Resolves with any status; rejects with a ServiceFault where there is no complete answer. */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

const MAX_SOCKETS = 256;
// Shorter than the five seconds after which many servers close an idle connection: a request must not meet that.
const IDLE_SOCKET_MS = 4_000;

export function createSend(): Send {
  const agentOptions = {
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    maxFreeSockets: MAX_SOCKETS,
    timeout: IDLE_SOCKET_MS,
  };
  const client = axios.create({
    httpAgent: new HttpAgent(agentOptions),
    httpsAgent: new HttpsAgent({ ...agentOptions, rejectUnauthorized: true }), // whatever the environment says
    proxy: false, // HTTP(S)_PROXY of the host is not ours to follow
    maxRedirects: 0, // a 307 would carry the card to another host
    responseType: 'text',
    transformRequest: [(body: unknown) => body],
    transformResponse: [(text: unknown) => text],
    validateStatus: () => true,
  });
  return async ({ method, url, path, headers, body, signal, maxBytes }) => {
    try {
      const answer = await client.request<string>({
        method,
        url,
        headers,
        data: body,
        signal,
        maxContentLength: maxBytes,
      });
      return { status: answer.status, headers: answer.headers, text: answer.data };
    } catch (error) {
      throw toServiceFault(error, { method, path, signal });
    }
  };
}

function toServiceFault(
  error: unknown,
  { method, path, signal }: Pick<HttpRequest, 'method' | 'path' | 'signal'>,
): ServiceFault {
  const fault = (kind: ServiceFaultKind, detail: string) => new ServiceFault({ kind, method, path, detail });
  if (signal.aborted) return fault('no_answer', 'deadline passed');
  if (!isAxiosError(error)) return fault('no_answer', 'the request could not be made');
  if (error.message.startsWith('maxContentLength')) return fault('bad_answer', 'the answer is too large');
  const code = error.code ?? 'connection broken';
  if (/^(HPE_|Z_|ERR_BROTLI|ERR__ERROR_)/.test(code)) return fault('bad_answer', code);
  return fault(neverConnected(error.cause, code) ? 'unreachable' : 'no_answer', code);
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
