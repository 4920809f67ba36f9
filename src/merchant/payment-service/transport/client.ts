// How a request reaches the payment service: axios, over the connections of undici-adapter.ts. This file alone knows axios.
// Errors of axios carry its configuration, so the card (body) and the token (headers) stay out of it, and nothing of an
// error but a code goes into a ServiceError.

import { Axios, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { ServiceError, type ServiceErrorKind } from '../../platform/errors';
import { AnswerError, openConnections, type Answer, type Exchange } from './undici-adapter';
import type { Deadline } from './deadline';

export type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Absolute; its path and query are built from checked parts only. */
  url: string;
  /** The path's template, for errors. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Total deadline, over the wait for a connection and the whole answer. */
  deadline: Deadline;
  maxBytes: number;
};
/** Header names are in lower case. */
export type HttpResponse = Answer;
export type Http = ReturnType<typeof createHttp>;

/** @param maxSockets connections of its own: as many calls are in flight at most, and the others wait */
export function createHttp(maxSockets: number) {
  const connections = openConnections(maxSockets);
  // Not `axios.create`, whose defaults would be merged into each request and then be replaced.
  const client = new Axios({ validateStatus: () => true });
  return {
    /**
     * Resolves with any status. No redirect is followed: a 307 would carry the card to another host.
     * @throws ServiceError where there is no complete response
     */
    async send(request: HttpRequest): Promise<HttpResponse> {
      const { method, url, deadline, maxBytes } = request;
      const exchange: Exchange = { deadline, maxBytes, isSent: false };
      try {
        // Headers and bodies of both directions go past axios, which would copy them several times.
        const adapter = (config: InternalAxiosRequestConfig) => adapt(config, request, exchange);
        const { data } = await client.request<Answer>({ method, url, adapter });
        return data;
      } catch (error) {
        throw toServiceError(error, request, exchange);
      }
    },
  };

  /** What axios asks of an adapter. */
  async function adapt(
    config: InternalAxiosRequestConfig,
    { method, url, headers, body }: HttpRequest,
    exchange: Exchange,
  ): Promise<AxiosResponse> {
    const data = await connections.send({ method, url, headers, body }, exchange);
    return { status: data.status, statusText: '', headers: {}, data, config };
  }
}

/** What never left us is `unreachable`: that alone proves that the service did not see the request. */
function toServiceError(
  error: unknown,
  { method, path, deadline }: HttpRequest,
  { isSent }: Exchange,
): ServiceError {
  const failure = (kind: ServiceErrorKind, detail: string) =>
    new ServiceError({ kind, method, path, detail });
  if (deadline.isOver)
    return isSent
      ? failure('no_answer', 'deadline passed')
      : failure('unreachable', 'deadline passed without a connection');
  if (error instanceof AnswerError) return failure('bad_answer', error.message);
  const code = (error as { code?: string }).code ?? 'connection broken';
  return failure(isSent ? 'no_answer' : 'unreachable', code);
}
