// What a route adds to the log line of its request (request-log.ts).

import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { maskCardNumbers } from './mask-card-numbers';

/** Identifiers and outcomes, with snake_case names. */
export type LogFields = Record<string, string | number | null>;

/** Where a request comes from, and its id: in every log line and audit row about a person's action. */
export type SentFrom = { source: string | null; request_id: string };

export function sentFrom({ id, source }: IncomingMessage): SentFrom {
  return { source: source.client, request_id: id };
}

/** Adds fields to the request's log line. The caller chooses ids, so an id that looks like a card number is masked. */
export function addLogFields(response: Response, fields: LogFields): void {
  const known = (response.locals['log'] ??= {}) as LogFields;
  for (const [name, value] of Object.entries(fields))
    known[name] = typeof value === 'string' ? maskCardNumbers(value) : value;
}
