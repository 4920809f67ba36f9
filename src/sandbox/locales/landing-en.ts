// The landing page and the page for those who begin, in English.

import type { landingKo } from './landing-ko';

export const landingEn: typeof landingKo = {
  title: 'Sandbox of the payment service',
  description:
    'The payment service on your own machine: billing keys, payments, schedules and notifications as its document describes them.',
  lead: 'The whole document of the payment service, on your own machine. A merchant in any language can call it in place of the real service.',
  is: 'What it is',
  isList: [
    'Tokens, billing keys, payments, cancellations, schedules and notifications of both generations, at the paths of the document.',
    'It lets a deposit come late, a notification or an answer get lost, and an amount be forged.',
    'Its clock jumps, so that nobody waits for a schedule or for a notification that is sent again.',
  ],
  isNot: 'What it is not',
  isNotList: [
    'No money moves. Never type a real card number.',
    'It is not the real service. What the document leaves open is our choice, and is written down as such.',
    'It is no part of a deployment. It has no password, and listens on this machine only.',
  ],
  where: 'Where to go',
  places: {
    console: { title: 'Console', text: 'Make payments happen, and see what came of them.' },
    stories: { title: 'Stories', text: 'Six ways in which a payment goes wrong.' },
    window: { title: 'Payment window', text: 'Be the buyer, and choose how the payment ends.' },
    start: { title: 'Start here', text: 'With Spring, Django or Go: ten lines of curl.' },
  },
  start: {
    title: 'Start in any language',
    lead: 'Start the sandbox alone, and say which address your server calls and where it takes notifications.',
    alone: 'The sandbox alone',
    settings: 'Variables of the environment',
    name: 'Name',
    usual: 'Default',
    meaning: 'Meaning',
    none: 'none',
    calls: 'Ten lines of curl',
    callsLead: 'They can be run as they stand, one after the other.',
    callNames: {
      token: 'Get a token (§4.1)',
      address: 'Say where you take notifications',
      pay: 'A member pays in the payment window',
      look: 'Ask the service for the payment (§4.9)',
      key: 'Issue a billing key (§4.2)',
      charge: 'Pay with the billing key (§4.9)',
      schedule: 'Plan a payment in ten minutes (§4.9)',
      clock: 'Move the clock by ten minutes',
      fault: 'Let the answer to the next look get lost',
      notifications: 'See what was sent, and what your server answered',
    },
    environment: {
      SANDBOX_PORT: 'Port that it listens on',
      SANDBOX_HOST: 'Address that it listens on, of this machine only',
      SANDBOX_IN_CONTAINER: 'Set by the image: it may then listen on other addresses, too',
      SANDBOX_DATA_DIR: 'Folder that keeps the state; without it the state is in memory only',
      SANDBOX_WEBHOOK_URL: 'Address of notifications at the beginning',
      SANDBOX_MERCHANT_API_KEY:
        'API key of the merchant, with which the console registers orders; sent to the server of the notification address only',
      SERVICE_KEY: 'The svc_key that is accepted',
      SERVICE_SECRET: 'The svc_secret that is accepted',
      SERVICE_API_KEY: 'The API key of the newer generation',
      SERVICE_NAME_PREFIX: 'Beginning of field names: with abc, svc_uid is abc_uid',
      LOG_LEVEL: 'Level of the log',
    },
  },
};
