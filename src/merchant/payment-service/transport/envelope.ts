// What a response says (§2, §7): the envelope's `code` decides, the HTTP status only where there is no success.

import { ServiceError, type ServiceErrorKind } from '../../platform/errors';
import { cleanText } from '../records/clean-text';
import type { Endpoint } from './request';

/** `body` is the parsed JSON; undefined where it is none. */
export type ParsedResponse = { status: number; headers: Record<string, unknown>; body: unknown };
/**
 * Returns the payload of a success.
 * @param secrets taken out of the service's message
 * @throws ServiceError where there is no success
 */
export type ReadPayload = (
  response: ParsedResponse,
  endpoint: Endpoint,
  secrets: readonly string[],
) => unknown;

const MAX_MESSAGE_LENGTH = 200;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/** Legacy generation: `{code, message, response}`. Returns `response`. */
export const readEnvelope: ReadPayload = (response, endpoint, secrets) => {
  const { body } = response;
  const envelope = isObject(body) && Number.isSafeInteger(body['code']) ? body : null;
  throwUnlessSuccess(response, endpoint, envelope, secrets);
  if (!envelope) throw invalidResponse(endpoint, 'no envelope', response.status);
  if (envelope['code'] !== 0) throw failure('refused', response, endpoint, readMessage(envelope, secrets));
  return envelope['response'];
};

/** Newer generation: the document shows no envelope for it (§9), so a JSON object is the payload. */
export const readPlain: ReadPayload = (response, endpoint, secrets) => {
  const body = isObject(response.body) ? response.body : null;
  throwUnlessSuccess(response, endpoint, body, secrets);
  if (!body) throw invalidResponse(endpoint, 'no JSON object', response.status);
  return body;
};

export function invalidResponse({ method, path }: Endpoint, detail: string, status: number): ServiceError {
  return new ServiceError({ kind: 'bad_answer', method, path, detail, status });
}

/**
 * A 404 or another refusal counts only in the service's own words (§7: envelopes, our choice where the shape is not
 * shown): the HTML of a proxy in between, or of a wrong base URL, must not prove that a payment does not exist.
 */
function throwUnlessSuccess(
  response: ParsedResponse,
  endpoint: Endpoint,
  ownWords: Record<string, unknown> | null,
  secrets: readonly string[],
): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  const message = readMessage(ownWords, secrets);
  if (status === 401) throw failure('unauthorized', response, endpoint, message);
  if (status === 429) throw failure('rate_limited', response, endpoint, message);
  if (status >= 500) throw failure('server_error', response, endpoint, message);
  if (status < 400) throw invalidResponse(endpoint, 'a redirect, not followed', status);
  if (!ownWords) throw invalidResponse(endpoint, 'an error that is not the service’s', status);
  throw failure(status === 404 ? 'not_found' : 'refused', response, endpoint, message);
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
  { status, headers }: ParsedResponse,
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

/** Seconds or a date; a date is compared with the service's own clock, its Date header. At most an hour. */
function readRetryAfter(headers: Record<string, unknown>): number | null {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return null;
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.parse(String(headers['date']))) / 1_000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
