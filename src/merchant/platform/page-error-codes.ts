// The errors of the pages, a part of the table in `error-codes.ts`.

export type ErrorFacts = {
  status: number;
  /** Sent as `message` where the throw gives no other text. */
  message: string;
  /** What the caller does about it. */
  remedy: string;
  /** Of a 429 or 503: sent as Retry-After, unless the payment service or a limit asks for another pause. */
  retryAfterSeconds?: number;
};

/** Errors of the pages. What a person reads of each stands in the locales. */
export const PAGE_ERRORS = {
  foreign_host: {
    status: 400,
    message: 'This host name is not served here.',
    remedy: 'Open the page under PUBLIC_URL.',
  },
  return_url_refused: {
    status: 400,
    message: 'The return_url is neither a path of this server nor at an origin of RETURN_URLS.',
    remedy: 'Send a path, or list the origin in RETURN_URLS.',
  },
  cross_site: {
    status: 403,
    message: 'This request comes from another site.',
    remedy: 'Open the form here.',
  },
  forged_form: {
    status: 403,
    message: 'This form was not made for this member.',
    remedy: 'Open a new form.',
  },
  card_of_another_member: {
    status: 403,
    message: 'This card belongs to another member.',
    remedy: 'Open the list of your own cards.',
  },
  no_such_card: { status: 404, message: 'There is no such card.', remedy: 'Open the list of your cards.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not take this method.',
    remedy: 'Use a method that the Allow header names.',
  },
  secret_in_query: {
    status: 405,
    message: 'Card data does not belong into an address.',
    remedy: 'Send it in the body of a POST.',
  },
  form_in_use: { status: 409, message: 'This form was sent before.', remedy: 'See the list of your cards.' },
  key_in_use: {
    status: 409,
    message: 'A card is being registered under this key.',
    remedy: 'Wait until the list shows its outcome.',
  },
  precondition_failed: {
    status: 412,
    message: 'The file is another one than the request asks for.',
    remedy: 'Ask without If-Match and If-Unmodified-Since.',
  },
  parameters_too_many: {
    status: 413,
    message: 'The form has more fields than any of ours.',
    remedy: 'Send the fields of the form alone.',
  },
  unsupported_type: {
    status: 415,
    message: 'The form is sent as application/x-www-form-urlencoded.',
    remedy: 'Send it with that content type.',
  },
  cannot_cancel_now: {
    status: 503,
    message: 'The plan was not cancelled.',
    remedy: 'Try again later.',
    retryAfterSeconds: 30,
  },
} as const satisfies Record<string, ErrorFacts>;

/** Those of the pages, and those of the API that a page meets as well. Each has its page, in both languages (locales). */
export type PageErrorCode =
  | keyof typeof PAGE_ERRORS
  | 'not_found'
  | 'malformed_path'
  | 'entity_parse_failed'
  | 'entity_too_large'
  | 'encoding_unsupported'
  | 'charset_unsupported'
  | 'request_aborted'
  | 'request_size_invalid'
  | 'internal_error'
  | 'service_unavailable'
  | 'database_unavailable';
