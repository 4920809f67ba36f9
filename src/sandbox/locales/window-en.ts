// The texts of the payment window in English.

import type { windowKo } from './window-ko';

export const windowEn: typeof windowKo = {
  title: 'Payment window (sandbox)',
  description: 'The payment window of the sandbox: act as the buyer and choose how a payment ends.',
  toPay: 'Amount to pay',
  order: 'Order',
  orderNumber: 'Order number',
  buyer: 'Buyer',
  payMethod: 'Method',
  customerUid: 'Billing key',
  returnsTo: 'Returns to',
  choose: 'Choose the outcome',
  lead: 'You are the buyer: choose how this payment ends.',
  notifications: {
    none: 'No notification address is set, so the shop is not notified.',
    first: 'You return after the shop has answered the notification.',
    beside: 'The shop is notified, and you return without waiting for its answer.',
  },
  choices: {
    paid: {
      title: (amount) => `Pay ${amount}`,
      hint: () => 'The payment is approved, and you return to the shop.',
    },
    slow: {
      title: () => 'Slow approval',
      hint: (seconds) => `The payment is approved after ${seconds} seconds, even if you close the window.`,
    },
    virtual_account: {
      title: () => 'Issue a virtual account',
      hint: () => 'You return to the shop, and the order awaits a deposit. Make the deposit in the console.',
    },
    declined: {
      title: () => 'Declined by the card company',
      hint: () => 'The payment fails (over the limit), and you return to the shop.',
    },
    closed: {
      title: () => 'Close the window',
      hint: () => 'You cancel. The payment is recorded as failed.',
    },
  },
  refused: 'The payment window cannot be opened',
  refusedLead: 'Please correct the values that the shop sent.',
  example: 'An example with only the required values',
  failed: 'The payment failed',
  failedLead: 'Reason from the sandbox:',
  missing: 'Required, but missing',
  malformed: 'Wrong format',
  rules: {
    merchant_uid: '1 to 40 characters without spaces and / \\ ? #',
    amount: 'a whole number from 0',
    return_url: 'an http or https address without a user name',
    currency: 'KRW, USD or EUR',
    name: 'up to 40 characters',
    pay_method: 'up to 16 characters, such as card',
    channel: 'pc or mobile',
    customer_uid: 'up to 80 characters without spaces and / \\ ? #',
    pg_provider: 'up to 16 characters, such as nice',
    emb_pg_provider: 'up to 16 characters, such as kakaopay',
    escrow: 'true or false',
    cash_receipt_issued: 'true or false',
    buyer_name: 'up to 16 characters',
    buyer_email: 'up to 64 characters',
    buyer_tel: 'up to 16 characters',
    buyer_addr: 'up to 128 characters',
    buyer_postcode: 'up to 8 characters',
    custom_data: 'JSON text of up to 65,535 characters',
    notice_url: 'up to 10 http or https addresses',
    noticeUrls: 'up to 10 http or https addresses',
    outcome: 'one of the buttons of this window',
  },
};
