// The envelope around every answer (§2) and the errors of §7. Handlers return an Answer or throw an HttpError; only
// serve-endpoints.ts writes to the socket.

export type Answer = {
  status: number;
  body: unknown;
  /** Delay before the answer. The slow test card sets it. */
  delayMs?: number;
  /** The work is done, then the connection is cut instead of answered. The lost-response test card sets it. */
  lost?: boolean;
};

export const success = (response: unknown, status = 200): Answer => ({
  status,
  body: { code: 0, message: null, response },
});

/**
 * A business failure, or an operation that was refused: HTTP 200 with a non-zero `code` (§7.1). The document lists no
 * codes; our choice is 1, unless published clients expect another.
 */
export const failure = (message: string, code = 1): Answer => ({
  status: 200,
  body: envelopeOf(code, message),
});

/**
 * A request that is not served, with its HTTP status (§7.2). The document shows no body for it; our choice is the
 * envelope with code -1. If an operation throws it, serve-endpoints.ts answers `failure`, or this status where
 * `operation_errors` is `http`.
 */
export class HttpError extends Error {
  readonly answer: Answer;
  constructor(status: number, message: string) {
    super(message);
    this.answer = { status, body: envelopeOf(-1, message) };
  }
}

function envelopeOf(code: number, message: string) {
  return { code, message, response: null };
}
