// English texts of the refund form and of refunds that wait for approval.

import type { refundsKo } from './texts.ko';

export const refundsEn: typeof refundsKo = {
  refund: {
    title: 'Refund',
    how: 'How much?',
    all: 'All of it: #',
    rest: 'All that is left: #',
    part: 'A part of it',
    whole: 'all that is left (shown as #)',
    amount: 'Amount',
    amountHint: 'Only for a part: a whole number, at most #.',
    taxFreeHint: 'Only for goods with and without tax. Empty: the payment service divides the amount.',
    reasons: [
      'Requested by the buyer',
      'Order cancelled',
      'Item out of stock',
      'Defective item',
      'Paid twice',
    ],
    next: 'The next page shows amount, card and balance. Nothing is refunded before you confirm it there.',
    check: 'Continue',
    question: 'Refund #?',
    heldBefore: 'Refundable now',
    heldAfter: 'Refundable afterwards',
    once: 'The refund is sent once and cannot be undone.',
    submit: 'Refund #',
    cancel: 'Do not refund',
    request: {
      question: 'Request a refund of #?',
      once: 'This refund needs the approval of another operator. Nothing is refunded before.',
      account: 'The operator who approves it enters the account of the buyer. Ask the buyer for it now.',
      submit: 'Request a refund of #',
      cancel: 'Do not request it',
    },
  },
  account: {
    title: 'Account to which the deposit is refunded',
    holder: 'Account holder',
    bank: 'Bank',
    choose: 'Choose a bank',
    account: 'Account number',
    tel: 'Phone number, if the provider requires it',
  },
};
