// What an answer says (§2, §7): the envelope's `code` decides, the HTTP status only where there is no success.
import { ServiceFault, type ServiceFaultKind } from '../errors';
import { cleanText } from './clean-text';

/** An answer whose body was parsed; `body` is undefined where it is no JSON. */
export type ParsedAnswer = { status: number; headers: Record<string, unknown>; body: unknown };
export type CallName = { method: string; path: string };
/** Takes our own secrets out of a text. */
export type Conceal = (text: string) => string;
/** Answers the payload of a success, throws a ServiceFault otherwise. */
export type ReadAnswer = (answer: ParsedAnswer, call: CallName, conceal: Conceal) => unknown;

const MAX_MESSAGE_LENGTH = 200;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/** Legacy generation: `{code, message, response}`. Answers `response`. */
export const readEnvelope: ReadAnswer = (answer, call, conceal) => {
  const { body } = answer;
  const envelope = isObject(body) && Number.isSafeInteger(body['code']) ? body : null;
  const code = envelope ? (envelope['code'] as number) : undefined;
  throwUnlessSuccess(answer, call, envelope !== null, said(envelope, conceal));
  if (!envelope) throw badAnswer(call, 'no envelope', answer.status);
  if (code !== 0) throw fault('refused', answer, call, said(envelope, conceal));
  return envelope['response'];
};

/** Newer generation: no envelope is shown for it (§9), so a JSON object is the payload. */
export const readPlain: ReadAnswer = (answer, call, conceal) => {
  const body = isObject(answer.body) ? answer.body : null;
  throwUnlessSuccess(answer, call, body !== null, said(body, conceal));
  if (!body) throw badAnswer(call, 'no JSON object', answer.status);
  return body;
};

export function badAnswer({ method, path }: CallName, detail: string, status: number): ServiceFault {
  return new ServiceFault({ kind: 'bad_answer', method, path, detail, status });
}

/**
 * A 404 or another refusal counts only in the service's own words (§7: envelopes, our choice where the shape is not
 * shown): the HTML of a proxy in between, or of a wrong base URL, must not prove that a payment does not exist.
 */
function throwUnlessSuccess(answer: ParsedAnswer, call: CallName, speaks: boolean, words: Words): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  if (status === 401) throw fault('unauthorized', answer, call, words);
  if (status === 429) throw fault('rate_limited', answer, call, words);
  if (status >= 500) throw fault('server_error', answer, call, words);
  if (status < 400) throw badAnswer(call, 'a redirect, not followed', status);
  if (!speaks) throw badAnswer(call, 'an error that is not the service’s', status);
  throw fault(status === 404 ? 'not_found' : 'refused', answer, call, words);
}

type Words = { code?: number; serviceMessage?: string };

function said(body: Record<string, unknown> | null, conceal: Conceal): Words {
  const { code, message } = body ?? {};
  return {
    ...(Number.isSafeInteger(code) ? { code: code as number } : {}),
    ...(typeof message === 'string' && message !== ''
      ? { serviceMessage: cleanText(conceal(message), MAX_MESSAGE_LENGTH) }
      : {}),
  };
}

function fault(kind: ServiceFaultKind, answer: ParsedAnswer, call: CallName, words: Words): ServiceFault {
  const retryAfterSeconds = readRetryAfter(answer.headers);
  return new ServiceFault({
    kind,
    method: call.method,
    path: call.path,
    status: answer.status,
    ...words,
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}

/** Seconds or a date; a date is reckoned on the service's own clock, from its Date header. At most an hour. */
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
