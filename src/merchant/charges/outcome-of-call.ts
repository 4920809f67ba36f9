// What is known after a call that moves money has failed, and how it is noted. Shared by charges, cancellations and
// planned payments: each has its row from before the call.

import type { ServiceFault } from '../errors';
import type { Logger } from '../logger';

export type FailedCall =
  /** The service may have carried it out: it has to be asked, and nothing may be sent again before. */
  | { kind: 'unknown'; reason: string }
  /** The service said no. Its words are masked and bounded by the client; null where it said none. */
  | { kind: 'refused'; reason: string; serviceMessage: string | null }
  /** The service did not have the request, or would not look at it: it can be tried again at once. */
  | { kind: 'not_executed'; reason: string };

export function outcomeOfCall(fault: ServiceFault): FailedCall {
  const { kind, serviceMessage = null } = fault.facts;
  if (fault.mayHaveHappened) return { kind: 'unknown', reason: kind };
  const reason = serviceMessage ?? kind;
  return kind === 'refused' || kind === 'not_found'
    ? { kind: 'refused', reason, serviceMessage }
    : { kind: 'not_executed', reason };
}

export type Noted = <T>(write: () => Promise<T>) => Promise<T | null>;

/**
 * Writes after the call, which must not fail any more: where the database is gone now, the row from before the call is
 * found later, and the service is asked. Null where it was not written.
 */
export function createNoted(logger: Logger): Noted {
  return async (write) => {
    try {
      return await write();
    } catch (error) {
      logger.error({ err: error, event: 'outcome_of_call_not_noted' });
      return null;
    }
  };
}
