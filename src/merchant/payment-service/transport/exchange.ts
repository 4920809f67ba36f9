// One request and its response: builds the address, sends, reports, reads. It knows no token of its own.

import type { Clock } from '../../clock';
import { ServiceError, type ServiceErrorKind } from '../../errors';
import type { ServiceResponse } from '../records/record-fields';
import { invalidResponse, type ReadPayload } from './envelope';
import type { Http, HttpRequest } from './http';
import { toUrl, type ServiceRequest } from './request';
import { fromWire, toWire, type WireNames } from './wire-names';

/** What an exchange needs; one for each interface generation. */
export type Transport = {
  /** Of the line that the request takes. */
  http: Pick<Http, 'send'>;
  names: WireNames;
  baseUrl: string;
  /** Taken out of the service's messages, should it echo them. */
  secrets: readonly string[];
  clock: Clock;
  onCall: OnCall;
  /** `readEnvelope` or `readPlain`. */
  readPayload: ReadPayload;
};

/** Called after each request, for the log and the metrics: no identifiers, no bodies. */
export type OnCall = (call: {
  method: string;
  /** The template. */
  path: string;
  /** Null where there was no response. */
  status: number | null;
  durationMs: number;
  error?: ServiceErrorKind;
}) => void;

const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

/** @throws ServiceError where there is no success */
export async function exchange(
  transport: Transport,
  request: ServiceRequest,
  signal: AbortSignal,
  token?: string,
): Promise<ServiceResponse> {
  const { http, names, clock, onCall, readPayload } = transport;
  const { method, path } = request;
  const httpRequest = toHttpRequest(transport, request, signal, token);
  const startedMs = clock.monotonicMs();
  let status: number | null = null;
  const report = (error?: ServiceErrorKind) =>
    onCall({ method, path, status, durationMs: clock.monotonicMs() - startedMs, ...(error && { error }) });
  try {
    const response = await http.send(httpRequest);
    status = response.status;
    const body = fromWire(names, parseJson(response.text));
    const secrets = token === undefined ? transport.secrets : [token, ...transport.secrets];
    const payload = readPayload({ ...response, body }, request, secrets);
    report();
    return { payload, invalidResponse: (detail) => invalidResponse(request, detail, response.status) };
  } catch (error) {
    report(error instanceof ServiceError ? error.facts.kind : undefined);
    throw error;
  }
}

function toHttpRequest(
  transport: Transport,
  request: ServiceRequest,
  signal: AbortSignal,
  token: string | undefined,
): HttpRequest {
  const { method, path, body, list } = request;
  return {
    method,
    path,
    url: toUrl(request, transport),
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(toWire(transport.names, body)),
    signal,
    maxBytes: list ? MAX_LIST_BYTES : MAX_RESPONSE_BYTES,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
