// The envelope around every answer (§2) and the refusals of §7. Handlers return an Answer or throw a Refusal;
// only serve-endpoints.ts writes to the wire.
export type Answer = {
  status: number;
  body: unknown;
  /** Answer late: the slow test card. */
  delayMs?: number;
  /** The work is done, the answer never arrives: the lost-response test card. */
  lost?: boolean;
};

export const success = (response: unknown, status = 200): Answer => ({
  status,
  body: { code: 0, message: null, response },
});

/** A business failure: processed, answered with HTTP 200, and `code` says no (§7.1). Codes are not shown; we use 1. */
export const failure = (message: string): Answer => ({ status: 200, body: envelopeOf(1, message) });

/** A request that is not served, with its HTTP status (§7.2). The body's shape is not shown: envelope with code -1. */
export class Refusal extends Error {
  readonly answer: Answer;
  constructor(status: number, message: string) {
    super(message);
    this.answer = { status, body: envelopeOf(-1, message) };
  }
}

function envelopeOf(code: number, message: string) {
  return { code, message, response: null };
}
