// Errors of the card pages.

import { defineErrors } from '../../platform/errors';

export const cardErrors = defineErrors({
  forged_form: {
    status: 403,
    message: 'This form was not made for this member.',
    remedy: 'Open a new form.',
    page: { toForm: true },
  },
  card_of_another_member: {
    status: 403,
    message: 'This card belongs to another member.',
    remedy: 'Open the list of your own cards.',
    page: { toForm: false },
  },
  billing_key_in_use: {
    status: 409,
    message: 'A registration of a card under this customer_uid is not finished, or the key has just changed.',
    remedy: 'Wait a minute and try again.',
  },
  billing_key_not_removed: {
    status: 503,
    message: 'The payment service has not confirmed that the billing key is deleted.',
    remedy: 'Try again later: nothing is deleted twice.',
    retryAfterSeconds: 30,
  },
  billing_key_of_member: {
    status: 409,
    message: 'The billing key belongs to a member.',
    remedy: 'Resolve the discrepancy, or remove the key with DELETE /api/billing-keys/{customer_uid}.',
  },
  discrepancy_without_key: {
    status: 409,
    message: 'The discrepancy is not about an unknown billing key.',
    remedy: 'Use POST /api/discrepancies/{id}/resolve.',
  },
  no_such_card: {
    status: 404,
    message: 'There is no such card.',
    remedy: 'Open the list of your cards.',
    page: { toForm: false },
  },
});
