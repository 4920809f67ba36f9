// Every sentence of the sandbox's pages in English.

import type { Locale } from './ko';
import { windowEn } from './window-en';

export const en: Locale = {
  lang: 'en',
  languageName: 'English',
  layout: {
    sandbox: 'This is a sandbox. No money moves.',
    skip: 'Skip to content',
    language: 'Language',
    errorPrefix: 'Error: ',
    footer: 'Never type a real card number anywhere here.',
    console: 'Sandbox console',
  },
  window: windowEn,
};
