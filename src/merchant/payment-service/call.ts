// A call with an access token (§5.3): one deadline for all of it, one retry after a 401 with a fresh token (§5.4).
import { ServiceFault } from '../errors';
import type { AccessToken } from './access-token';
import { withDeadline } from './deadline';
import type { Answer, Exchange, Operation } from './exchange';
import { checkOperation } from './outgoing';

export type Call = (operation: Operation) => Promise<Answer>;

/**
 * A 401 says that nothing was done, so the retry is safe for calls that move money as well; nothing else is ever sent
 * twice. It is made even where the token call gives back the token that was refused: a token that lives is given out
 * again (§5.5), so that is all that a passing 401 shows of itself. A second 401 ends it.
 */
export function createCall(exchange: Exchange, accessToken: AccessToken, timeoutMs: number): Call {
  return (operation) =>
    withDeadline(timeoutMs, async (signal) => {
      checkOperation(operation);
      const token = await accessToken.get(signal);
      try {
        return await exchange(operation, signal, token);
      } catch (error) {
        if (!(error instanceof ServiceFault) || error.facts.kind !== 'unauthorized') throw error;
        accessToken.drop(token);
        return exchange(operation, signal, await accessToken.get(signal));
      }
    });
}

/** Null in place of a `not_found` fault. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceFault && error.facts.kind === 'not_found') return null;
    throw error;
  }
}
