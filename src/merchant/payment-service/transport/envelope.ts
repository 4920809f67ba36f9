// Reads a response (§2, §7): the envelope's `code` decides, and the HTTP status only if there is no success.

import { cleanText } from '../records/clean-text';
import { ServiceError, type ServiceErrorKind } from '../records/service-error';
import type { Endpoint } from './request';

/** `data` is the parsed JSON, or the text if it is not JSON. */
export type Answer = { status: number; headers: Record<string, unknown>; data: unknown };

/** @param secrets removed from the service's message */
type ReadPayload = (answer: Answer, endpoint: Endpoint, secrets: readonly string[]) => unknown;

export type Generation = {
  /** Returns null if a body is not from the service, such as a proxy's HTML. */
  parseServiceBody: (data: unknown) => Record<string, unknown> | null;
  /**
   * The payload of a 2xx answer.
   * @throws ServiceError `refused` or `bad_answer`
   */
  readPayload: ReadPayload;
};

const MAX_MESSAGE_LENGTH = 200;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/** `{code, message, response}`: the payload is `response`. */
export const LEGACY: Generation = {
  parseServiceBody: asEnvelope,
  readPayload(answer, endpoint, secrets) {
    const envelope = asEnvelope(answer.data);
    if (!envelope) throw invalidResponse(endpoint, 'no envelope', answer.status);
    if (envelope['code'] !== 0) throw failure('refused', answer, endpoint, readMessage(envelope, secrets));
    return envelope['response'];
  },
};

/** The document shows no envelope for it (§9), so the payload is the JSON object itself. */
export const NEWER: Generation = {
  parseServiceBody: asObject,
  readPayload({ data, status }, endpoint) {
    const body = asObject(data);
    if (!body) throw invalidResponse(endpoint, 'no JSON object', status);
    return body;
  },
};

export function invalidResponse({ method, path }: Endpoint, detail: string, status: number): ServiceError {
  return new ServiceError({ kind: 'bad_answer', method, path, detail, status });
}

/**
 * The error of an answer that is not 2xx. A 404 or another refusal counts only if the service itself wrote the body
 * (§7: envelopes; our choice if the shape is not shown): the HTML of a proxy, or of a wrong base URL, must not prove
 * that a payment does not exist.
 */
export function readError(
  { parseServiceBody }: Generation,
  answer: Answer,
  endpoint: Endpoint,
  secrets: readonly string[],
): ServiceError {
  const { status } = answer;
  const body = parseServiceBody(answer.data);
  const message = readMessage(body, secrets);
  if (status === 401) return failure('unauthorized', answer, endpoint, message);
  if (status === 429) return failure('rate_limited', answer, endpoint, message);
  if (status >= 500) return failure('server_error', answer, endpoint, message);
  if (status < 400) return invalidResponse(endpoint, 'a redirect, not followed', status);
  if (!body) return invalidResponse(endpoint, 'an error that is not the service’s', status);
  return failure(status === 404 ? 'not_found' : 'refused', answer, endpoint, message);
}

type Message = { code?: number; serviceMessage?: string };

function readMessage(body: Record<string, unknown> | null, secrets: readonly string[]): Message {
  const { code, message } = body ?? {};
  return {
    ...(Number.isSafeInteger(code) ? { code: code as number } : {}),
    ...(typeof message === 'string' && message !== ''
      ? { serviceMessage: cleanText(redact(message, secrets), MAX_MESSAGE_LENGTH) }
      : {}),
  };
}

function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret ? rest.replaceAll(secret, '***') : rest), text);
}

function failure(
  kind: ServiceErrorKind,
  { status, headers }: Answer,
  { method, path }: Endpoint,
  message: Message,
): ServiceError {
  const retryAfterSeconds = readRetryAfter(headers);
  return new ServiceError({
    kind,
    method,
    path,
    status,
    ...message,
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}

/** Seconds or a date. A date is compared with the service's own clock, its Date header. At most one hour. */
function readRetryAfter(headers: Record<string, unknown>): number | null {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return null;
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.parse(String(headers['date']))) / 1_000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

function asEnvelope(data: unknown): Record<string, unknown> | null {
  const body = asObject(data);
  return Number.isSafeInteger(body?.['code']) ? body : null;
}

function asObject(data: unknown): Record<string, unknown> | null {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isObject ? (data as Record<string, unknown>) : null;
}
