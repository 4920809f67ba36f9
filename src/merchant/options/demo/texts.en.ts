// English texts of the landing page and the demo shop.

import type { ko } from './texts.ko';

export const en: typeof ko = {
  landing: {
    title: 'Welcome to the merchant server',
    lead: 'It registers cards as billing keys, charges them, and checks every notification before anything is written. Choose where to begin.',
    doors: [
      [
        '/demo',
        {
          title: 'Demo shop',
          text: 'Buy with a registered card or in the payment window, and see which events the shop receives.',
        },
      ],
      ['/cards/new', { title: 'Card form', text: 'Where a member types a card. Test cards fill it in.' }],
      ['/cards', { title: 'My cards', text: 'See, replace and remove registered cards.' }],
      [
        '/operator',
        {
          title: 'Operator pages',
          text: 'Payments, notifications, and what needs review. The password is printed by npm start.',
        },
      ],
      ['/docs', { title: 'API reference', text: 'Every route that a shop’s systems call, with examples.' }],
    ],
    console: {
      title: 'Sandbox console',
      text: 'Act as the payment service: simulate payments, deposits, false notifications and the passing of time.',
    },
    steps: {
      title: 'First steps',
      done: 'Done',
      open: 'To do',
      list: [
        ['card', '/cards/new', 'Register a test card'],
        ['paid', '/demo', 'Buy something in the demo shop'],
        ['plan', '/demo/plan', 'Start a plan and go to its next payment date'],
        ['refund', '/operator', 'Refund a payment on the operator pages'],
      ],
    },
    firstTitle: 'A first order from the terminal',
    firstText: 'npm start prints this call with your API_KEY filled in.',
    orders: 'Orders',
    lastEvent: 'Latest event',
    noEvent: 'none yet',
  },
  demo: {
    header: {
      name: 'Chadam Tea',
      shop: 'Shop',
      orders: 'My orders',
      cards: 'My cards',
      start: 'Start',
      operator: 'Operator',
      console: 'Console',
    },
    clock: {
      ahead: 'Shop time {date} ({distance} ahead)',
      behind: 'Shop time {date} ({distance} behind)',
      reset: 'Reset',
    },
    lead: 'A small tea house that sells a quiet moment. This is a sandbox: you can buy, and no money moves.',
    products: {
      tea: {
        name: 'First-harvest green tea, 80 g',
        short: 'The first leaves of spring',
        text: 'Only the tender first leaves of spring, roasted in an iron pot. A fresh scent and a sweet finish.',
        facts: [
          ['Origin', 'Hadong, Korea'],
          ['Weight', '80 g'],
          ['Brewing', '70 °C, 2 minutes'],
        ],
      },
      cup: {
        name: 'White porcelain cup',
        short: 'A white cup that fits the hand',
        text: 'Porcelain so thin that the colour of the tea shines through. The leaf is painted by hand.',
        facts: [
          ['Material', 'Porcelain'],
          ['Volume', '120 ml'],
          ['Contents', 'Cup and saucer'],
        ],
      },
      teapot: {
        name: 'Stoneware teapot',
        short: 'A pot of breathing clay',
        text: 'Breathing clay keeps the tea warm for longer, and takes on its scent over the years.',
        facts: [
          ['Material', 'Stoneware'],
          ['Volume', '350 ml'],
          ['Contents', 'Teapot and strainer'],
        ],
      },
    },
    orders: {
      title: 'My orders',
      plans: 'Plans',
      goods: 'Orders',
      empty: 'No orders yet',
      emptyHint: 'Find something you like in the shop.',
    },
    toShop: 'To the shop',
    payWith: 'Pay with',
    inWindow: 'In the payment window',
    inWindowHint:
      'You enter your card in the payment window, not in this shop. You may come back before the notification arrives.',
    unknownCard: 'Card',
    noCards: 'You have no card that can pay now.',
    addCard: 'Add a card',
    pay: 'Pay {amount}',
    window: {
      title: 'Pay in the payment window',
      text: 'You enter your card in the payment window. This shop never sees the card number.',
      item: 'Item',
      open: 'Open the payment window',
      codeTitle: 'The code of this page',
      codeText:
        'A page of your shop opens the window in the same way. With the live service only the address of its script, the name of its object and the code of your account differ.',
    },
    order: {
      title: 'Order',
      number: 'Order number',
      amount: 'Amount',
      status: 'Status',
      statuses: {
        open: 'Waiting for payment',
        awaiting_deposit: 'Waiting for deposit',
        paid: 'Paid',
        partially_cancelled: 'Partially refunded',
        cancelled: 'Cancelled',
        failed: 'Payment failed',
        closed: 'Closed',
      },
      again: 'Pay again',
      charging:
        'We do not know yet whether this was paid. Money may have left your card. We are checking it, so please do not pay again.',
      notSent:
        'We could not ask the payment service about this order, so we have not charged the card this time. Please pay the same order again in a moment.',
      receipt: 'Receipt',
      openReceipt: 'View receipt',
      account: 'Account to pay into',
      bank: 'Bank',
      accountNumber: 'Account number',
      holder: 'Account holder',
      until: 'Pay in by',
      openConsole: 'See this payment in the console',
    },
    notKnown: {
      title: 'We do not know yet whether you have paid',
      text: 'An error on our side kept us from seeing the result. Money may have left your card, so please do not pay again. Check the order in a moment.',
      order: 'Check the order',
    },
    told: {
      title: 'Events that the shop received',
      lead: 'src/merchant/shop/on-order-event.ts receives them. Mail, shipping and accounting begin there.',
      empty: 'Nothing yet. An event appears when the status of the order changes.',
      waiting: 'On its way',
      delivered: 'Delivered',
      showJson: 'Show JSON',
    },
    plan: {
      title: 'Tea of the month',
      short: 'A new tea each month',
      text: 'Each month we choose the tea that tastes best at that time, and send it to you in a box.',
      lead: 'Paid each month with your registered card. You pay for the first month today.',
      each: '{amount} a month',
      start: 'Start the plan',
      status: 'Status',
      statuses: {
        active: 'Active',
        past_due: 'Payment failed, will be retried',
        cancelled: 'Cancelled',
        ended: 'Ended',
      },
      count: 'Payments',
      paidTimes: '{count} made',
      nextCycle: '{date} ({nth} payment)',
      next: 'Next payment',
      retry: 'Next attempt',
      nothingNext: 'none',
      now: 'Shop time',
      failures: 'Failed attempts',
      failedTimes: '{count}',
      card: 'Card',
      cardGone: 'Removed',
      cardGoneTitle: 'This plan has no card',
      cardGoneText:
        'The card of this plan was removed. Unless you act, the plan ends when its next payment is due. To keep it, cancel this plan and start it with another card.',
      startAgain: 'Start with another card',
      paying: 'Your {nth} payment is due. Waiting for its result…',
      paidNow: 'Your {nth} payment of {amount} went through.',
      failedNow: 'Your {nth} payment failed.',
      payments: 'Payment history',
      noPayments: 'No payment has been made yet.',
      cycleOf: '{nth} payment',
      travel: 'Go to the next payment date',
      travelHint:
        'Moves the clocks of shop and sandbox forward together. “Reset” at the top returns to the real time.',
      travelFailed:
        'The sandbox has not confirmed the move, so the clock may or may not have moved. Check the shop time, then try again.',
      failing:
        'To see a payment fail, start with the card “Later payments fail”. Replace the card, and the next attempt succeeds.',
      cancel: 'Cancel the plan',
      cancelQuestion: 'No further payments are made. Past payments are not refunded.',
      cancelConfirm: 'Cancel it',
      replace: 'Replace the card',
    },
  },
  errors: {
    cannot_cancel_now: {
      title: 'The plan cannot be cancelled now',
      text: 'A payment of this plan is not finished, or we got no answer from the payment service. So the plan goes on.',
      next: 'Please try again in a moment.',
    },
    clock_not_moved: {
      title: 'We do not know whether the clock was reset',
      text: 'The sandbox has not confirmed it.',
      next: 'Check that the sandbox is running and which time the shop shows, then try again.',
    },
  },
};
