// The error of every call to the payment service that failed. It holds no body, header, card or token.

/**
 * Why a call to the payment service returned no usable answer.
 * `isOutage`: the service as a whole does not work, independent of the request.
 * `mayHaveHappened`: the service may have executed the request.
 */
const SERVICE_ERROR_KINDS = {
  /** No connection: refused, DNS, certificate. The service did not see the request. */
  unreachable: { isOutage: true, mayHaveHappened: false },
  /** The deadline passed, or the connection broke after the request was sent. */
  no_answer: { isOutage: true, mayHaveHappened: true },
  /** Not an answer that the document describes: HTML, garbage, a redirect, missing fields, too large. */
  bad_answer: { isOutage: true, mayHaveHappened: true },
  /** 5xx. */
  server_error: { isOutage: true, mayHaveHappened: true },
  /** 429. */
  rate_limited: { isOutage: true, mayHaveHappened: false },
  /** 401, also after one token renewal (§5.4). */
  unauthorized: { isOutage: true, mayHaveHappened: false },
  /** 404. */
  not_found: { isOutage: false, mayHaveHappened: false },
  /** Any other 4xx, or `code` other than 0 (§7.1): processed and refused. */
  refused: { isOutage: false, mayHaveHappened: false },
};

export type ServiceErrorKind = keyof typeof SERVICE_ERROR_KINDS;

export const OUTAGE_KINDS: ReadonlySet<string> = new Set(
  Object.entries(SERVICE_ERROR_KINDS).flatMap(([kind, { isOutage }]) => (isOutage ? [kind] : [])),
);

/** A call to the payment service that failed (§7). */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  constructor(
    readonly facts: {
      kind: ServiceErrorKind;
      method: string;
      /** The path's template, such as "/payments/{svc_uid}", never filled in. */
      path: string;
      /** HTTP status; absent without an answer. */
      status?: number;
      /** `code` of the envelope; absent without an envelope. */
      code?: number;
      /** The service's `message`: card-like digits masked, control characters removed, at most 200 characters. */
      serviceMessage?: string;
      /** What was wrong with a bad answer, in our own words, or the socket's error code. */
      detail?: string;
      retryAfterSeconds?: number;
    },
  ) {
    super(`${facts.method} ${facts.path}: ${facts.kind}${facts.detail ? ` (${facts.detail})` : ''}`);
  }

  /**
   * Whether the service may have executed the request although we have no answer. A call that moves money or issues a
   * key is then polled for, never sent again.
   */
  get mayHaveHappened(): boolean {
    return SERVICE_ERROR_KINDS[this.facts.kind].mayHaveHappened;
  }
}
