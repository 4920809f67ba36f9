// Every error that leaves this server: its code, HTTP status, text and remedy. `new HttpError(code)` looks them up here;
// docs/api-errors.md and /openapi.json are made from the same table, and tests hold them to it.

type ErrorFacts = {
  status: number;
  /** Sent as `message` where the throw gives no other text. */
  message: string;
  /** What the caller does about it. */
  remedy: string;
  /** Of a 503: sent as Retry-After, unless the payment service asked for another pause. */
  retryAfterSeconds?: number;
};

/** Errors under `/api`, as `{ "error": { "code", "message" } }`. */
export const API_ERRORS = {
  invalid_request: {
    status: 400,
    message:
      'A field of the body or the query is missing, unknown or not as described; the message names it.',
    remedy: 'Correct the request. Nothing was sent to the payment service.',
  },
  page_out_of_range: {
    status: 400,
    message: 'The page lies outside the data range (§4.5).',
    remedy: 'Stop paging: the page before was the last.',
  },
  service_refused: {
    status: 400,
    message: 'The payment service refused the request; the message is its own.',
    remedy: 'Read the message; the same request again is refused again.',
  },
  refund_refused: {
    status: 400,
    message: 'The payment service refused the refund; the message is its own.',
    remedy: 'Read the message and the payment.',
  },
  schedule_refused: {
    status: 400,
    message: 'The payment service refused the schedule; the message is its own.',
    remedy: 'Read the message; the orders can be scheduled or charged again.',
  },
  malformed_path: {
    status: 400,
    message: 'The path cannot be percent-decoded.',
    remedy: 'Encode identifiers before they go into a path.',
  },
  entity_parse_failed: {
    status: 400,
    message: 'The body is not JSON.',
    remedy: 'Send JSON with Content-Type: application/json.',
  },
  request_aborted: {
    status: 400,
    message: 'The connection ended before the body did.',
    remedy: 'Send it again.',
  },
  request_size_invalid: {
    status: 400,
    message: 'The body is not as long as Content-Length says.',
    remedy: 'Let the HTTP client set Content-Length.',
  },
  unauthorized: {
    status: 401,
    message: 'The API key is missing or wrong.',
    remedy: 'Send it as "Authorization: Bearer <API_KEY>".',
  },
  payment_declined: {
    status: 402,
    message:
      'The card was declined; the message is the card company’s reason where there is one (§2.4, fail_reason).',
    remedy: 'Ask for another card; the order can be charged again.',
  },
  payment_refused: {
    status: 402,
    message: 'The payment service refused the payment; the message is its own.',
    remedy: 'Read the message; the order can be charged again.',
  },
  foreign_billing_key: {
    status: 403,
    message: 'The billing key belongs to another member than the order.',
    remedy: 'Charge with a key of the order’s member.',
  },
  not_found: {
    status: 404,
    message: 'There is no such route.',
    remedy: 'See /openapi.json for those that exist.',
  },
  order_not_found: {
    status: 404,
    message: 'No order has this merchant_uid.',
    remedy: 'Register it with POST /api/orders.',
  },
  subscription_not_found: {
    status: 404,
    message: 'No subscription has this id.',
    remedy: 'Create it with POST /api/subscriptions.',
  },
  event_not_found: {
    status: 404,
    message: 'No event has this id.',
    remedy: 'See GET /api/events for those that there are.',
  },
  payment_not_found: {
    status: 404,
    message: 'No verified payment has this svc_uid.',
    remedy: 'See GET /api/notifications and GET /api/discrepancies for what arrived and did not fit.',
  },
  billing_key_not_found: {
    status: 404,
    message: 'Neither the payment service nor we know this customer_uid.',
    remedy: 'Check the customer_uid.',
  },
  service_not_found: {
    status: 404,
    message: 'The payment service knows nothing under this identifier; the message is its own.',
    remedy: 'Check the identifier.',
  },
  order_not_closable: {
    status: 409,
    message: 'There is money for the order, or it is on its way.',
    remedy: 'See GET /api/orders/{merchant_uid}; give the money back, or revoke what is scheduled, instead.',
  },
  order_conflict: {
    status: 409,
    message: 'The merchant_uid is registered with another amount, currency or member.',
    remedy: 'Take a new merchant_uid for another order.',
  },
  subscription_conflict: {
    status: 409,
    message: 'The subscription_id stands for a subscription with other content.',
    remedy: 'Take a new subscription_id for another subscription; cancel the old one if it is replaced.',
  },
  order_not_payable: {
    status: 409,
    message: 'The order is paid, awaits its deposit, or was cancelled.',
    remedy: 'Read the order: only one that is open or failed can be charged.',
  },
  order_scheduled: {
    status: 409,
    message: 'A payment of this order is scheduled.',
    remedy: 'Revoke the schedule first.',
  },
  charge_pending: {
    status: 409,
    message: 'The outcome of a charge of this order is not known yet.',
    remedy: 'Wait and read the order again: the payment service is being asked.',
  },
  charge_needs_review: {
    status: 409,
    message: 'A charge led to a payment that does not fit its order.',
    remedy: 'See GET /api/discrepancies; a person has to decide.',
  },
  billing_key_not_active: {
    status: 409,
    message: 'The billing key cannot pay now: it is pending, failed, removed, or needs review.',
    remedy: 'See GET /api/billing-keys; use another key.',
  },
  customer_uid_in_use: {
    status: 409,
    message: 'The customer_uid has a billing key, or one is being issued.',
    remedy: 'Take a new customer_uid for another card (§1).',
  },
  nothing_revoked: {
    status: 409,
    message: 'The payment service revoked nothing; the message is its own.',
    remedy: 'See GET /api/schedules: executed and revoked schedules stay as they are.',
  },
  nothing_to_cancel: {
    status: 409,
    message: 'The payment holds no money.',
    remedy: 'Read the payment: it was never paid, or was refunded already.',
  },
  balance_differs: {
    status: 409,
    message: 'The payment holds another balance than the checksum says.',
    remedy: 'Read the payment: a part of it was refunded before.',
  },
  amount_exceeds_balance: {
    status: 409,
    message: 'The refund is larger than what the payment holds.',
    remedy: 'Refund what is left, or less.',
  },
  refund_pending: {
    status: 409,
    message: 'The outcome of a refund of this payment is not known yet.',
    remedy: 'Wait and read the payment again: the payment service is being asked.',
  },
  refund_needs_review: {
    status: 409,
    message: 'The payment shows another cancelled amount than was asked for.',
    remedy: 'Compare the payment with the refund; a person has to decide.',
  },
  entity_too_large: {
    status: 413,
    message: 'The body is larger than 64 kB.',
    remedy: 'Send less at a time.',
  },
  encoding_unsupported: {
    status: 415,
    message: 'The body is compressed.',
    remedy: 'Send it without Content-Encoding.',
  },
  charset_unsupported: {
    status: 415,
    message: 'The body is not in UTF-8.',
    remedy: 'Send UTF-8.',
  },
  internal_error: {
    status: 500,
    message: 'Internal error.',
    remedy: 'Report it with the request id; the log has the details.',
  },
  service_unauthorized: {
    status: 502,
    message:
      'The payment service refused our own credentials, also with a fresh token (§5.4); the message is its own.',
    remedy: 'Check SERVICE_KEY and SERVICE_SECRET; npm run doctor says more. Your API key is fine.',
  },
  service_bad_answer: {
    status: 502,
    message: 'Invalid response from the payment service.',
    remedy: 'Try again later; the log says what was invalid.',
  },
  service_unavailable: {
    status: 503,
    retryAfterSeconds: 10,
    message: 'The payment service does not answer, or asks for a pause. Nothing was done.',
    remedy: 'Try again after Retry-After seconds.',
  },
  database_unavailable: {
    status: 503,
    retryAfterSeconds: 5,
    message: 'The database does not answer.',
    remedy: 'Try again after Retry-After seconds.',
  },
} as const satisfies Record<string, ErrorFacts>;

/** Errors of the pages. The page's text depends on the status alone (locales); the code is for the log. */
export const PAGE_ERRORS = {
  foreign_host: {
    status: 400,
    message: 'This host name is not served here.',
    remedy: 'Open the page under PUBLIC_URL.',
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
  form_expired: { status: 410, message: 'The form has expired.', remedy: 'Open a new form.' },
  unsupported_type: {
    status: 415,
    message: 'The form is sent as application/x-www-form-urlencoded.',
    remedy: 'Send it with that content type.',
  },
  cannot_remove_now: {
    status: 503,
    message: 'The payment service did not delete the key.',
    remedy: 'Try again later.',
  },
} as const satisfies Record<string, ErrorFacts>;

export type ApiErrorCode = keyof typeof API_ERRORS;
export type ErrorCode = ApiErrorCode | keyof typeof PAGE_ERRORS;

export const ERRORS: Record<ErrorCode, ErrorFacts> = { ...API_ERRORS, ...PAGE_ERRORS };
