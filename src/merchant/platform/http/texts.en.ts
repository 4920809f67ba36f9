// English texts common to all pages.

import type { errorsKo, ko } from './texts.ko';

export const en: typeof ko = {
  lang: 'en',
  languageName: 'English',
  layout: {
    service: 'Payment methods',
    description: 'Register a card once and use it for your payments.',
    skip: 'Skip to content',
    language: 'Language',
    errorPrefix: 'Error: ',
    sandbox: 'This is a sandbox. No real card is registered and no money moves.',
    footer: 'Card details are passed on to the payment service and are not stored here.',
    terms: 'Terms of use',
    privacy: 'Privacy policy',
  },
  refresh: {
    after: 'This page checks again in {seconds} seconds.',
    stop: 'Stop auto-refresh',
    again: 'Refresh now',
  },
  copy: { copy: 'Copy', copied: 'Copied' },
  reference: 'Request ID, for when you contact us:',
  backToForm: 'Add a card',
  backToCards: 'Your cards',
  backToShop: 'Go back to where you came from',
};

export const errorsEn: typeof errorsKo = {
  errors: {
    foreign_host: {
      title: 'This page cannot be opened under this address',
      text: 'The server does not accept this host name.',
      next: 'Use the address that you were given.',
    },
    return_url_refused: {
      title: 'The address to return to cannot be used',
      text: 'The link names a place to return to that is not allowed, so this request was not processed.',
      next: 'Go back to the shop and start again. If it happens again, please tell the shop.',
    },
    cross_site: {
      title: 'This request comes from another site',
      text: 'For your security, we accept requests from our own pages only. Nothing was changed.',
      next: 'Open the form again and retry.',
    },
    method_not_allowed: {
      title: 'This page cannot be opened this way',
      text: 'This address does not accept such a request. Nothing was changed.',
      next: 'Start again from your cards.',
    },
    secret_in_query: {
      title: 'Card details do not belong in an address',
      text: 'Addresses are kept in many places, so we have not read the card details in this one.',
      next: 'Open the form again and type the card details there.',
    },
    precondition_failed: {
      title: 'The file has changed',
      text: 'The file is a different version from the one requested.',
      next: 'Load the page again.',
    },
    parameters_too_many: {
      title: 'Too many fields',
      text: 'The request has more fields than this form. None was read.',
      next: 'Open the form again and fill it in once more.',
    },
    unsupported_type: {
      title: 'This format cannot be read',
      text: 'It is not the format in which a browser submits a form. Nothing was read.',
      next: 'Open the form again and submit it from there.',
    },
    not_found: {
      title: 'This page does not exist',
      text: 'The address is wrong, or the page no longer exists.',
      next: 'Check the address, or start again from your cards.',
    },
    malformed_path: {
      title: 'The address cannot be read',
      text: 'It has characters that cannot be read.',
      next: 'Check the address, or start again from your cards.',
    },
    invalid_json: {
      title: 'The request cannot be read',
      text: 'The request is damaged, so nothing was done.',
      next: 'Open the form again and submit it once more.',
    },
    entity_too_large: {
      title: 'The request is too large',
      text: 'The request is larger than this form allows, so it was not read.',
      next: 'Open the form again and fill it in once more.',
    },
    encoding_unsupported: {
      title: 'Compressed content is not accepted',
      text: 'The request is compressed, so nothing was read.',
      next: 'Open the form again and submit it from there.',
    },
    charset_unsupported: {
      title: 'This character encoding cannot be read',
      text: 'The request is not UTF-8, so nothing was read.',
      next: 'Open the form again and submit it from there.',
    },
    request_aborted: {
      title: 'The connection was interrupted',
      text: 'The request ended before it was complete, so nothing was done.',
      next: 'Check your connection, open the form again and submit it once more.',
    },
    request_size_invalid: {
      title: 'The request has a wrong length',
      text: 'Its length is not the one that it declares, so nothing was done.',
      next: 'Open the form again and submit it once more.',
    },
    internal_error: {
      title: 'Something went wrong',
      text: 'This is our error, and we will look into it.',
      next: 'Check your cards for the current status, and try again in a moment.',
    },
    service_unavailable: {
      title: 'The payment service is not available now',
      text: 'We got no answer from the payment service that we can use.',
      next: 'Check your cards for the current status, and try again in a moment.',
    },
    database_unavailable: {
      title: 'This page is not available now',
      text: 'This is an error on our side.',
      next: 'Please try again in a moment.',
    },
    value_refused: {
      title: 'This cannot be saved',
      text: 'We could not save a value of this request, and another try would end in the same way.',
      next: 'Check your cards for the current status, and contact us.',
    },
  },
};
