// The six stories in English.

import type { storiesKo } from './stories-ko';

export const storiesEn: typeof storiesKo = {
  title: 'Six ways a payment goes wrong',
  description: 'Let a payment go wrong in six ways, and see how the merchant holds.',
  lead: 'Press step by step and watch. At the end, what was expected stands beside what came.',
  start: 'Start',
  next: 'Next step',
  rest: 'All the rest',
  again: 'From the beginning',
  all: 'All stories',
  steps: 'Steps',
  end: 'The end',
  expected: 'Expected',
  came: 'Came',
  what: 'What',
  verdict: 'Result',
  good: 'as expected',
  bad: 'different',
  allGood: 'Everything came as expected.',
  notGood:
    'Something is different. Look at the log of the merchant, and at the notifications in the console.',
  failed: 'The story cannot go on. See whether the merchant runs, and begin again.',
  gone: 'No such story is under way. Begin again.',
  unlinked:
    'The API key of the merchant is not known here, so it cannot be done on this page. Set SANDBOX_MERCHANT_API_KEY and SANDBOX_WEBHOOK_URL, or use this command in the terminal.',
  command: 'In the terminal',
  stories: {
    'lost-result': {
      title: 'The result gets lost',
      incident:
        'The answer to a call that takes money from a card is lost. Whoever calls again may charge the card twice.',
      steps: {
        fault: 'Let the service make the next payment by card, and cut the line before the answer.',
        charge: 'The merchant charges the card. It does not know the result, and answers 202.',
        'find-out': 'Wait until the merchant has asked the service, and knows.',
      },
      ends: {
        order: 'Status of the order',
        payments: 'Payments of the order',
        calls: 'Card payments that the service was asked for',
      },
    },
    duplicate: {
      title: 'The notification comes several times',
      incident: 'The same notification comes five times more. Nothing may be paid or sent twice.',
      steps: {
        register: 'The merchant registers the order.',
        pay: 'The member pays, and the service notifies.',
        again: 'The service sends the same notification five times more, all at once.',
      },
      ends: {
        answers: 'Answers of the merchant',
        order: 'Status of the order',
        payments: 'Payments of the order',
        events: 'Events that say that it was paid',
      },
    },
    'forged-amount': {
      title: 'The amount is forged',
      incident:
        'In the browser, a buyer makes 100 won of 19,000 and pays. The notification says no more than that it was paid.',
      steps: {
        register: 'The merchant registers an order over 19,000 won.',
        'pay-less': '100 won are paid for the same order, and the service notifies that it was paid.',
      },
      ends: {
        answers: 'Answers of the merchant',
        order: 'Status of the order',
        payments: 'Payments of the order',
        discrepancy: 'Discrepancy for the operator',
      },
    },
    'out-of-order': {
      title: 'The order of arrival is wrong',
      incident: 'The notification of a deposit comes before that of its virtual account.',
      steps: {
        register: 'The merchant registers the order.',
        account: 'A virtual account is issued, and its notification is late.',
        deposit: 'The money comes, and its notification is first.',
        late: 'Now the notification of the account comes.',
      },
      ends: {
        answers: 'Answers of the merchant',
        order: 'Status of the order',
        payments: 'Payments of the order',
      },
    },
    'missed-notification': {
      title: 'The notification never comes',
      incident:
        'The member has paid, and the notification is lost. A merchant that does not know cannot send the goods.',
      steps: {
        register: 'The merchant registers the order.',
        'pay-silently': 'The member pays, and no notification is sent.',
        unknown: 'For the merchant the order is not paid yet.',
        compare: 'The merchant compares itself with the service. It does so by itself every few minutes.',
      },
      ends: {
        before: 'Status of the order before that',
        order: 'Status of the order',
        payments: 'Payments of the order',
        notifications: 'Notifications that were sent',
      },
    },
    'replaced-card': {
      title: 'The card is replaced',
      incident:
        'A payment is planned, and the member replaces the card. The plan has to be paid with the new one.',
      steps: {
        card: 'The member registers a card.',
        plan: 'The merchant plans a payment in ten minutes.',
        replace: 'The member replaces the card.',
        time: 'Ten minutes pass, and the plan is carried out.',
      },
      ends: {
        order: 'Status of the order',
        payments: 'Payments of the order',
        card: 'Card that paid',
        changed: 'Is it another card than that of the plan?',
      },
    },
  },
};
