// English texts of the lists and the search.

import type { listsKo } from './texts.ko';

export const listsEn: typeof listsKo = {
  search: {
    label: 'Search for an order, payment, customer or card',
    placeholder: 'ID, name, phone, email, amount …',
    ask: 'Enter what you are looking for',
    what: 'You can search for a whole ID, all or part of a buyer’s name, a phone number, an email address, an approval number, an amount, or the last four digits of a card. Parts of names, amounts and digits are looked for in the latest 10,000 payments, orders and cards.',
    card: 'Do not type a whole card number. The last four digits are enough.',
  },
  sorts: {
    newest: 'Newest first',
    oldest: 'Oldest first',
    largest: 'Largest amount first',
    smallest: 'Smallest amount first',
  },
  list: {
    count: '# {list}',
    one: '1 row',
    rows: 'rows',
    overCount: 'More than # {list}',
    overHint: 'Narrow the filters to see a total.',
    sortHint: 'Of these, the latest # are sorted by amount.',
    sum: 'Total',
    refundedOfThese: 'Refunded',
    times: {
      orders:
        'By the last change of each order. The total is what the orders cost, whether they were paid or not.',
      payments:
        'By the time of each payment, in Korea; one that was not paid has the time at which it was recorded. The total is what was paid, as in the ledger. Of these payments, refunds of later days count as well.',
      refunds:
        'Refunds that were requested here, by the time of the request. Refunds at the console of the service are in the ledger, each at the time at which the service made it.',
    },
    refundsOfThese:
      'The total of # refunds, by the time at which each was made, in Korean time (KST). These are their payments.',
    none: 'None',
    csv: 'Download as CSV',
    all: 'All',
    flags: {
      true: 'Yes',
      false: 'No',
    },
    search: 'Search',
    empty: 'Nothing yet',
    nothingFound: 'No results',
    nothingFoundHint: 'Change or clear the filters and search again.',
    pages: 'Pages',
    first: 'First page',
    next: 'Next',
  },
  empty: {
    payments:
      'Payments appear here once their notification was received and verified. If one is missing, run npm run doctor.',
    orders: 'Orders appear here once they are registered with POST /api/orders.',
    notifications:
      'Notifications of the payment service appear here. If none arrives, check the notification address in the console of the service.',
    discrepancies: 'Payments that do not match their order appear here. There is nothing to do now.',
    charges: 'Charges made with POST /api/orders/{merchant_uid}/charge or /api/schedules appear here.',
    refunds: 'Refunds appear here. To refund a payment, open its page.',
    issuances: 'Registrations appear here once a member has submitted the form at /cards/new.',
    keys: 'Cards appear here once a member has registered one at /cards/new.',
    events: 'Events appear here once an order is paid or cancelled.',
    audit: 'Sign-ins and actions of operators appear here.',
  },
};
