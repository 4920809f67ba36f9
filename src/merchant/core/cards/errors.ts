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
  no_such_card: {
    status: 404,
    message: 'There is no such card.',
    remedy: 'Open the list of your cards.',
    page: { toForm: false },
  },
});
