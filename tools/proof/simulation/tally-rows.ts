// Counts the outcomes of a story from the rows.

import type { AllRows } from './prepared-rows';
import type { Tally } from './tally';

export function tallyRows(rows: AllRows, tally: Tally): void {
  for (const [table, says] of Object.entries(COUNTED))
    for (const row of rows.of<Record<string, unknown>>(table))
      for (const what of says(row)) tally.add(`rows: ${what}`);
}

const COUNTED: Record<string, (row: Record<string, unknown>) => readonly string[]> = {
  charges: ({ kind, status }) => [`charge ${String(kind)} ${String(status)}`],
  refunds: ({ status }) => [`refund ${String(status)}`],
  billing_key_issuances: ({ status }) => [`issuance ${String(status)}`],
  billing_keys: ({ status }) => [`key ${String(status)}`],
  payments: ({ status }) => [`payment ${String(status)}`],
  notifications: ({ outcome, attempts }) => [
    `notification ${String(outcome)}`,
    ...(Number(attempts) > 1 ? ['notification checked again'] : []),
  ],
  discrepancies: ({ kind }) => [`discrepancy ${String(kind)}`],
  events: ({ type }) => [`event ${String(type)}`],
  event_deliveries: ({ attempts }) => (Number(attempts) > 1 ? ['event delivered in a later attempt'] : []),
  subscriptions: ({ status }) => [`subscription ${String(status)}`],
};
