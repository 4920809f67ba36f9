// An axios adapter on undici's persistent connections. undici reports when it writes the first byte of a request: only
// that proves that the service cannot have seen one. It also takes less CPU than Node's own agent, the default of axios.

import { AxiosError, AxiosHeaders, type AxiosAdapter, type AxiosResponse, type RawAxiosHeaders } from 'axios';
import { Agent, EnvHttpProxyAgent, errors, type Dispatcher } from 'undici';

type Config = Parameters<AxiosAdapter>[0];

/** `request` of each response and error. As with Node's agent, it stands for what was sent, or was not. */
export type SentRequest = {
  /** Whether the request got a connection; true just before its first byte is written. */
  isSent: boolean;
};

/**
 * Shorter than the five seconds after which many servers close an idle connection, so that we never reuse a socket that
 * the server is closing.
 */
const IDLE_CONNECTION_MS = 4_000;

/**
 * Supports baseURL, url, params, headers, data, timeout, maxContentLength and validateStatus. `timeout` includes the
 * wait for a connection. It follows no redirect (a 307 would send the card to another host) and decompresses nothing.
 * It sends each request once or not at all.
 * @param connections per host: the maximum of concurrent requests; others wait
 * @param proxy null: proxy variables of the environment are ignored
 */
export function createUndiciAdapter(connections: number, proxy: ProxySettings | null = null): AxiosAdapter {
  const options = {
    connections,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    // The axios `timeout` replaces these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: VERIFIED,
  };
  const agent = proxy
    ? new EnvHttpProxyAgent({ ...options, ...proxy, requestTls: VERIFIED, proxyTls: VERIFIED })
    : new Agent(options);
  return (config) =>
    new Promise((resolve, reject) => {
      agent.dispatch(toDispatchOptions(config), receive(config, resolve, reject));
    });
}

/** Whatever the environment says. */
const VERIFIED = { rejectUnauthorized: true };

/** URLs of proxies, or empty; and the hosts that are reached without one. TLS goes through a proxy unopened (CONNECT). */
export type ProxySettings = { httpProxy: string; httpsProxy: string; noProxy: string };

function toDispatchOptions({ method, baseURL = '', url = '', params, headers, data }: Config) {
  const address = new URL(baseURL + url);
  if (params) address.search = toSearch(params as Params).toString();
  return {
    origin: address.origin,
    path: address.pathname + address.search,
    method: method?.toUpperCase() as Dispatcher.HttpMethod,
    headers: headers.toJSON() as Record<string, string>,
    body: (data as string | undefined) ?? null,
  };
}

type Params = Record<string, string | number | readonly string[] | undefined>;

/** Encodes lists as axios does: `name[]=one&name[]=two`. */
function toSearch(params: Params): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (typeof value === 'object') for (const item of value) search.append(`${name}[]`, item);
    else if (value !== undefined) search.append(name, String(value));
  return search;
}

const UTF8 = new TextDecoder();

/** Collects the answer to one request until it ends, is too large, or takes too long. */
function receive(
  config: Config,
  resolve: (response: AxiosResponse) => void,
  reject: (error: AxiosError) => void,
): Dispatcher.DispatchHandler {
  const { timeout = 0, maxContentLength = -1 } = config;
  const request: SentRequest = { isSent: false };
  const response: AxiosResponse = {
    status: 0,
    statusText: '',
    headers: new AxiosHeaders(),
    data: '',
    config,
    request,
  };
  const chunks: Buffer[] = [];
  let length = 0;
  let controller: Dispatcher.DispatchController | undefined;
  let failure: AxiosError | undefined;

  function fail(error: AxiosError): void {
    failure = error;
    clearTimeout(timer);
    controller?.abort(error);
    reject(error);
  }
  const failWith = (message: string, code?: string) => fail(new AxiosError(message, code, config, request));

  const timer =
    timeout > 0
      ? setTimeout(() => failWith(`timeout of ${timeout}ms exceeded`, AxiosError.ECONNABORTED), timeout)
      : undefined;

  return {
    onRequestStart(started) {
      // The request failed while it waited for a connection.
      if (failure) return started.abort(failure);
      controller = started;
      request.isSent = true;
    },
    onResponseStart(_, status, headers) {
      response.status = status;
      response.headers = new AxiosHeaders(headers as RawAxiosHeaders);
      // We asked for no compression, and decompressed data would have no size limit.
      if ((headers['content-encoding'] ?? 'identity') !== 'identity')
        failWith('the answer is packed', AxiosError.ERR_BAD_RESPONSE);
    },
    onResponseData(_, chunk) {
      length += chunk.length;
      chunks.push(chunk);
      if (maxContentLength >= 0 && length > maxContentLength)
        failWith('the answer is too large', AxiosError.ERR_BAD_RESPONSE);
    },
    onResponseEnd() {
      clearTimeout(timer);
      response.data = UTF8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
      finish(response, resolve, reject);
    },
    onResponseError(_, error) {
      if (failure) return;
      const [, refusal] = /^Proxy response \((\d+)\)/.exec(error.message) ?? [];
      if (refusal !== undefined) failWith(error.message, `PROXY_ANSWERED_${refusal}`);
      else if (isNoHttp(error)) failWith('the answer is not HTTP', AxiosError.ERR_BAD_RESPONSE);
      else failWith(error.message, (error as NodeJS.ErrnoException).code);
    },
  };
}

/** The same as in axios' own adapters, which do not export it. */
export function finish(
  response: AxiosResponse,
  resolve: (response: AxiosResponse) => void,
  reject: (error: AxiosError) => void,
): void {
  const { status, config } = response;
  if (config.validateStatus?.(status) ?? true) return resolve(response);
  const code = status < 500 ? AxiosError.ERR_BAD_REQUEST : AxiosError.ERR_BAD_RESPONSE;
  reject(
    new AxiosError(
      `Request failed with status code ${status}`,
      code,
      config,
      response.request as SentRequest,
      response,
    ),
  );
}

function isNoHttp(error: Error): boolean {
  return NO_HTTP.some((kind) => error instanceof kind);
}
const NO_HTTP = [
  errors.HTTPParserError,
  errors.HeadersOverflowError,
  errors.ResponseContentLengthMismatchError,
];
