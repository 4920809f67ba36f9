// English texts of the operators' action queue: what needs a person, what it may mean and what to do.

import type { actionQueueKo } from './action-queue-texts.ko';

export const actionQueueEn: typeof actionQueueKo = {
  actionQueue: {
    names: {
      discrepancies: 'Discrepancies',
      charges: 'Charges',
      refunds: 'Refunds',
      issuances: 'Card registrations',
    },
    stuckNames: {
      charges: 'Charges without an outcome',
      refunds: 'Refunds without an outcome',
      issuances: 'Card registrations without an outcome',
    },
    clear: 'Nothing needs you',
    clearHint: 'What only a person can settle shows here.',
    all: 'See all',
    means: 'What it may mean:',
    todo: 'What to do:',
    decide: 'Decide',
    note: 'Why',
    final: 'It is written down with who, when and why, and cannot be taken back. No money moves.',
    write: 'Write the decision',
    whatHappened: 'What is true',
    refundAsks:
      'All money of the payment goes back, which settles the discrepancy. It is sent once and cannot be taken back.',
    outcomes: {
      accepted: 'It stays as it is',
      refunded: 'The money went back already',
      ignored: 'False alarm',
    },
    notes: 'Notes',
    noteAdd: 'Add a note',
    noteText: 'Note',
    noteHint: 'It is written down with your name and the time. It decides nothing.',
    noteWrite: 'Write the note',
    stuck: {
      pending: {
        means: 'The process that began it has died, and for half an hour no job has taken it up.',
        todo: 'Check with npm run doctor whether the jobs run. Once they do, it is settled by itself.',
      },
      unknown: {
        means:
          'The answer of the payment service was lost, and asking for half an hour has not settled it: the service does not answer, or its answer cannot be judged.',
        todo: 'Check with npm run doctor whether the service answers. If it stays so, see what its console shows, and write what is true.',
      },
      scheduled: {
        means: 'Its time is past for half an hour, and the payment service shows no outcome.',
        todo: 'See in the console of the service what became of the schedule. It is asked for here all the while.',
      },
    },
    attempts: {
      charges: {
        means:
          'The payment of the charge does not fit its order, or its schedule is gone. Until it is settled the order takes no other charge.',
        todo: 'If the payment holds money, give it back by its discrepancy first, then write that nothing was taken.',
        outcomes: {
          paid: 'It was paid',
          not_executed: 'No money was taken',
        },
      },
      refunds: {
        means:
          'The cancelled amount is another one than expected: somebody may have cancelled in the console of the service at the same time.',
        todo: 'Compare the cancellations in the console with this refund, and write what is true.',
        outcomes: {
          refunded: 'It was given back',
          not_executed: 'Nothing was given back',
        },
      },
      issuances: {
        means: 'The service shows another card than was sent, or says that it issued the key and shows none.',
        todo: 'Ask the member about the last four digits. If the card is the member’s, write that it was issued.',
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
    hint: 'The decision is written for each of them, with who, when and why. Each is checked like a single one; what is refused stays open.',
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
        'Another amount was paid than the order names: forged, or the order was registered wrongly. The payment is not stored.',
      todo: 'Compare both amounts and give the money back. If the buyer shall pay that amount, register a new order.',
    },
    currency_mismatch: {
      means: 'It was paid in another currency than the order names.',
      todo: 'Compare them and give the money back.',
    },
    order_mismatch: {
      means:
        'The payment belongs to another order than was claimed: mostly somebody has replayed a genuine notification.',
      todo: 'Write that it is a false alarm. Only a payment that fits no order at all is given back.',
    },
    unknown_order: {
      means: 'Nobody has registered the order that the payment names.',
      todo: 'If it is only late, register it with POST /api/orders and look again. If there is no such order, give the money back.',
    },
    unknown_payment: {
      means:
        'The payment service does not know the payment: invented, of another account, or made over a test channel.',
      todo: 'There is nothing to give back. Write that it is a false alarm.',
    },
    duplicate_payment: {
      means: 'A second payment holds money for an order that is paid already.',
      todo: 'Give this payment back. The order stays paid by the other one.',
    },
    paid_after_close: {
      means:
        'Money arrived for an order that had been cancelled or closed, and the order counts as paid again.',
      todo: 'Deliver it and write that it stays, or give the money back.',
    },
    status_went_back: {
      means:
        'The service showed an earlier state than before, twice. The stored payment and its order have followed.',
      todo: 'Ask the service why, compare what was delivered, and write that it stays.',
    },
    foreign_billing_key: {
      means:
        'It was paid with the card of another member than the order names. It does not pay for the order.',
      todo: 'Give it back, or write that it stays if both members agree.',
    },
    needs_review: {
      means: 'The record of the payment contradicts itself, or lacks what the judgement relies on.',
      todo: 'Look again. If it stays so, give the money back, or do so in the console and write that it went back.',
    },
  },
};
