// Payments that were made through a test channel are hidden from queries unless they are asked for (§4.4).

import { z } from 'zod';
import { flag, optional, parseFields } from '../http/fields';
import type { Payment } from './payment';

const querySchema = z.object({ include_sandbox: optional(flag) });

/** Whether the query asks for payments of test channels as well. */
export function includesSandbox(query: Record<string, unknown>): boolean {
  return parseFields(querySchema, query).include_sandbox ?? false;
}

/** Returns which payments the query shows. */
export function shownTo(query: Record<string, unknown>): (payment: Payment) => boolean {
  const all = includesSandbox(query);
  return ({ sandbox }) => all || !sandbox;
}
