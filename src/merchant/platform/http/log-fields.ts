// What a route adds to the log line of its request (request-log.ts).

import type { Response } from 'express';
import { maskCardNumbers } from './mask-card-numbers';

/** Identifiers and outcomes, with snake_case names. */
export type LogFields = Record<string, string | number | null>;

/** Adds fields to the request's log line. The caller chooses ids, so an id that looks like a card number is masked. */
export function addLogFields(response: Response, fields: LogFields): void {
  const known = (response.locals['log'] ??= {}) as LogFields;
  for (const [name, value] of Object.entries(fields))
    known[name] = typeof value === 'string' ? maskCardNumbers(value) : value;
}
