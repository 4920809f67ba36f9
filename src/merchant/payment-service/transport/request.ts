// Validates requests to the service. Each value is checked by its name, in a path, a query or a body. A malformed one
// throws before anything is sent, so that no id can change the path and no amount can mean something else.

import { isCustomerUid, isMerchantUid, isSvcUid } from '../identifiers';
import { PAYMENT_STATUSES } from '../records/payment-record';
import { ServiceError } from '../records/service-error';

/** For errors and reports: the path as a template, never filled in. */
export type Endpoint = { method: string; path: string };

export type ServiceRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  /** With the document's placeholders, such as "/payments/{svc_uid}". */
  path: string;
  ids?: Record<string, string>;
  query?: Record<string, string | number | readonly string[] | undefined>;
  body?: object;
  /** Lists may be larger than other responses. */
  list?: boolean;
  /** Values of the body that must not appear in the service's message. */
  secrets?: readonly string[];
  /**
   * The channel, if the method does not decide it: for a POST that moves no money and can wait like a query, a query that
   * the next operation depends on, or a query that only a page's visitor needs.
   */
  channel?: 'queries' | 'writes' | 'visitors';
};

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isPositive = (value: unknown) => isCount(value) && value !== 0;
const STATUSES = new Set<unknown>(['all', ...PAYMENT_STATUSES]);
const isStatus = (value: unknown) => STATUSES.has(value);

const CHECKS = new Map<string, (value: unknown) => boolean>([
  ['svc_uid', isSvcUid],
  ['merchant_uid', isMerchantUid],
  ['payment_id', isMerchantUid],
  ['customer_uid', isCustomerUid],
  ['payment_status', isStatus],
  // In a request, a cancellation of 0 means all of it, so 0 is never allowed.
  ['amount', isPositive],
  ['checksum', isCount],
  ['tax_free', isCount],
  ['card_quota', isCount],
  ['schedule_at', isPositive],
  ['schedule_from', isCount],
  ['schedule_to', isCount],
  ['from', isCount],
  ['to', isCount],
  ['page', isPositive],
  ['limit', isPositive],
]);

/**
 * Returns the path with its identifiers filled in.
 * @throws ServiceError `refused` if an identifier, the query or the body has a malformed value
 */
export function checkRequest(request: ServiceRequest): string {
  if (request.query) checkValues(request, request.query);
  if (request.body) checkValues(request, request.body);
  return fillPath(request, request.ids);
}

/** Throws if a known name, at any depth of a query or body, has an invalid value. */
export function checkValues(endpoint: Endpoint, values: object): void {
  for (const [name, value] of Object.entries(values)) {
    for (const item of (Array.isArray(value) ? value : [value]) as unknown[]) {
      if (item === undefined) continue;
      if (CHECKS.get(name)?.(item) === false) throw malformed(endpoint, name);
      if (typeof item === 'object' && item !== null) checkValues(endpoint, item);
    }
  }
}

/** Fills the identifiers into a path such as "/payments/{svc_uid}". */
export function fillPath(endpoint: Endpoint, ids: Record<string, string> = {}): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!CHECKS.get(name)?.(ids[name])) throw malformed(endpoint, name);
    return encodeURIComponent(ids[name] ?? '');
  });
}

function malformed({ method, path }: Endpoint, name: string): ServiceError {
  return new ServiceError({ kind: 'refused', method, path, detail: `malformed ${name}, nothing was sent` });
}
