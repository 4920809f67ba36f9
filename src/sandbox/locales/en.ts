// The texts of the sandbox's pages in English.

import { consoleEn } from './console-en';
import type { Locale } from './ko';
import { landingEn } from './landing-en';
import { storiesEn } from './stories-en';
import { windowEn } from './window-en';

export const en: Locale = {
  lang: 'en',
  languageName: 'English',
  layout: {
    sandbox: 'This is a sandbox. No money moves.',
    skip: 'Skip to content',
    language: 'Language',
    errorPrefix: 'Error: ',
    footer: 'Never enter a real card number here. Times are in KST (Seoul).',
    console: 'Sandbox console',
  },
  clock: {
    ahead: (span) => `${span} ahead`,
    behind: (span) => `${span} behind`,
    shopTime: (date, distance) => `Shop time ${date} (${distance})`,
    sandboxTime: (date, distance) => `Sandbox time ${date} (${distance}, sandbox only)`,
    reset: 'Reset',
  },
  address: {
    moved: (now, usual) => `Notifications do not reach the shop at ${usual}: they go to ${now}.`,
    off: (usual) => `Notifications do not reach the shop at ${usual}: they are turned off.`,
    restore: 'Send them to the shop',
  },
  notFound: {
    title: 'Page not found',
    text: 'The address is wrong, or the sandbox was reset since.',
  },
  console: consoleEn,
  landing: landingEn,
  stories: storiesEn,
  window: windowEn,
};
