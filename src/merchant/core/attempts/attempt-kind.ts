// The description of one kind of attempt: issuances, charges and refunds each have one, in their `attempt.ts`. Polls,
// decisions, routes and the action queue are made from it.

import type { z } from 'zod';
import type { Context, QueueItem, Scope } from '../../platform/context';
import type { ErrorDefinition } from '../../platform/errors';
import type { List } from '../../platform/http/list';
import type { PolledAttempt } from './attempt-store';
import type { Contradiction, Decision } from './decision';
import type { Recovery } from './recover-attempt';

export type CheckedDecision =
  /** The service contradicts it. */
  | { contradiction: Contradiction }
  /** `write` returns false, and writes nothing, if the attempt was resolved meanwhile. */
  | { write(decision: Decision): Promise<boolean> };

export type AttemptKind<
  Attempt extends PolledAttempt = PolledAttempt,
  Outcome extends string = string,
> = Recovery<Attempt> & {
  /**
   * Compares a person's decision with what the service shows.
   * @throws ServiceError if the service could not be asked
   */
  check(context: Context, attempt: Attempt, outcome: Outcome): Promise<CheckedDecision>;
  notFound: ErrorDefinition;
  /** The error of a decision about a scheduled attempt; it says what resolves it. */
  scheduled?: ErrorDefinition;
  decision: {
    /** The scope that an API key needs. */
    scope: Scope;
    summary: string;
    schema: z.ZodType<Decision & { outcome: Outcome }>;
    example: unknown;
  };
  list: List<z.ZodObject, QueueItem>;
  listSummary: string;
  /** An attempt in the API. */
  stored: { schema: z.ZodType; example: unknown; json(attempt: Attempt): QueueItem };
};
