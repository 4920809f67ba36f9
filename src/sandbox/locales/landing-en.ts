// The landing page and the getting-started page in English.

import type { landingKo } from './landing-ko';

export const landingEn: typeof landingKo = {
  title: 'Sandbox of the payment service',
  description:
    'The payment service on your own machine: billing keys, payments, schedules and notifications as its document describes them.',
  lead: 'The whole document of the payment service, on your own machine. A merchant in any language can call it in place of the real service.',
  is: 'What it is',
  isList: [
    'Tokens, billing keys, payments, cancellations, schedules and notifications of both generations, at the paths of the document.',
    'It can delay a deposit, lose a notification or a response, and forge an amount.',
    'Its clock can be moved forward, so you do not have to wait for schedules and resends.',
  ],
  isNot: 'What it is not',
  isNotList: [
    'No money moves. Never enter a real card number.',
    'It is not the real service. Where the document leaves something open, we chose, and the choice is documented.',
    'It is not part of a deployment. It has no password, and listens on this machine only.',
  ],
  where: 'Where to go',
  places: {
    console: { title: 'Console', text: 'Trigger payments, and see the results.' },
    stories: { title: 'Stories', text: 'Twelve ways in which a payment goes wrong.' },
    window: { title: 'Payment window', text: 'Act as the buyer, and choose how the payment ends.' },
    start: { title: 'Start here', text: 'With Spring, Django or Go: ten lines of curl.' },
  },
  start: {
    title: 'Start in any language',
    lead: 'Start the sandbox alone. Set the address that your server calls, and the address of your server for notifications.',
    alone: 'The sandbox alone',
    settings: 'Environment variables',
    name: 'Name',
    usual: 'Default',
    meaning: 'Meaning',
    none: 'none',
    calls: 'With curl',
    callsLead: 'Run them unchanged, in this order.',
    linked: (address) =>
      `This sandbox runs together with the shop at ${address}, so the call that changes the address for notifications is left out.`,
    callNames: {
      token: 'Get a token (§4.1)',
      address: 'Set the address for notifications',
      pay: 'A member pays in the payment window',
      look: 'Query the payment (§4.9)',
      key: 'Issue a billing key (§4.2)',
      charge: 'Pay with the billing key (§4.9)',
      schedule: 'Schedule a payment in ten minutes (§4.9)',
      clock: 'Move the clock by ten minutes',
      fault: 'Lose the response to the next query',
      notifications: 'See the notifications sent, and your server’s responses',
    },
    environment: {
      SANDBOX_PORT: 'Port to listen on',
      SANDBOX_HOST: 'Address to listen on; loopback only',
      SANDBOX_IN_CONTAINER: 'Set by the image; allows other addresses than loopback',
      SANDBOX_DATA_DIR: 'Folder for the state; without it, the state is in memory only',
      SANDBOX_WEBHOOK_URL: 'Initial notification address',
      SANDBOX_MERCHANT_API_KEY:
        'The merchant’s API key, used to register orders from the console; sent only to the server of the notification address',
      SERVICE_KEY: 'The svc_key that is accepted',
      SERVICE_SECRET: 'The svc_secret that is accepted',
      SERVICE_API_KEY: 'The API key of the newer generation',
      WEBHOOK_SECRET: 'Signs the notifications of the newer generation’s present form',
      SERVICE_NAME_PREFIX: 'Prefix of field names: with abc, svc_uid becomes abc_uid',
      LOG_LEVEL: 'Log level',
    },
  },
};
