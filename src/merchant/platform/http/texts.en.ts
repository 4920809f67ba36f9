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
    cards: 'Your cards',
  },
  refresh: {
    after: 'This page checks again in {seconds} seconds.',
    stop: 'Do not check by itself',
    again: 'Check again now',
  },
  reference: 'Reference to give when you contact us:',
  backToForm: 'Add a card',
  backToCards: 'Your cards',
  backToShop: 'Go back to where you came from',
};

export const errorsEn: typeof errorsKo = {
  errors: {
    foreign_host: {
      title: 'It cannot be opened under this address',
      text: 'This server is not known by that name.',
      next: 'Open it under the address that you were given.',
    },
    return_url_refused: {
      title: 'The address to return to cannot be used',
      text: 'The link names a place to return to that is not allowed. Nothing was registered.',
      next: 'Go back to the shop and start again. If it happens again, please tell the shop.',
    },
    cross_site: {
      title: 'This request comes from another site',
      text: 'To be safe, we take requests from our own pages only. Nothing was changed.',
      next: 'Open the form again and retry.',
    },
    method_not_allowed: {
      title: 'It cannot be opened this way',
      text: 'This address does not take such a request. Nothing was changed.',
      next: 'Start again from your cards.',
    },
    secret_in_query: {
      title: 'Card details do not belong in an address',
      text: 'Addresses are kept in many places, so we have not read the card details in this one.',
      next: 'Open the form again and type the card details there.',
    },
    precondition_failed: {
      title: 'The file has changed',
      text: 'It is another version than the one that was asked for.',
      next: 'Load the page again.',
    },
    parameters_too_many: {
      title: 'There are too many fields',
      text: 'More fields came than this form has. None was read.',
      next: 'Open the form again and fill it in anew.',
    },
    unsupported_type: {
      title: 'This format cannot be read',
      text: 'It is not the one in which a browser sends a form. Nothing was read.',
      next: 'Open the form again and send it from there.',
    },
    not_found: {
      title: 'There is no such page',
      text: 'The address is not right, or the page is gone.',
      next: 'Check the address, or start again from your cards.',
    },
    malformed_path: {
      title: 'The address cannot be read',
      text: 'It has characters that cannot be read.',
      next: 'Check the address, or start again from your cards.',
    },
    entity_parse_failed: {
      title: 'What was sent cannot be read',
      text: 'It is damaged, so nothing was done.',
      next: 'Open the form again and send it anew.',
    },
    entity_too_large: {
      title: 'What was sent is too large',
      text: 'It is more than this form can hold, so it was not read.',
      next: 'Open the form again and fill it in anew.',
    },
    encoding_unsupported: {
      title: 'Compressed content is not taken',
      text: 'We do not unpack it, so nothing was read.',
      next: 'Open the form again and send it from there.',
    },
    charset_unsupported: {
      title: 'This character encoding cannot be read',
      text: 'It is not UTF-8, so nothing was read.',
      next: 'Open the form again and send it from there.',
    },
    request_aborted: {
      title: 'The connection broke while it was sent',
      text: 'It ended before everything had come, so nothing was done.',
      next: 'Check the connection, open the form again and send it anew.',
    },
    request_size_invalid: {
      title: 'The length of what was sent is wrong',
      text: 'It is not as long as it says, so nothing was done.',
      next: 'Open the form again and send it anew.',
    },
    internal_error: {
      title: 'Something went wrong',
      text: 'It is our fault, and we will look into it.',
      next: 'See among your cards how things stand, and try again in a moment.',
    },
    service_unavailable: {
      title: 'The payment service does not answer',
      text: 'We cannot get an answer from the payment service now.',
      next: 'See among your cards how things stand, and try again in a moment.',
    },
    database_unavailable: {
      title: 'The page cannot be opened now',
      text: 'Our storage does not answer. No card details were sent on.',
      next: 'Please try again in a moment.',
    },
  },
};
