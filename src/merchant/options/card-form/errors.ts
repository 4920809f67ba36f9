// Errors of the card form, and of key-in payments.

import { defineErrors } from '../../platform/errors';

export const cardFormErrors = defineErrors({
  form_in_use: {
    status: 409,
    message: 'This form was sent before.',
    remedy: 'See the list of your cards.',
    page: { toForm: false },
  },
  key_in_use: {
    status: 409,
    message: 'A card is being registered under this key.',
    remedy: 'Wait until the list shows its outcome.',
    page: { toForm: false },
  },
  customer_uid_in_use: {
    status: 409,
    message: 'The customer_uid has a billing key already, or one is being issued.',
    remedy: 'Use a new customer_uid for another card (§1).',
  },
  card_tried_too_often: {
    status: 429,
    // The default; the answer can have the rest of the 24 hours instead.
    retryAfterSeconds: 3600,
    message: 'This card was tried too often in 24 hours, here or with the card form. Nothing was sent.',
    remedy: 'Ask for another card, or try again after Retry-After seconds.',
  },
});
