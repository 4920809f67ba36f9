// Queries hide payments made through a test channel unless they set `include_sandbox` (§4.4).

import { z } from 'zod';
import { flag, optional, parseFields } from '../http/fields';
import type { Payment } from './payment';

const querySchema = z.object({ include_sandbox: optional(flag) });

export function includesSandbox(query: Record<string, unknown>): boolean {
  return parseFields(querySchema, query).include_sandbox ?? false;
}

/** Returns a filter for the payments that the query shows. */
export function shownTo(query: Record<string, unknown>): (payment: Payment) => boolean {
  const all = includesSandbox(query);
  return ({ sandbox }) => all || !sandbox;
}
