// The errors that are thrown on purpose: "we could not find out", or a request that cannot be served. Outcomes that the
// integration expects are tagged unions beside the code that returns them. No error holds a body, header, card or token.

import { ERRORS, type ErrorCode } from './error-codes';

/** Why a call to the payment service gave no usable answer. */
export type ServiceErrorKind =
  /** No connection: refused, DNS, certificate. The service did not see the request. */
  | 'unreachable'
  /** The deadline passed, or the connection broke after the request was sent. */
  | 'no_answer'
  /** An answer that is not what the document describes: HTML, garbage, a redirect, missing fields, too large. */
  | 'bad_answer'
  /** 5xx. */
  | 'server_error'
  /** 429. */
  | 'rate_limited'
  /** 401, also after the token was renewed once (§5.4). */
  | 'unauthorized'
  /** 404. */
  | 'not_found'
  /** Any other 4xx, or `code` other than 0 (§7.1): processed and refused. */
  | 'refused';

/** Kinds that say that the service as a whole does not work, rather than something about what was asked. */
export const OUTAGE_KINDS = [
  'unreachable',
  'no_answer',
  'bad_answer',
  'server_error',
  'rate_limited',
  'unauthorized',
] as const satisfies ServiceErrorKind[];

/** A call to the payment service that failed (§7). */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  constructor(
    readonly facts: {
      kind: ServiceErrorKind;
      method: string;
      /** The path's template, such as "/payments/{svc_uid}": never filled in. */
      path: string;
      /** HTTP status, where there was one. */
      status?: number;
      /** `code` of the envelope, where there was one. */
      code?: number;
      /** The service's `message`: card-like digits masked, control characters removed, at most 200 characters. */
      serviceMessage?: string;
      /** What was wrong with a bad answer, or the error code of the socket: our own words. */
      detail?: string;
      retryAfterSeconds?: number;
    },
  ) {
    super(`${facts.method} ${facts.path}: ${facts.kind}${facts.detail ? ` (${facts.detail})` : ''}`);
  }

  /**
   * Whether the service may have carried the request out although we hold no answer. A call that moves money or
   * issues a key is then polled for, never sent again.
   */
  get mayHaveHappened(): boolean {
    return ['no_answer', 'bad_answer', 'server_error'].includes(this.facts.kind);
  }
}

/**
 * The database could not be reached, refused the statement or did not answer in time. Without an answer, the statement may
 * still be executed.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  constructor(
    /** Prisma's or PostgreSQL's error code, such as "P2024" or "57014". */
    readonly code: string,
  ) {
    super(`database: ${code}`);
  }

  /**
   * Whether one of several items in a statement may be the reason: a value was refused (SQLSTATE classes 22 and 23), two
   * items change one row (21000), or somebody else holds the lock on the row of one (55P03).
   */
  get mayBeAboutOneItem(): boolean {
    return /^(2[23]...|21000|55P03)$/.test(this.code);
  }
}

/** A request that cannot be served: one row of `error-codes.ts`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  constructor(
    /** Stable and machine-readable, such as "order_conflict". */
    readonly code: ErrorCode,
    /** Replaces the text of the table, such as with the payment service's own message. */
    message?: string | null,
    /** For `Retry-After`, where the table does not know it. */
    readonly retryAfterSeconds: number | undefined = ERRORS[code].retryAfterSeconds,
  ) {
    super(message ?? ERRORS[code].message);
    this.status = ERRORS[code].status;
  }
}

/** A request that the payment service refused, with its own message, which the client has masked and bounded. */
export class RefusedError extends HttpError {
  constructor(
    code: ErrorCode,
    /** Absent where it gave none. */
    readonly serviceMessage: string | null | undefined,
  ) {
    super(code, serviceMessage ?? 'The payment service gave no reason.');
  }
}
