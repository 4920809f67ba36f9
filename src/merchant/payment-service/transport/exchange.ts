// One request and its response: builds the address, sends, reports, reads. It knows no token of its own.

import type { Clock } from '../../platform/clock';
import { ServiceError, type ServiceErrorKind } from '../../platform/errors';
import type { ServiceResponse } from '../records/record-fields';
import type { Deadline } from './deadline';
import { invalidResponse, type ReadPayload } from './envelope';
import type { Http, HttpRequest } from './client';
import { toUrl, type ServiceRequest } from './request';
import { fromWire, toWire, type WireNames } from './wire-names';

/** What an exchange needs; one for each interface generation. */
export type Transport = {
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

type Outgoing = {
  request: ServiceRequest;
  deadline: Deadline;
  /** None for the call that fetches one. */
  token?: string;
};

/**
 * @param http of the line that the request takes
 * @throws ServiceError where there is no success
 */
export async function exchange(
  transport: Transport,
  http: Pick<Http, 'send'>,
  outgoing: Outgoing,
): Promise<ServiceResponse> {
  const { names, clock, onCall, readPayload } = transport;
  const { request, token } = outgoing;
  const { method, path } = request;
  const httpRequest = toHttpRequest(transport, outgoing);
  const startedMs = clock.monotonicMs();
  let status: number | null = null;
  const report = (error?: ServiceErrorKind) =>
    onCall({ method, path, status, durationMs: clock.monotonicMs() - startedMs, ...(error && { error }) });
  try {
    const response = await http.send(httpRequest);
    status = response.status;
    const body = fromWire(names, parseJson(response.text));
    const secrets = token === undefined ? transport.secrets : [token, ...transport.secrets];
    const payload = readPayload({ status, headers: response.headers, body }, request, secrets);
    report();
    return { payload, invalidResponse: (detail) => invalidResponse(request, detail, response.status) };
  } catch (error) {
    report(error instanceof ServiceError ? error.facts.kind : undefined);
    throw error;
  }
}

function toHttpRequest(transport: Transport, { request, deadline, token }: Outgoing): HttpRequest {
  const { method, path, body, list } = request;
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'User-Agent': 'billing-key-merchant',
  };
  if (body) headers['Content-Type'] = 'application/json';
  if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
  return {
    method,
    path,
    url: toUrl(request, transport),
    headers,
    body: body && JSON.stringify(toWire(transport.names, body)),
    deadline,
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
