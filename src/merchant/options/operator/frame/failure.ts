// What a page says about an error: why it could not be shown, or why an action failed.

import { ContradictedError, type Contradiction } from '../../../core/attempts/decision';
import { ServiceError } from '../../../payment-service/records/service-error';
import { RefusedError } from '../../../platform/errors';
import { errorResponse } from '../../../platform/http/error-response';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';

export type Refusal = {
  code: string;
  /** What the payment service shows against a decision. */
  contradiction: Contradiction | null;
  /** The payment service's message, in its language; null if it sent none. */
  serviceSays: string | null;
};

export type Failure = Refusal & {
  /** The fields at fault. */
  fields: readonly string[];
  requestId: string;
  /** For a refused form: its action URL, and the fields that may be shown again. Null for a page. */
  form: { action: string; typed: Readonly<Record<string, string>> } | null;
};

export function toRefusal(error: unknown): Refusal {
  return {
    code: errorResponse(error).code,
    contradiction: error instanceof ContradictedError ? error.contradiction : null,
    serviceSays: serviceWords(error),
  };
}

function serviceWords(error: unknown): string | null {
  if (error instanceof RefusedError) return error.serviceMessage ?? null;
  return error instanceof ServiceError ? (error.facts.serviceMessage ?? null) : null;
}

/** Fields whose value is valid, and does not fit the row, by the code of the error. */
const FIELDS_OF: Readonly<Record<string, readonly string[]>> = { amount_exceeds_balance: ['amount'] };

/** Parses the message of `parseRequest`: each problem begins with its field. */
export function fieldsAtFault(error: unknown): readonly string[] {
  const { code, message } = errorResponse(error);
  if (code !== 'invalid_request') return FIELDS_OF[code] ?? [];
  return [...new Set(message.split('; ').map((problem) => problem.split(/[.:]/, 1)[0] ?? ''))];
}

/** Form fields that are shown again. Not the refund account of a deposit, and not passwords. */
const SHOWN_AGAIN = ['how', 'amount', 'tax_free', 'reason', 'note', 'resolution', 'outcome', 'member_id'];
const MOST_SHOWN = 2000;

/** What was typed into a refused form, with card numbers masked. */
export function typedIn(body: unknown): Record<string, string> {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    fields.flatMap(([name, value]) =>
      SHOWN_AGAIN.includes(name) && typeof value === 'string'
        ? [[name, maskCardNumbers(value.slice(0, MOST_SHOWN))]]
        : [],
    ),
  );
}
