// The stories in English.

import type { storiesKo } from './stories-ko';

export const storiesEn: typeof storiesKo = {
  title: 'Ways a payment goes wrong',
  description: 'Twelve ways in which a payment goes wrong, and how the merchant handles them.',
  lead: 'Run the steps one by one. At the end, expected and actual results are compared.',
  start: 'Start',
  next: 'Next step',
  rest: 'All remaining steps',
  again: 'Run again',
  all: 'All stories',
  steps: 'Steps',
  end: 'Results',
  expected: 'Expected',
  came: 'Actual',
  what: 'Value',
  verdict: 'Result',
  good: 'as expected',
  bad: 'different',
  allGood: 'All results are as expected.',
  notGood: 'Some results differ. Check the merchant’s log, and the notifications in the console.',
  failed: 'The story cannot continue. Check that the merchant is running, and start again.',
  missing: 'The merchant does not have the option that this story needs:',
  gone: 'This story is not running. Start again.',
  unlinked:
    'The sandbox has no API key of the merchant, so the story cannot run on this page. Set SANDBOX_MERCHANT_API_KEY and SANDBOX_WEBHOOK_URL, or run this command in a terminal.',
  command: 'In the terminal',
  stories: {
    'lost-result': {
      title: 'The result is lost',
      incident:
        'The response to a call that charges a card is lost. A second call may charge the card twice.',
      steps: {
        fault: 'The service will make the next card payment, but cut the connection before it responds.',
        charge: 'The merchant charges the card. It does not know the result, and answers 202.',
        'find-out': 'Wait until the merchant has queried the service and knows the result.',
      },
      ends: {
        order: 'Status of the order',
        payments: 'Payments of the order',
        calls: 'Card payment calls that the service received',
      },
    },
    duplicate: {
      title: 'The notification is sent several times',
      incident: 'The same notification arrives five more times. Nothing may be paid or shipped twice.',
      steps: {
        register: 'The merchant registers the order.',
        pay: 'The member pays, and the service notifies.',
        again: 'The service sends the same notification five more times at once.',
      },
      ends: {
        answers: 'Answers of the merchant',
        order: 'Status of the order',
        payments: 'Payments of the order',
        events: 'Events of type order.paid',
      },
    },
    'forged-amount': {
      title: 'The amount is forged',
      incident:
        'A buyer changes 19,000 won to 100 won in the browser, and pays. The notification only says that the order was paid.',
      steps: {
        register: 'The merchant registers an order of 19,000 won.',
        'pay-less': 'The order is paid with 100 won, and the service notifies the merchant.',
      },
      ends: {
        answers: 'Answers of the merchant',
        order: 'Status of the order',
        payments: 'Payments of the order',
        discrepancy: 'Discrepancy for the operator',
      },
    },
    'out-of-order': {
      title: 'Notifications arrive out of order',
      incident: 'The notification of a deposit arrives before that of its virtual account.',
      steps: {
        register: 'The merchant registers the order.',
        account: 'A virtual account is issued, but its notification is delayed.',
        deposit: 'The deposit is made, and its notification arrives first.',
        late: 'Now the notification of the account arrives.',
      },
      ends: {
        answers: 'Answers of the merchant',
        order: 'Status of the order',
        payments: 'Payments of the order',
      },
    },
    overtaken: {
      title: 'An old answer arrives late',
      incident:
        'Two notifications of one payment are checked at the same time. The answer to the first check is older, and arrives last.',
      steps: {
        register: 'The merchant registers the order.',
        account: 'A virtual account is issued, but its notification is delayed.',
        slow: 'The notification of the account arrives, and the service answers the check slowly. Meanwhile the deposit is made and notified.',
      },
      ends: {
        order: 'Status of the order',
        payments: 'Payments of the order',
        notifications: 'Notifications that were sent',
      },
    },
    'early-notification': {
      title: 'The notification comes before the order',
      incident: 'The member has paid before the shop has registered the order.',
      steps: {
        pay: 'The member pays, and the service notifies. The merchant does not know the order.',
        register: 'The merchant registers the order.',
        wait: 'Wait until the merchant has checked the payment again.',
      },
      ends: {
        answers: 'Answers of the merchant',
        order: 'Status of the order',
        payments: 'Payments of the order',
      },
    },
    outage: {
      title: 'The service is down',
      incident: 'The notification arrives, but the service cannot be asked. It does not notify again.',
      steps: {
        register: 'The merchant registers the order.',
        fault: 'The service will answer the next two checks with 503.',
        pay: 'The member pays, and the service notifies.',
        wait: 'Wait until the merchant has checked the payment again.',
      },
      ends: {
        answers: 'Answers of the merchant',
        order: 'Status of the order',
        payments: 'Payments of the order',
      },
    },
    'missed-notification': {
      title: 'The notification never arrives',
      incident:
        'The member has paid, but the notification is lost. A merchant that does not know cannot ship the goods.',
      steps: {
        register: 'The merchant registers the order.',
        'pay-silently': 'The member pays, but no notification is sent.',
        unknown: 'The merchant’s order is still unpaid.',
        compare:
          'The merchant compares its records with the service. It also does so automatically every few minutes.',
      },
      ends: {
        before: 'Status of the order before the comparison',
        order: 'Status of the order',
        payments: 'Payments of the order',
        notifications: 'Notifications that were sent',
      },
    },
    'lost-registration': {
      title: 'The answer to a registration is lost',
      incident:
        'The service has stored the card, but its answer is lost. The member must not have to register it again.',
      steps: {
        fault: 'The service will store the next card, but cut the connection before it responds.',
        card: 'The member registers a card.',
        register: 'The merchant registers an order.',
        charge: 'The merchant finds the key at the service, and charges the order with it.',
      },
      ends: {
        form: 'Answer to the form',
        order: 'Status of the order',
        payments: 'Payments of the order',
        calls: 'Registrations that the service received',
      },
    },
    'closed-window': {
      title: 'The window is closed after the key was issued',
      incident:
        'A member registers KakaoPay, and closes the payment window before it returns to the shop. The notification is lost as well. The member must not have to register again.',
      steps: {
        request: 'The merchant requests a billing key, which the member issues in the payment window.',
        close: 'The key is issued, the member closes the window, and no notification is sent.',
        unknown: 'The member has no card at the merchant.',
        compare:
          'The merchant compares its records with the service. It also does so automatically every few minutes.',
      },
      ends: {
        before: 'Cards of the member before the comparison',
        cards: 'Cards of the member',
        key: 'Its billing key is that of the window',
        events: 'Events of type card.registered',
      },
    },
    'replaced-card': {
      title: 'The card is replaced',
      incident:
        'A payment is scheduled, and the member replaces the card. The payment must be made with the new card.',
      steps: {
        card: 'The member registers a card.',
        plan: 'The merchant schedules a payment in ten minutes.',
        replace: 'The member replaces the card.',
        time: 'Ten minutes pass, and the payment is made.',
      },
      ends: {
        order: 'Status of the order',
        payments: 'Payments of the order',
        card: 'Card used for the payment',
        changed: 'Card differs from the first one',
      },
    },
    'card-testing': {
      title: 'A program tries cards',
      incident:
        'A program tries stolen card numbers in the form, to learn which ones are good. Card companies end the agreement with a merchant that allows it.',
      steps: {
        try: 'A program opens the card form eight times, and sends another card in each.',
        member: 'A member registers a card in another browser.',
      },
      ends: {
        answers: 'Answers to the program',
        calls: 'Cards that reached the service',
        member: 'Answer to the member',
      },
    },
  },
};
