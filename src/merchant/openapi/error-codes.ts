// Every code of `{ "error": { "code", "message" } }`: its status, what happened, and what a caller does about it.
// docs/api-errors.md is this table for people; a test holds both to the codes that the source uses.

export type ErrorFacts = { status: number; happened: string; remedy: string };

export const ERROR_CODES = {
  invalid_request: {
    status: 400,
    happened:
      'A field of the body or the query is missing, unknown or not as described; the message names it.',
    remedy: 'Mend the request. Nothing was sent to the payment service.',
  },
  page_out_of_range: {
    status: 400,
    happened: 'The page lies outside the data range (§4.5).',
    remedy: 'Stop paging: the page before was the last.',
  },
  service_refused: {
    status: 400,
    happened: 'The payment service refused the request; the message is its own.',
    remedy: 'Read the message; the same request again is refused again.',
  },
  cancellation_refused: {
    status: 400,
    happened: 'The payment service refused the cancellation; the message is its own.',
    remedy: 'Read the message and look at the payment.',
  },
  schedule_refused: {
    status: 400,
    happened: 'The payment service refused the plan; the message is its own.',
    remedy: 'Read the message; the orders can be planned or charged again.',
  },
  malformed_path: {
    status: 400,
    happened: 'The path cannot be percent-decoded.',
    remedy: 'Encode identifiers before they go into a path.',
  },
  entity_parse_failed: {
    status: 400,
    happened: 'The body is no JSON.',
    remedy: 'Send JSON with Content-Type: application/json.',
  },
  request_aborted: {
    status: 400,
    happened: 'The connection ended before the body did.',
    remedy: 'Send it again.',
  },
  request_size_invalid: {
    status: 400,
    happened: 'The body is not as long as Content-Length says.',
    remedy: 'Let the HTTP client set Content-Length.',
  },
  unauthorized: {
    status: 401,
    happened: 'The API key is missing or wrong.',
    remedy: 'Send it as "Authorization: Bearer <API_KEY>".',
  },
  service_unauthorized: {
    status: 401,
    happened:
      'The payment service refused our own credentials, also with a fresh token (§5.4); the message is its own.',
    remedy: 'Check SERVICE_KEY and SERVICE_SECRET; npm run doctor says more. Your API key is fine.',
  },
  payment_declined: {
    status: 402,
    happened:
      'The card was declined; the message is the card company’s reason where there is one (§2.4, fail_reason).',
    remedy: 'Ask for another card; the order can be charged again.',
  },
  payment_refused: {
    status: 402,
    happened: 'The payment service refused the payment; the message is its own.',
    remedy: 'Read the message; the order can be charged again.',
  },
  foreign_billing_key: {
    status: 403,
    happened: 'The billing key belongs to another member than the order.',
    remedy: 'Charge with a key of the order’s member.',
  },
  not_found: {
    status: 404,
    happened: 'There is no such route.',
    remedy: 'See /openapi.json for those that exist.',
  },
  order_not_found: {
    status: 404,
    happened: 'No order has this merchant_uid.',
    remedy: 'Register it with POST /api/orders.',
  },
  payment_not_found: {
    status: 404,
    happened: 'No verified payment has this svc_uid.',
    remedy: 'See GET /api/notifications and GET /api/discrepancies for what arrived and did not fit.',
  },
  billing_key_not_found: {
    status: 404,
    happened: 'Neither the payment service nor we know this customer_uid.',
    remedy: 'Check the customer_uid.',
  },
  service_not_found: {
    status: 404,
    happened: 'The payment service knows nothing under this identifier; the message is its own.',
    remedy: 'Check the identifier.',
  },
  order_conflict: {
    status: 409,
    happened: 'The merchant_uid is registered with another amount, currency or member.',
    remedy: 'Take a new merchant_uid for another order.',
  },
  order_not_payable: {
    status: 409,
    happened: 'The order is paid, awaits its deposit, or was cancelled.',
    remedy: 'Look at the order; only one that is open or failed can be charged.',
  },
  order_planned: {
    status: 409,
    happened: 'A payment of this order is planned.',
    remedy: 'Revoke the plan first.',
  },
  charge_pending: {
    status: 409,
    happened: 'The outcome of a charge of this order is not known yet.',
    remedy: 'Wait, and look at the order: it is being found out.',
  },
  charge_needs_review: {
    status: 409,
    happened: 'A charge led to a payment that does not fit its order.',
    remedy: 'See GET /api/discrepancies; a person has to decide.',
  },
  billing_key_not_active: {
    status: 409,
    happened: 'The billing key cannot pay now: it is pending, failed, removed, or needs review.',
    remedy: 'Look at GET /api/billing-keys; take another key.',
  },
  customer_uid_in_use: {
    status: 409,
    happened: 'The customer_uid has a billing key already, or one on its way.',
    remedy: 'Take a new customer_uid for another card (§1).',
  },
  nothing_revoked: {
    status: 409,
    happened: 'The payment service revoked nothing; the message is its own.',
    remedy: 'Look at GET /api/schedules: executed and revoked plans stay as they are.',
  },
  nothing_to_cancel: {
    status: 409,
    happened: 'The payment holds no money.',
    remedy: 'Look at the payment: it was never paid, or is cancelled already.',
  },
  balance_differs: {
    status: 409,
    happened: 'The payment holds another balance than the checksum says.',
    remedy: 'Look at the payment: somebody cancelled a part of it before.',
  },
  amount_exceeds_balance: {
    status: 409,
    happened: 'More is to be cancelled than the payment holds.',
    remedy: 'Cancel what is left, or less.',
  },
  cancellation_pending: {
    status: 409,
    happened: 'The outcome of a cancellation of this payment is not known yet.',
    remedy: 'Wait, and look at the payment: it is being found out.',
  },
  cancellation_needs_review: {
    status: 409,
    happened: 'The payment shows another cancelled amount than was asked for.',
    remedy: 'Compare the payment’s record with the books; a person has to decide.',
  },
  entity_too_large: {
    status: 413,
    happened: 'The body is larger than 64 kB.',
    remedy: 'Send less at a time.',
  },
  encoding_unsupported: {
    status: 415,
    happened: 'The body is compressed.',
    remedy: 'Send it without Content-Encoding.',
  },
  charset_unsupported: {
    status: 415,
    happened: 'The body is not in UTF-8.',
    remedy: 'Send UTF-8.',
  },
  internal_error: {
    status: 500,
    happened: 'A fault of ours; the log has it under the request id.',
    remedy: 'Report it.',
  },
  service_bad_answer: {
    status: 502,
    happened: 'The payment service answered something that the document does not describe.',
    remedy: 'Try again later; the log says what was wrong with it.',
  },
  service_unavailable: {
    status: 503,
    happened: 'The payment service does not answer, or asks for a pause.',
    remedy: 'Try again after Retry-After seconds.',
  },
  database_unavailable: {
    status: 503,
    happened: 'Our database does not answer.',
    remedy: 'Try again after Retry-After seconds.',
  },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** What any route behind the key may answer. */
export const API_ERRORS: readonly ErrorCode[] = ['unauthorized', 'database_unavailable', 'internal_error'];

/** What a route that takes a body may answer. */
export const BODY_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'entity_parse_failed',
  'request_aborted',
  'request_size_invalid',
  'entity_too_large',
  'encoding_unsupported',
  'charset_unsupported',
];

/** What a route that asks the payment service may answer. */
export const SERVICE_ERRORS: readonly ErrorCode[] = [
  'service_refused',
  'service_unauthorized',
  'service_bad_answer',
  'service_unavailable',
];
