// Every error that leaves this server: its code, HTTP status, text and remedy. `new HttpError(code)` looks them up here;
// docs/api-errors.md and /openapi.json are made from the same table, and tests hold them to it.

import { PAGE_ERRORS, type ErrorFacts } from './page-error-codes';

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
  discrepancy_not_found: {
    status: 404,
    message: 'There is no discrepancy with this id.',
    remedy: 'See GET /api/discrepancies.',
  },
  charge_not_found: {
    status: 404,
    message: 'There is no charge with this id.',
    remedy: 'See GET /api/charges.',
  },
  refund_not_found: {
    status: 404,
    message: 'There is no refund with this id.',
    remedy: 'See GET /api/refunds.',
  },
  issuance_not_found: {
    status: 404,
    message: 'There is no issuance with this id.',
    remedy: 'See GET /api/issuances.',
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
    message: 'The order is paid, was cancelled, or is closed.',
    remedy: 'Read the order: only one that is open, failed or awaits a deposit can be charged.',
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
    remedy: 'See GET /api/discrepancies; a person decides with POST /api/charges/{id}/settle.',
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
    remedy: 'Compare the payment with the refund; a person decides with POST /api/refunds/{id}/settle.',
  },
  already_settled: {
    status: 409,
    message: 'It is settled already: by another person, by a poll, or by a payment that fits.',
    remedy: 'Read it again in its list: who, when and why stand there.',
  },
  attempt_pending: {
    status: 409,
    message: 'Its outcome is being found out.',
    remedy: 'Wait a minute and read it again in its list.',
  },
  service_contradicts: {
    status: 409,
    message: 'What the payment service shows contradicts this decision; the message says what it shows.',
    remedy: 'Compare it with the service’s own console, and decide by what is true. See docs/runbook.md.',
  },
  discrepancy_not_refundable: {
    status: 409,
    message: 'A discrepancy of this kind names no money that could go back.',
    remedy: 'Settle it with POST /api/discrepancies/{id}/resolve.',
  },
  payment_pays_order: {
    status: 409,
    message: 'The payment pays for an order: it is not given back as a discrepancy. Nothing was sent.',
    remedy: 'Read the order. To give it back all the same: POST /api/payments/{svc_uid}/cancel.',
  },
  payment_not_judged: {
    status: 409,
    message:
      'What the payment service shows of the payment cannot be judged now, so it may pay for an order. Nothing was sent.',
    remedy: 'Try again later; where a needs_review discrepancy names the payment, refund that one.',
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
  too_many_wrong_keys: {
    status: 429,
    message: 'Too many calls with a wrong API key came from this network.',
    remedy: 'Correct the key and call again: the right one is never refused.',
    retryAfterSeconds: 60,
  },
  card_tried_too_often: {
    status: 429,
    // Another one may be said: the rest of the 24 hours.
    retryAfterSeconds: 3600,
    message: 'This card was tried too often in 24 hours, here or with the card form. Nothing was sent.',
    remedy: 'Ask for another card, or try again after Retry-After seconds.',
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

export type ApiErrorCode = keyof typeof API_ERRORS;
export type ErrorCode = ApiErrorCode | keyof typeof PAGE_ERRORS;

export const ERRORS: Record<ErrorCode, ErrorFacts> = { ...API_ERRORS, ...PAGE_ERRORS };
