// One request and its answer: builds the address from checked parts, sends, reads. Knows no token of its own.
import type { Clock } from '../clock';
import { ServiceFault, type ServiceFaultKind } from '../errors';
import type { BadAnswer } from './check';
import { badAnswer, type ReadAnswer } from './envelope';
import type { HttpRequest, Send } from './http';
import { fillPath, type Query } from './outgoing';
import type { WireNames } from './wire-names';

export type Operation = {
  method: HttpRequest['method'];
  /** With the document's placeholders, such as "/payments/{svc_uid}". */
  path: string;
  ids?: Record<string, string>;
  query?: Query;
  body?: object;
  /** Lists may be larger than other answers. */
  list?: boolean;
};
/** A success. `bad` makes the fault for what is wrong with its payload. */
export type Answer = { payload: unknown; bad: BadAnswer };
export type Exchange = (operation: Operation, signal: AbortSignal, token?: string) => Promise<Answer>;

/** Told after each request, for the log and metrics: no identifiers, no bodies. */
export type OnCall = (call: {
  method: string;
  /** The template. */
  path: string;
  /** Null where there was no answer. */
  status: number | null;
  durationMs: number;
  fault?: ServiceFaultKind;
}) => void;

const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

export function createExchange(options: {
  baseUrl: string;
  send: Send;
  names: WireNames;
  readAnswer: ReadAnswer;
  clock: Clock;
  /** Taken out of the service's messages, should it echo them. */
  secrets: readonly string[];
  onCall: OnCall;
}): Exchange {
  const { send, names, readAnswer, clock, secrets, onCall } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  return async (operation, signal, token) => {
    const request = toRequest(operation, signal, token);
    const startedMs = clock.monotonicMs();
    const { method, path } = operation;
    let status: number | null = null;
    const report = (fault?: ServiceFaultKind) =>
      onCall({ method, path, status, durationMs: clock.monotonicMs() - startedMs, ...(fault && { fault }) });
    try {
      const answer = await send(request);
      status = answer.status;
      const body = names.fromWire(parseJson(answer.text));
      const conceal = (text: string) =>
        [token, ...secrets].reduce<string>(
          (rest, secret) => (secret ? rest.replaceAll(secret, '***') : rest),
          text,
        );
      const payload = readAnswer({ ...answer, body }, operation, conceal);
      report();
      return { payload, bad: (detail) => badAnswer(operation, detail, answer.status) };
    } catch (error) {
      report(error instanceof ServiceFault ? error.facts.kind : undefined);
      throw error;
    }
  };

  function toRequest(operation: Operation, signal: AbortSignal, token: string | undefined): HttpRequest {
    const { method, path, ids, query = {}, body, list } = operation;
    return {
      method,
      path,
      url: baseUrl + fillPath(operation, ids) + toSearch(query),
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      body: body && JSON.stringify(names.toWire(body)),
      signal,
      maxBytes: list ? MAX_LIST_BYTES : MAX_ANSWER_BYTES,
    };
  }

  function toSearch(query: Query): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      const values = typeof value === 'object' ? value : [String(value)];
      for (const item of values) search.append(names.nameToWire(name), item);
    }
    return search.size === 0 ? '' : `?${search.toString()}`;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
