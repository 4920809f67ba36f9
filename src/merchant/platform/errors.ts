// The errors thrown on purpose: an unknown outcome, or a request that cannot be served. Expected outcomes are tagged
// unions beside the code that returns them. No error holds a body, header, card or token. Those of calls to the payment service
// are in `payment-service/records/service-error.ts`.

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

// PostgreSQL error codes (SQLSTATE) that callers check a DatabaseError for.
export const UNIQUE_VIOLATION = '23505';
export const UNDEFINED_TABLE = '42P01';
export const INSUFFICIENT_PRIVILEGE = '42501';
/** Prisma's own code. */
const ROW_MISSING = 'P2025';
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

/** A row with this key is there already. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === UNIQUE_VIOLATION;

/** The row that an update names is not there, or not in the state that it requires. */
export const isRowMissing = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === ROW_MISSING;

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
