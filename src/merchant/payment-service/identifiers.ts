// The identifiers that are allowed in a path or a query. Only a positive pattern is safe: `encodeURIComponent('..')` is
// still `..`, and "/payments/.." is another path. The length limits are above the lengths seen in practice.

const SVC_UID = /^[A-Za-z0-9_-]{1,64}$/;
const MERCHANT_UID = /^(?!\.+$)[A-Za-z0-9_.-]{1,64}$/;
const CUSTOMER_UID = /^[A-Za-z0-9_-]{1,80}$/;

/** svc_uid, and tx_id of the newer generation. */
export function isSvcUid(value: unknown): value is string {
  return typeof value === 'string' && SVC_UID.test(value);
}

/** merchant_uid, and payment_id of the newer generation: dots are allowed, but not only dots. */
export function isMerchantUid(value: unknown): value is string {
  return typeof value === 'string' && MERCHANT_UID.test(value);
}

export function isCustomerUid(value: unknown): value is string {
  return typeof value === 'string' && CUSTOMER_UID.test(value);
}

/**
 * A payment gateway (§2.2, `pg`): a provider of at most 16 characters, optionally with the merchant's id there, at most
 * 80.
 */
export const PG = /^[a-z0-9_]{1,16}(\.[\w-]{1,80})?$/;

/** The source address of the service's test button (§6.3). */
export const TEST_BUTTON_ADDRESS = '52.78.5.241';

/** The service's static source addresses (§6.3). */
export const DOCUMENTED_SOURCE_ADDRESSES = ['52.78.100.19', '52.78.48.223', TEST_BUTTON_ADDRESS] as const;
