// English texts of the action queue: what needs a person, what it may mean and what to do.

import type { queueKo } from './texts.ko';

export const queueEn: typeof queueKo = {
  actionQueue: {
    names: {
      discrepancies: 'Discrepancies',
      charges: 'Charges',
      refunds: 'Refunds',
      issuances: 'Card registrations',
      'refund-requests': 'Refunds to approve',
    },
    stuckNames: {
      charges: 'Charges with unknown outcome',
      refunds: 'Refunds with unknown outcome',
      issuances: 'Card registrations with unknown outcome',
    },
    clear: 'All caught up',
    clearHint: 'Anything that needs review appears here.',
    all: 'See all',
    open: { order: 'Open the order', member: 'Open the customer' },
    seen: '#×',
    means: 'What it may mean:',
    todo: 'What to do:',
    decide: 'Resolve',
    final: 'It is recorded with your name, the time and the reason. It cannot be undone. No money moves.',
    write: 'Resolve',
    whatHappened: 'What happened',
    refundAsks:
      'Refunds the whole payment and resolves the discrepancy. The next page shows the amount; nothing is refunded before you confirm it there.',
    outcomes: {
      accepted: 'Accept as is',
      refunded: 'Already refunded',
      ignored: 'False alarm',
    },
    key: {
      decide: 'Resolve the key',
      legend: 'Billing key',
      outcomes: { given: 'Give it to a customer', deleted: 'Delete it at the payment service' },
      member: 'Customer ID',
      memberHint: 'Only to give the key to a customer.',
    },
    requests: {
      means: 'It is above the limit (REFUND_LIMIT), or not in won. Nothing is refunded before the approval.',
      todo: 'Check reason and amount. Then approve or reject it.',
      own: 'You have requested it. Another operator has to approve it, or you withdraw it.',
      unknown:
        'It cannot be approved: the request was made, or you are signed in, without an account, so nobody knows whether two people agree. Make accounts for operators, and request it again.',
      approve: 'Approve',
      asks: 'This refunds #. The refund is sent once and cannot be undone.',
      submit: 'Approve, and refund #',
      reject: 'Reject',
      withdraw: 'Withdraw',
    },
    notes: 'Notes',
    noteAdd: 'Add a note',
    noteHint: 'The note is saved with your name and the time. This does not resolve the item.',
    noteWrite: 'Save the note',
    stuck: {
      pending: {
        means:
          'It began more than half an hour ago, and no outcome is stored: the process that started it may have died.',
        todo: 'Ask the people who run the server whether its jobs run (npm run doctor). Once they do, it resolves automatically.',
      },
      unknown: {
        means:
          'The outcome of the call is not known, and polls of half an hour have not found it. The payment service may not respond, its response may be inconclusive, or no job polls.',
        todo: 'Ask the people who run the server whether the service responds and jobs run (npm run doctor). If nothing changes, check the console of the service and record what happened.',
      },
      scheduled: {
        means: 'It was due more than half an hour ago, and its outcome is not known here.',
        todo: 'Check the schedule in the console of the service. Polling continues here meanwhile.',
      },
    },
    notRevoked: {
      means:
        'The order was paid, refunded in full or closed, but the payment service has not confirmed that its schedule is revoked. It is tried again, and this item disappears once it is revoked. Otherwise the schedule may take the money at its time.',
      todo: 'Revoke the schedule in the console of the service before its time. If it has taken the money, refund that payment from its discrepancy.',
    },
    attempts: {
      charges: {
        means:
          'The payment of the charge does not match its order or cannot be stored, or the payment service shows something other than was sent. The reason is above. The order accepts no other charge until this is resolved.',
        todo: 'If the payment holds money, refund it from its discrepancy first. Then choose “No money was taken”.',
        outcomes: {
          paid: 'It was paid',
          not_executed: 'No money was taken',
        },
      },
      refunds: {
        means:
          'The cancelled amount differs from what was expected, or could not be stored. Another cancellation may have been made in the console of the service at the same time.',
        todo: 'Compare the cancellations in the console with this refund, and record what happened.',
        outcomes: {
          refunded: 'It was refunded',
          not_executed: 'Nothing was refunded',
        },
      },
      issuances: {
        means:
          'The service shows a different card from the one that was sent, reported success but shows no key, or shows a key that cannot be stored. The reason is above.',
        todo: 'Ask the member for the last four digits. If the card belongs to the member, choose “The key was issued”.',
        outcomes: {
          issued: 'The key was issued',
          not_issued: 'There is no key',
        },
      },
    },
  },
  several: {
    link: 'Resolve several at once',
    pick: 'Select',
    hint: 'It is recorded for each item, with your name, the time and the reason. Each is checked on its own; refused items stay open.',
    selected: 'Resolve the selected ones',
    shown: 'Resolve all shown here',
    none: 'None of this kind is open',
    result: 'Some were refused and stay open',
    resolved: 'Resolved',
    refused: 'Refused',
  },
  meanings: {
    amount_mismatch: {
      means:
        'The amount paid differs from the amount of the order: a forgery, or the order was registered with a wrong amount. The payment is not stored.',
      todo: 'Compare both amounts and refund the payment. If the amount paid is correct, ask the shop for a new order.',
    },
    currency_mismatch: {
      means: 'The payment is in a different currency from the order.',
      todo: 'Compare the currencies and refund the payment.',
    },
    order_mismatch: {
      means:
        'The payment belongs to a different order from the one in the notification. Usually a genuine notification was replayed.',
      todo: 'Choose “False alarm”. Refund only a payment that matches no order at all.',
    },
    unknown_order: {
      means: 'The order of this payment is not registered.',
      todo: 'If the order is only late, ask the shop to register it, and then re-check the payment. If there is no such order, refund the payment.',
    },
    unknown_payment: {
      means:
        'The payment service does not know this payment: it was invented, belongs to another account, or was made over a test channel.',
      todo: 'There is nothing to refund. Choose “False alarm”.',
    },
    duplicate_payment: {
      means: 'This is a second payment for an order that is already paid.',
      todo: 'Refund this payment. The order stays paid by the other one.',
    },
    paid_after_close: {
      means: 'Money arrived for an order that was cancelled or closed. The order counts as paid again.',
      todo: 'Deliver the order and choose “Accept as is”, or refund it.',
    },
    status_went_back: {
      means:
        'The service showed an earlier status than before, twice. The stored payment and its order were set back.',
      todo: 'Ask the service why, compare with what was delivered, and choose “Accept as is”.',
    },
    foreign_billing_key: {
      means: 'The payment was made with a card of another member. It does not count for the order.',
      todo: 'Refund it, or choose “Accept as is” if both members agree.',
    },
    unknown_billing_key: {
      means:
        'A billing key was issued in the payment window. We did not ask for it, asked for it with another payment, its request had expired, or the member had too many cards. Nothing is charged with it.',
      todo: 'If you know whose it is, give it to that customer. Otherwise delete it at the payment service. If it is a card of a customer already, choose “False alarm”.',
    },
    dispute_opened: {
      means:
        'The payer disputes this payment at the card company (chargeback). The payment and its order stay as they are.',
      todo: 'Answer the dispute in the console of the payment service, or as its letter says, before its deadline. When it is decided, choose “Accept as is” or “Already refunded”.',
    },
    needs_review: {
      means:
        'The record of the payment contradicts itself, lacks a field that verification needs, or has values that cannot be read or stored. What the payment service shows is above.',
      todo: 'Re-check the payment. If nothing changes, refund the payment here, or in the console and choose “Already refunded”.',
    },
  },
};
