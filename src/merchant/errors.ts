// The faults: "we could not find out". Outcomes that the integration expects are tagged unions beside the code that
// returns them; only what is in this file is thrown on purpose. Facts are typed, and none of them holds a body, a
// header, a card or a token.

/** Why a call to the payment service gave no usable answer. */
export type ServiceFaultKind =
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

/** A call to the payment service that failed (§7). */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
  constructor(
    readonly facts: {
      kind: ServiceFaultKind;
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
   * issues a key must then be looked up, never sent again.
   */
  get mayHaveHappened(): boolean {
    return ['no_answer', 'bad_answer', 'server_error'].includes(this.facts.kind);
  }
}

/** The database could not be asked, or did not answer in time: nothing was noted. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
  constructor(
    /** Prisma's or PostgreSQL's error code, such as "P2024" or "57014". */
    readonly code: string,
  ) {
    super(`database: ${code}`);
  }

  /** Whether one of the values was refused (SQLSTATE classes 22 and 23), rather than the whole statement. */
  get isAboutValues(): boolean {
    return /^2[23]...$/.test(this.code);
  }
}

/** What a caller asked for cannot be done: one row of the table in `http/error-answer.ts`. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';
  constructor(
    readonly status: number,
    /** Stable and machine-readable, such as "order_conflict". */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
