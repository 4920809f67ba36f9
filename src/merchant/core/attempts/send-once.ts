// Sends the call of an attempt once, and sorts the result into four cases. Issuances, charges, refunds and schedules
// use it, each with its row written before the call.

import { ServiceError } from '../../payment-service/records/service-error';
import type { Context } from '../../platform/context';

export type FailedCall =
  /** The service may have carried it out. It is polled, and nothing may be sent again until the outcome is known. */
  | { kind: 'unknown'; reason: string }
  /**
   * The service refused. The client has masked and shortened its message; null if there is none. `isNotFound`: it was a
   * 404, for an id that the service does not know.
   */
  | { kind: 'refused'; reason: string; serviceMessage: string | null; isNotFound: boolean }
  /** The service did not receive or process the request. It can be tried again at once. */
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
 * Runs a write after the call without throwing. If the database is not available, the row from before the call is found
 * later and the service is polled. Returns null if the write failed.
 */
export async function bestEffort<T>(context: Context, write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    context.logger.error({ err: error, event: 'outcome_not_written' });
    return null;
  }
}
