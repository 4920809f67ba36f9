// What `npm run proof -- mutations` changes, and the tests that must notice.

const RECORDS = ['merchant/payment-service/records/payment-record', 'properties/bodies'];
/** Files below `src/merchant`, with the tests below `test` that must detect mutations. */
export const MUTATED: Record<string, readonly string[]> = {
  // Verification of payments.
  'core/payments/judge-payment.ts': [
    'merchant/core/payments/judge-payment',
    'merchant/core/payments/recorded-payments',
    'properties/judgement',
    'properties/books',
  ],
  'core/payments/order-status.ts': ['merchant/core/payments/order-status', 'properties/books'],
  // Who may send a notification.
  'platform/address-list.ts': ['merchant/platform/address-list', 'properties/addresses'],
  'platform/http/source-address.ts': ['merchant/platform/http/source-address', 'properties/addresses'],
  'core/webhooks/judge-source.ts': ['merchant/core/webhooks/judge-source'],
  // Masking.
  'platform/http/mask-card-numbers.ts': ['merchant/platform/http/mask-card-numbers', 'properties/masks'],
  'payment-service/records/clean-text.ts': ['merchant/payment-service/clean-text', 'properties/masks'],
  // Input from outside.
  'payment-service/identifiers.ts': ['merchant/payment-service/identifiers', 'properties/requests'],
  'options/card-form/card-input.ts': [
    'merchant/options/card-form/card-input',
    'properties/card-form/card-form',
  ],
  'core/webhooks/parse-notification.ts': ['merchant/core/webhooks/parse-notification', 'properties/bodies'],
  // Money in the records of the service.
  'payment-service/records/record-fields.ts': [...RECORDS, 'merchant/payment-service/newer-generation'],
  'payment-service/records/payment-record.ts': RECORDS,
  'payment-service/newer-generation.ts': [
    'merchant/payment-service/newer-generation',
    'merchant/payment-service/operations',
  ],
  // Address and token of a call.
  'payment-service/transport/request.ts': [
    'merchant/payment-service/request',
    'merchant/payment-service/identifiers',
    'properties/requests',
  ],
  'payment-service/transport/access-token.ts': [
    'merchant/payment-service/access-token',
    'merchant/payment-service/sign-in',
    'properties/access-token',
  ],
};
