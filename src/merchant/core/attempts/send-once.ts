// The call of an attempt: it is sent once, and what is known afterwards is one of four things. Issuances, charges,
// refunds and schedules share it, each with its row written before the call.

import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';

export type FailedCall =
  /** The service may have carried it out: it is polled for, and nothing may be sent again before the outcome is known. */
  | { kind: 'unknown'; reason: string }
  /**
   * The service said no. Its message is masked and bounded by the client; null where it gave none. `isNotFound`: it was
   * a 404, which names an id that the service does not know.
   */
  | { kind: 'refused'; reason: string; serviceMessage: string | null; isNotFound: boolean }
  /** The service did not have the request, or did not process it: it can be tried again at once. */
  | { kind: 'not_executed'; reason: string };

/** @returns the answer, or what is known after the call has failed */
export async function sendOnce<Answer>(
  send: () => Promise<Answer>,
): Promise<{ kind: 'answered'; answer: Answer } | FailedCall> {
  try {
    return { kind: 'answered', answer: await send() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return failedCall(error);
  }
}

function failedCall(error: ServiceError): FailedCall {
  const { kind, serviceMessage = null } = error.facts;
  if (error.mayHaveHappened) return { kind: 'unknown', reason: kind };
  const reason = serviceMessage ?? kind;
  const isNotFound = kind === 'not_found';
  return isNotFound || kind === 'refused'
    ? { kind: 'refused', reason, serviceMessage, isNotFound }
    : { kind: 'not_executed', reason };
}

/**
 * Writes after the call, which must not fail any more: where the database is gone now, the row from before the call is
 * found later, and the service is polled. Returns null where nothing was written.
 */
export async function bestEffort<T>(context: Context, write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    context.logger.error({ err: error, event: 'outcome_not_written' });
    return null;
  }
}
