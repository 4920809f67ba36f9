// A call with an access token (§5.3): one deadline for all of it, one retry after a 401 with a fresh token (§5.4), and none
// while the service has asked for a pause.

import { ServiceError } from '../../platform/errors';
import type { ServiceResponse } from '../records/record-fields';
import type { AccessToken } from './access-token';
import { withDeadline } from './deadline';
import { exchange, type Transport } from './exchange';
import type { Line } from './line';
import { checkRequest, type ServiceRequest } from './request';

/** One interface generation of the service with its access token. */
export type Connection = {
  transport: Transport;
  lines: { queries: Line; operations: Line; visitors: Line };
  accessToken: AccessToken;
  /** Total deadline of one call, token and retry included. */
  timeoutMs: number;
};

/**
 * A 401 says that nothing was done, so the retry is safe for calls that move money as well; nothing else is ever sent
 * twice. The retry is made even where the token call returns the token that was refused: a token that lives is given out
 * again (§5.5), so a 401 that passes looks just like this. A second 401 ends the call.
 * @throws ServiceError
 */
export async function call(connection: Connection, request: ServiceRequest): Promise<ServiceResponse> {
  // Before a token is fetched: where something is malformed, nothing at all is sent.
  checkRequest(request);
  const line = lineOf(connection, request);
  line.checkPause(request);
  try {
    const response = await send(connection, line, request);
    line.answered();
    return response;
  } catch (error) {
    if (error instanceof ServiceError) line.failed(error, request);
    throw error;
  }
}

function lineOf({ lines }: Connection, { method, line }: ServiceRequest): Line {
  return lines[line ?? (method === 'GET' ? 'queries' : 'operations')];
}

function send(
  { transport, accessToken, timeoutMs }: Connection,
  { http }: Line,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  return withDeadline(timeoutMs, async (deadline) => {
    const token = await accessToken.get(deadline);
    try {
      return await exchange(transport, http, { request, deadline, token });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.facts.kind !== 'unauthorized') throw error;
      accessToken.drop(token);
      const fresh = await accessToken.get(deadline);
      return exchange(transport, http, { request, deadline, token: fresh });
    }
  });
}

/** Null in place of a `not_found` error. */
export async function orNull<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ServiceError && error.facts.kind === 'not_found') return null;
    throw error;
  }
}
