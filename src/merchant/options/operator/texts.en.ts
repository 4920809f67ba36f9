// English texts of the operator pages. The action queue and the words common to all pages have their own files.

import { CONTRADICTION_MESSAGES } from '../../core/attempts/contradiction';
import { actionQueueEn } from './action-queue-texts.en';
import type { ko } from './texts.ko';
import { wordsEn } from './word-texts.en';

export const en: typeof ko = {
  operator: {
    name: 'Operations',
    description: 'Pages for operators: payments, and what needs a person.',
    placesLabel: 'Operator pages',
    signOut: 'Sign out',
    footer: 'All times are of Seoul.',
    places: {
      overview: 'Overview',
      actionQueue: 'Action queue',
      payments: 'Payments',
      orders: 'Orders',
      notifications: 'Notifications',
      discrepancies: 'Discrepancies',
      charges: 'Charges',
      refunds: 'Refunds',
      issuances: 'Registrations',
      keys: 'Billing keys',
      events: 'Events',
    },
    signIn: {
      title: 'Operator sign-in',
      by: 'Your name',
      byHint: 'What you decide is written down with this name.',
      password: 'Password',
      submit: 'Sign in',
      problems: {
        by: 'Give your name in one line of at most 64 characters.',
        password: 'Type the password.',
        wrong_password: 'The password is wrong. It is the setting OPERATOR_PASSWORD.',
        too_many: 'Too many attempts came from here. Try again in 15 minutes.',
        signed_out: 'You are signed out, so nothing was changed. Sign in and do it again.',
      },
    },
    done: {
      settled: 'The decision is written down. Its list says who, when and why.',
      refunded: 'The money was given back.',
      refund_unknown:
        'The outcome of the refund is not known yet. The payment service is being asked: do not refund again.',
      recorded: 'Looked at again: there was something new, and it is stored.',
      unchanged: 'Looked at again: it is stored as the payment service has it.',
      queued: 'It could not be checked now. Nothing has changed.',
      mismatch: 'Looked at again: it does not fit. A discrepancy is noted.',
      replayed: 'It is sent again. Its line says what became of it: reload the page in a moment.',
      noted: 'The note is written down. Nothing is decided by it.',
    },
    failed: {
      title: 'That did not work',
      other:
        'The request could not be served. Go back and try again; if it stays so, find it in the log by the number.',
      nothing: 'No decision was written, and no money was moved.',
      typed: 'What you typed:',
      toForm: 'Back to what you typed',
      serviceSays: 'The payment service says:',
      field: 'Correct it or leave it out:',
      unknownField: 'Something came along that this page does not have. Open the page again.',
      fields: {
        amount:
          'Write the amount as a whole number of at least 1, such as 1000 or 1,000: no decimals, no other separators.',
        reason: 'Write the reason in one line of at most 256 characters.',
        note: 'Write the note in one line of at most 500 characters.',
        refund_account:
          'Write holder, code of the bank and account, all three, and only for a deposit to a virtual account.',
        id: 'Select at least one, and at most a hundred.',
        after: 'Open the list from its first page.',
      },
      afterwards: {
        refund_needs_review:
          'The refund may have been carried out. Look at the list of refunds before you go on.',
        internal_error: 'See in the lists what has become of it before you try again.',
        database_unavailable: 'See in the lists what has become of it before you try again.',
      },
      back: 'Go back',
      codes: {
        invalid_request: 'A value cannot be used. Correct it and try again.',
        not_found: 'There is no such page. Find it in the menu above.',
        order_not_found: 'There is no such order. Find it in the list of orders.',
        payment_not_found: 'There is no such payment. Find it in the list of payments or of notifications.',
        discrepancy_not_found: 'There is no such discrepancy. Find it in the list of discrepancies.',
        charge_not_found: 'There is no such charge. Find it in the list of charges.',
        refund_not_found: 'There is no such refund. Find it in the list of refunds.',
        issuance_not_found: 'There is no such card registration. Find it in the list of card registrations.',
        event_not_found: 'There is no such event. Find it in the list of events.',
        already_settled:
          'It is settled already, by somebody else or by itself. Its list says who, when and why.',
        attempt_pending: 'Its outcome is being found out. Look again in a while.',
        service_contradicts:
          'What the payment service shows contradicts this decision. Compare it with the service’s own console, and decide by what is true.',
        order_scheduled: 'The charge waits for its time. Revoke its schedule first.',
        refund_refused: 'The payment service refused the refund. Read its reason and look at the payment.',
        service_refused:
          'The payment service refused the request. Read its reason: the same request is refused again.',
        service_not_found: 'The payment service knows no such payment. Check its number.',
        service_unauthorized: 'The payment service refused our own credentials. Run npm run doctor.',
        service_bad_answer:
          'The answer of the payment service cannot be read. Try again in a while; the log says what was wrong with it.',
        service_unavailable: 'The payment service does not answer. Try again in a while.',
        database_unavailable: 'The database does not answer. Try again in a while.',
        internal_error: 'It is our fault. Find it in the log by the number.',
        nothing_to_cancel: 'The payment holds no money. See below whether it was refunded already.',
        balance_differs:
          'The payment holds another balance than the page showed: a part was refunded meanwhile. Open it again.',
        amount_exceeds_balance: 'That is more than the payment holds. Write at most what is left.',
        refund_pending:
          'The outcome of another refund of this payment is not known yet. Look again in a while.',
        refund_needs_review:
          'The cancelled amount is another one than expected. A person has to settle the refund of this payment.',
        discrepancy_not_refundable:
          'A discrepancy of this kind names no money that could go back. Write down a decision instead.',
        payment_pays_order:
          'The payment pays for an order. To give it back all the same, use the page of the payment.',
        payment_not_judged: 'The payment cannot be judged now. Try again later.',
        cross_site:
          'The request comes from another site and was refused. Open this page itself and try again.',
        foreign_host: 'This host name is not served. Open the page under PUBLIC_URL.',
      },
    },
    list: {
      csv: 'Download as CSV',
      all: 'All',
      flags: {
        true: 'Yes',
        false: 'No',
      },
      search: 'Search',
      empty: 'There is nothing yet',
      nothingFound: 'Nothing was found',
      nothingFoundHint: 'Change or empty the filters and search again.',
      pages: 'Pages',
      first: 'First page',
      next: 'Next',
    },
    empty: {
      payments:
        'A payment shows here once its notification has come and was checked. If one is missing, run npm run doctor.',
      orders: 'Register an order with POST /api/orders, and it shows here.',
      notifications:
        'What the payment service sends shows here. If nothing comes, check the notification address in the service’s console.',
      discrepancies: 'What was checked and does not fit shows here. There is nothing to do now.',
      charges:
        'Charge or plan with POST /api/orders/{merchant_uid}/charge or /api/schedules, and it shows here.',
      refunds: 'Refund a payment on its page, and it shows here.',
      issuances: 'A registration shows here once a member has sent the form at /cards/new.',
      keys: 'A card shows here once a member has registered it at /cards/new.',
      events: 'What the shop is told shows here once an order is paid or cancelled.',
    },
    payment: {
      title: 'Payment',
      lookAgain: 'Look again',
      sendAgain: 'Send it again',
      toQueue: 'Resolve it in the action queue',
      stored: 'As it is stored',
      notStored: 'It is not stored: a payment that does not fit is kept out of the books.',
      held: 'Still held',
      counts: 'Pays for the order',
      notCounted: 'No: it was made with another member’s card',
      card: 'Card',
      order: 'Order',
      noOrder: 'No order is registered:',
      timeline: 'What happened',
      refund: 'Refund',
      refundAsks: 'The refund is sent to the payment service once, and cannot be taken back.',
      refundAmount: 'Amount to refund',
      refundAmountHint: 'Empty: all that is left,',
      refundSubmit: 'Send the refund',
      raw: 'Raw data and API',
      curl: 'The same with curl',
      curlHint: 'The key comes from the variable API_KEY of your shell.',
      record: 'The record of the payment service (JSON)',
      recordHint: 'Fields about the buyer are left out.',
    },
    account: {
      title: 'For a deposit to a virtual account: where it goes back to',
      holder: 'Account holder',
      bank: 'Code of the bank, such as 088',
      account: 'Account number',
      tel: 'Telephone, where the provider asks for it',
    },
    moments: {
      notification: 'A notification came',
      judged: 'Fetched from the payment service and judged',
      charge: 'Charge',
      refund: 'Refund',
      discrepancy: 'Something did not fit',
      resolved: 'The discrepancy was settled',
      note_discrepancy: 'A note on the discrepancy',
      note_charge: 'A note on the charge',
      note_refund: 'A note on the refund',
      note_issuance: 'A note on the card registration',
      event: 'Event of the order',
      stored: 'Stored for the first time',
      changed: 'Last changed',
      not_repaired: 'Reconciliation could not repair it',
    },
    tiles: {
      person: 'Needs a person',
      discrepancies: 'Open discrepancies',
      unresolved: 'Attempts without an outcome',
      notifications: 'Notifications unchecked',
      events: 'Undelivered events',
    },
    charts: {
      orders: 'Orders by the day of their last change, by status',
      amounts: 'Amounts of these orders in won, by status',
      notifications: 'Notifications by day and outcome',
      openByDay: 'Discrepancies open at the end of each day',
      neverOpen: 'None was open in the last 30 days. There is nothing to do.',
      open: 'Open discrepancies',
      noneOpen: 'None is open. There is nothing to do.',
      empty: {
        orders: 'No order changed in the last 14 days. Register one with POST /api/orders.',
        amounts: 'No order changed in the last 14 days. What is paid and given back shows here.',
        notifications:
          'No notification came in the last 14 days. If there were payments, check the notification address in the service’s console, and run npm run doctor.',
      },
      table: 'As a table',
      day: 'Day',
    },
    contradictions: CONTRADICTION_MESSAGES,
    ...actionQueueEn,
    ...wordsEn,
  },
};
