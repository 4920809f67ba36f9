// English texts of the return page of the payment window.

import type { ko } from './texts.ko';

export const en: typeof ko = {
  checkout: {
    states: {
      paid: { title: 'Your payment is complete', text: 'We have confirmed it. You can close this page.' },
      partly_refunded: {
        title: 'This payment was refunded in part',
        text: 'The rest of it stays paid.',
      },
      cancelled: {
        title: 'This payment was cancelled',
        text: 'It is refunded in full. Your card company may take some days to show it.',
      },
      cancelled_deposit: {
        title: 'This payment was cancelled',
        text: 'Your deposit is refunded in full, to the account that was given for the refund.',
      },
      cancelled_other: {
        title: 'This payment was cancelled',
        text: 'It is refunded in full, in the way it was paid. It may take some days to show.',
      },
      cancelled_unpaid: {
        title: 'This payment was cancelled',
        text: 'The payment service shows that nothing was paid. If you have paid, please contact our customer service.',
      },
      awaiting_deposit: {
        title: 'We are waiting for your deposit',
        text: 'Please pay exactly this amount into the account below, in time. Your payment is then complete.',
      },
      deposit_late: {
        title: 'The date for your deposit has passed',
        text: 'Please do not pay into the account any more. If you already have, this page shows it as soon as we know of it; if it does not, please contact our customer service.',
      },
      deposit_over: {
        title: 'We do not wait for this deposit any more',
        text: 'Please do not pay into the account of this payment. If you already have, please contact our customer service.',
      },
      failed: {
        title: 'The payment did not go through',
        text: 'The payment service shows no charge. Pay again from your order, or choose another way to pay.',
      },
      paid_otherwise: {
        title: 'This order is paid already',
        text: 'The payment service shows no charge for this payment: another one has paid for the order. Please do not pay again.',
      },
      not_known_yet: {
        title: 'We are checking your payment',
        text: 'We do not know yet whether it was made. It may have been, so please wait and do not pay again.',
      },
      checking: {
        title: 'We have to check this payment ourselves',
        text: 'We have to check whether it belongs to the order. Please do not pay again; our customer service can help.',
      },
      missing: {
        title: 'This address names no payment',
        text: 'It is incomplete, or its payment is for another order. If you have paid, please contact our customer service.',
      },
    },
    order: 'Order',
    amount: 'Amount',
    card: 'Card company',
    approval: 'Approval number',
    paidAt: 'Paid on',
    account: 'Account to pay into',
    bank: 'Bank',
    accountNumber: 'Account number',
    holder: 'Account holder',
    until: 'Pay in by',
    zone: 'Korean time',
    back: 'View order',
  },
};
