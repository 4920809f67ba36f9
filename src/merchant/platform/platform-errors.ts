// Errors common to any server, and errors of the payment service that reach a client. A feature defines its own in
// `feature.ts`.

import { defineErrors, HttpError } from './errors';

export const platformErrors = defineErrors({
  invalid_request: {
    status: 400,
    message:
      'A field of the body or the query is missing, unknown or not as described; the message names it.',
    remedy: 'Correct the request. Nothing was sent to the payment service.',
  },
  value_refused: {
    status: 400,
    message: 'The database refuses a value that this request would store, and will refuse it again.',
    remedy:
      'Use other characters or another number. Read what is stored first: a part of the request may have been done.',
    page: { toForm: false },
  },
  page_out_of_range: {
    status: 400,
    message: 'The page lies outside the data range (§4.5).',
    remedy: 'Stop paging: the page before was the last.',
  },
  service_refused: {
    status: 400,
    message: 'The payment service refused the request; the message is from the service.',
    remedy: 'Read the message; the same request will be refused again.',
  },
  malformed_path: {
    status: 400,
    message: 'The path cannot be percent-decoded.',
    remedy: 'Percent-encode identifiers in a path.',
    page: { toForm: false },
  },
  invalid_json: {
    status: 400,
    message: 'The body is not JSON.',
    remedy: 'Send JSON with Content-Type: application/json.',
    page: { toForm: true },
  },
  request_aborted: {
    status: 400,
    message: 'The connection ended before the end of the body.',
    remedy: 'Send it again.',
    page: { toForm: true },
  },
  request_size_invalid: {
    status: 400,
    message: 'The length of the body differs from Content-Length.',
    remedy: 'Let the HTTP client set Content-Length.',
    page: { toForm: true },
  },
  unauthorized: {
    status: 401,
    message: 'The API key is missing or wrong.',
    remedy: 'Send it as "Authorization: Bearer <API_KEY>".',
  },
  scope_missing: {
    status: 403,
    message: 'The API key lacks the scope of this route; the message names it.',
    remedy: 'Use a key with this scope. A key keeps the scopes that it was made with.',
  },
  not_found: {
    status: 404,
    message: 'There is no such route.',
    remedy: 'Compare method and path with the description of the API.',
    page: { toForm: false },
  },
  service_not_found: {
    status: 404,
    message: 'The payment service does not know this identifier; the message is from the service.',
    remedy: 'Check the identifier.',
  },
  entity_too_large: {
    status: 413,
    message: 'The body is larger than 64 kB.',
    remedy: 'Send a smaller body.',
    page: { toForm: true },
  },
  encoding_unsupported: {
    status: 415,
    message: 'The body is compressed.',
    remedy: 'Send it without Content-Encoding.',
    page: { toForm: true },
  },
  charset_unsupported: {
    status: 415,
    message: 'The body is not in UTF-8.',
    remedy: 'Send UTF-8.',
    page: { toForm: true },
  },
  too_many_wrong_keys: {
    status: 429,
    message: 'Too many calls with a wrong API key came from this network.',
    remedy: 'Correct the key and call again: the right key is never refused.',
    retryAfterSeconds: 60,
  },
  internal_error: {
    status: 500,
    message: 'Internal error.',
    remedy: 'Report it with the request id; the log has the details.',
    page: { toForm: false },
  },
  service_unauthorized: {
    status: 502,
    message:
      'The payment service refused our own credentials, also with a new token (§5.4); the message is from the service.',
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
    message: 'The payment service gives no answer that can be used, or asks for a pause. No money was moved.',
    remedy: 'Try again after Retry-After seconds.',
    page: { toForm: false },
  },
  database_unavailable: {
    status: 503,
    retryAfterSeconds: 5,
    message: 'The database cannot be used now; the log has the reason.',
    remedy: 'Try again after Retry-After seconds.',
    page: { toForm: false },
  },
  foreign_host: {
    status: 400,
    message: 'This host name is not served here.',
    remedy: 'Open the page under PUBLIC_URL.',
    page: { toForm: false },
  },
  return_url_refused: {
    status: 400,
    message: 'The return_url is neither a path of this host nor at an origin of RETURN_URLS.',
    remedy: 'Send a path, or list the origin in RETURN_URLS.',
    page: { toForm: false },
  },
  cross_site: {
    status: 403,
    message: 'This request comes from another site.',
    remedy: 'Open the form here.',
    page: { toForm: true },
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method.',
    remedy: 'Use a method of the Allow header.',
    page: { toForm: false },
  },
  secret_in_query: {
    status: 405,
    message: 'Card data must not be in a URL.',
    remedy: 'Send it in the body of a POST.',
    page: { toForm: true },
  },
  precondition_failed: {
    status: 412,
    message: 'The file is not the version that the request requires.',
    remedy: 'Ask without If-Match and If-Unmodified-Since.',
    page: { toForm: false },
  },
  parameters_too_many: {
    status: 413,
    message: 'The form has too many fields.',
    remedy: 'Send only the fields of the form.',
    page: { toForm: true },
  },
  unsupported_type: {
    status: 415,
    message: 'The body is in a format that is not read here.',
    remedy:
      'Send JSON with Content-Type: application/json; a form of a page as application/x-www-form-urlencoded.',
    page: { toForm: true },
  },
});

/** An `invalid_request` that names the field. */
export class FieldError extends HttpError {
  /**
   * @param param the first field that is wrong, dotted: "buyer.email", "schedules.0.amount"; null if it is the body
   * @param problem continues a sentence that begins with the field's name, and repeats no value
   * @param message replaces "param: problem", if several fields are wrong
   */
  constructor(
    readonly param: string | null,
    problem: string,
    message = `${param ?? 'body'}: ${problem}`,
  ) {
    super(platformErrors.invalid_request, message);
  }
}
