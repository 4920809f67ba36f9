// HTTP client of the payment service: one axios instance per interface generation. Its interceptors add the access
// token (§5.3), renew it once after a 401 (§5.4), report each request and turn every AxiosError into a ServiceError. An
// AxiosError contains its configuration, with the card and the token, so none leaves this file.

import axios, {
  AxiosError,
  type AxiosAdapter,
  type AxiosInstance,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { ServiceResponse } from '../records/record-fields';
import { ServiceError, type ServiceErrorKind } from '../records/service-error';
import { createAccessToken, type SignIn } from './access-token';
import { invalidResponse, readError, type Generation } from './envelope';
import { checkRequest, type Endpoint, type ServiceRequest } from './request';
import type { ServiceChannel, ServiceClock } from './service-channel';
import type { SentRequest } from './undici-adapter';
import { fromWire, toWire, type WireNames } from './wire-names';

/** Called after each request, for the metrics. Has no identifiers and no bodies. */
export type OnCall = (call: {
  method: string;
  /** The path template. */
  path: string;
  /** Null if there was no response. */
  status: number | null;
  error?: ServiceErrorKind;
}) => void;

// TypeScript merges an interface only if its type parameters are the same.
/* eslint-disable @typescript-eslint/no-unused-vars */
declare module 'axios' {
  interface AxiosRequestConfig<D, P> {
    /** The path with the document's placeholders, for errors and reports. */
    template?: string;
    /** Removed from the service's message, in addition to the token and our credentials. */
    secrets?: readonly string[];
    isRepeated?: boolean;
  }
  interface InternalAxiosRequestConfig<D, P> {
    /** The time left for the token and the request; the repetition after a 401 gets the remainder. */
    timeout: number;
    token?: string;
    /** On the monotonic clock. */
    startedMs: number;
  }
}
/* eslint-enable @typescript-eslint/no-unused-vars */

const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

export type ClientOptions = {
  baseURL: string;
  generation: Generation;
  signIn: SignIn;
  /** For requests that name no other adapter, such as token calls. */
  adapter: AxiosAdapter;
  /** Per request. */
  timeoutMs: number;
  names: WireNames;
  /** Our credentials, removed from the service's messages in case it echoes them. */
  secrets: readonly string[];
  clock: ServiceClock;
  onCall: OnCall;
};

/** @returns the instance, whose requests end with the payload as `data` or with a ServiceError, and its token */
export function createClient(options: ClientOptions) {
  const { generation, signIn, names, clock, onCall } = options;
  const client = axios.create({
    baseURL: options.baseURL.replace(/\/+$/, ''),
    adapter: options.adapter,
    timeout: options.timeoutMs,
    maxContentLength: MAX_RESPONSE_BYTES,
  });
  // Replaces the default headers of axios. They have an object for each method, and copying those for each request
  // would take a hundredth of the CPU of a notification.
  Object.assign(client.defaults, {
    headers: { Accept: 'application/json', 'User-Agent': 'billing-key-merchant' },
  });
  const accessToken = createAccessToken({
    issue: async () => {
      const { path, body } = signIn;
      const response = await client.post<unknown>(path, body, { template: path });
      return signIn.read(toServiceResponse({ method: 'POST', path }, response));
    },
    clock,
    path: signIn.path,
  });

  async function prepareRequest(config: InternalAxiosRequestConfig): Promise<InternalAxiosRequestConfig> {
    config.params = toWire(names, config.params);
    config.data = toWire(names, config.data);
    config.startedMs = clock.monotonicMs();
    if (config.url === signIn.path) return config;
    config.token = await accessToken.get(config.timeout);
    config.headers.set('Authorization', `Bearer ${config.token}`);
    config.timeout = timeLeft(config);
    config.startedMs = clock.monotonicMs();
    return config;
  }

  function readResponse(response: AxiosResponse): AxiosResponse {
    const { config, status } = response;
    try {
      response.data = fromWire(names, response.data);
      response.data = generation.readPayload(response, endpointOf(config), secretsOf(config));
      report(config, status);
      return response;
    } catch (error) {
      report(config, status, error);
      throw error;
    }
  }

  /**
   * A 401 means that nothing was done, so the request is repeated once, even if it moves money; nothing else is ever
   * sent twice. It is repeated even if the token call returns the refused token: the service returns a live token again
   * (§5.5), so a temporary 401 looks just like this.
   */
  function readFailure(error: unknown): Promise<AxiosResponse> {
    if (!(error instanceof AxiosError) || !error.config) throw error;
    const { config, response } = error;
    const failure = toServiceError(error, config);
    report(config, response?.status ?? null, failure);
    if (response?.status !== 401 || config.token === undefined || config.isRepeated) throw failure;
    accessToken.drop(config.token);
    return client.request({ ...config, timeout: timeLeft(config), isRepeated: true });
  }

  /** At least 1, because axios takes 0 for no limit. */
  function timeLeft({ timeout, startedMs }: InternalAxiosRequestConfig): number {
    return Math.max(timeout - (clock.monotonicMs() - startedMs), 1);
  }

  function toServiceError(error: AxiosError, config: InternalAxiosRequestConfig): ServiceError {
    const endpoint = endpointOf(config);
    if (!error.response) return withoutResponse(error, endpoint);
    const answer = { ...error.response, data: fromWire(names, error.response.data) };
    return readError(generation, answer, endpoint, secretsOf(config));
  }

  function secretsOf({ token = '', secrets = [] }: InternalAxiosRequestConfig): string[] {
    return [token, ...options.secrets, ...secrets];
  }

  function report(config: InternalAxiosRequestConfig, status: number | null, error?: unknown): void {
    const failed = error instanceof ServiceError && { error: error.facts.kind };
    onCall({ ...endpointOf(config), status, ...failed });
  }

  client.interceptors.request.use(prepareRequest);
  client.interceptors.response.use(readResponse, readFailure);
  return { client, accessToken };
}

/** `unreachable` only if the adapter knows that nothing was sent: only that proves that the service saw no request. */
function withoutResponse(error: AxiosError, endpoint: Endpoint): ServiceError {
  const isUnsent = (error.request as SentRequest | undefined)?.isSent === false;
  const failure = (kind: ServiceErrorKind, detail: string) => new ServiceError({ kind, ...endpoint, detail });
  if (error.code === AxiosError.ERR_BAD_RESPONSE) return failure('bad_answer', error.message);
  const isLate = error.code === AxiosError.ECONNABORTED;
  const detail = isLate ? 'deadline passed' : (error.code ?? 'connection broken');
  if (!isUnsent) return failure('no_answer', detail);
  return failure('unreachable', isLate ? 'deadline passed without a connection' : detail);
}

function endpointOf({ method = '', template = '' }: InternalAxiosRequestConfig): Endpoint {
  return { method: method.toUpperCase(), path: template };
}

function toServiceResponse(endpoint: Endpoint, { data, status }: AxiosResponse<unknown>): ServiceResponse {
  return { payload: data, invalidResponse: (detail) => invalidResponse(endpoint, detail, status) };
}

/** One interface generation of the service. */
export type Connection = {
  client: AxiosInstance;
  channels: { queries: ServiceChannel; writes: ServiceChannel; visitors: ServiceChannel };
  /** Total timeout of one call, including the token and the repetition after a 401. */
  timeoutMs: number;
};

/** @throws ServiceError */
export async function call(connection: Connection, request: ServiceRequest): Promise<ServiceResponse> {
  // Checked before a token is fetched: a malformed request sends nothing at all.
  const url = checkRequest(request);
  const { method, path, query, body, list, secrets } = request;
  const channel = connection.channels[request.channel ?? (method === 'GET' ? 'queries' : 'writes')];
  channel.checkPause(request);
  try {
    const response = await connection.client.request<unknown>({
      method,
      url,
      ...(query && { params: query }),
      ...(body && { data: body }),
      timeout: connection.timeoutMs,
      adapter: channel.adapter,
      template: path,
      ...(list && { maxContentLength: MAX_LIST_BYTES }),
      ...(secrets && { secrets }),
    });
    channel.answered();
    return toServiceResponse(request, response);
  } catch (error) {
    if (error instanceof ServiceError) channel.failed(error, request);
    throw error;
  }
}

/** Returns null instead of a `not_found` error. */
export async function orNull<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ServiceError && error.facts.kind === 'not_found') return null;
    throw error;
  }
}
