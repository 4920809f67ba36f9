// The errors thrown on purpose: an unknown outcome, or a request that cannot be served. Expected outcomes are tagged
// unions beside the code that returns them. No error holds a body, header, card or token.

/** What a client is told about an error. Each feature defines its own (`defineErrors`). */
export type ErrorDefinition = {
  /** Stable and machine-readable, such as "order_conflict". */
  code: string;
  status: number;
  /** Sent if the throw gives no other text. */
  message: string;
  /** What the caller does about it. */
  remedy: string;
  /** Of a 429 or 503: sent as Retry-After, unless the payment service or a limit asks for another time. */
  retryAfterSeconds?: number;
  /** Of an error that a page can show: its feature then has a text for it in each language. */
  page?: ErrorPage;
};

/** `toForm`: whether the page links to an empty card form, if there is one. Otherwise it links to the list of the member's cards. */
export type ErrorPage = { toForm: boolean };

export type Errors = Readonly<Record<string, ErrorDefinition>>;

/** Definitions by code. */
export function defineErrors<Code extends string>(
  rows: Readonly<Record<Code, Omit<ErrorDefinition, 'code'>>>,
): Readonly<Record<Code, ErrorDefinition>> {
  const entries = Object.entries<Omit<ErrorDefinition, 'code'>>(rows);
  return Object.fromEntries(entries.map(([code, row]) => [code, { code, ...row }])) as Record<
    Code,
    ErrorDefinition
  >;
}

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

// PostgreSQL error codes (SQLSTATE) that callers check a DatabaseError for.
export const UNIQUE_VIOLATION = '23505';
export const UNDEFINED_TABLE = '42P01';
export const INSUFFICIENT_PRIVILEGE = '42501';
/** `reason` of what was left to a person because PostgreSQL refuses a value of it: another try has the same result. */
export const VALUE_REFUSED = 'value_refused';

/**
 * The database was unreachable, refused the statement or did not answer in time. Without an answer, the statement may
 * still be executed.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  constructor(
    /** PostgreSQL's, the driver's or Prisma's code, such as "57014"; database-problems.ts says what each means. */
    readonly code: string,
  ) {
    super(`database: ${code}`);
  }

  /**
   * PostgreSQL refuses a value, and will refuse it again: it cannot be stored (class 22), or is missing or not allowed
   * (23502, 23514). Other constraints may be free again a moment later.
   */
  get refusesValue(): boolean {
    return /^(22...|23502|23514)$/.test(this.code);
  }

  /**
   * Whether one of several items in a statement may be the cause: a refused value (SQLSTATE classes 22 and 23), two
   * items that change one row (21000), or a row locked by another transaction (55P03).
   */
  get mayBeAboutOneItem(): boolean {
    return /^(2[23]...|21000|55P03)$/.test(this.code);
  }
}

/** A request that cannot be served. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: string;
  readonly status: number;
  constructor(
    readonly definition: ErrorDefinition,
    /** Replaces the text of the definition, for example with the payment service's own message. */
    message?: string | null,
    /** For `Retry-After`, if the definition has no value. */
    readonly retryAfterSeconds: number | undefined = definition.retryAfterSeconds,
  ) {
    super(message ?? definition.message);
    this.code = definition.code;
    this.status = definition.status;
  }
}

/** A request that the payment service refused, with its own message, which the client has masked and bounded. */
export class RefusedError extends HttpError {
  constructor(
    definition: ErrorDefinition,
    /** Absent if the service sent none. */
    readonly serviceMessage: string | null | undefined,
  ) {
    super(definition, serviceMessage ?? 'The payment service gave no reason.');
  }
}
