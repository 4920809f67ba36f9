// What every page says in English.

import type { ko } from './texts.ko';

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
