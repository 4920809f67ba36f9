// English texts of the ledger: its operator page, and the heads of its CSV.

import type { LedgerTexts } from './texts.ko';

export const en: LedgerTexts = {
  title: 'Ledger',
  intro:
    'Payments, deposits to virtual accounts and refunds by the day in Seoul on which the money moved. Each part of a refund is listed, also those made in the console of the payment service. Payments that do not match an order are in the list of discrepancies.',
  from: 'From',
  to: 'To',
  show: 'Show',
  csv: 'Download as CSV',
  sums: 'Sums by day',
  day: 'Day',
  paid: 'Paid',
  refunded: 'Refunded',
  net: 'Difference',
  movements: 'Movements',
  none: 'There is no movement in this period.',
  payment: 'Payment',
  refund: 'Refund',
  pages: 'Pages',
  first: 'First page',
  next: 'Next',
  columns: {
    at: 'Time (Seoul)',
    kind: 'Kind',
    amount: 'Amount',
    currency: 'Currency',
    merchant_uid: 'Order',
    svc_uid: 'Payment',
    refund_id: 'Refund',
    approval_number: 'Approval number',
    card_company: 'Card company',
    pg_provider: 'PG',
    pg_tid: 'PG transaction',
    fee: 'Fee',
    paid_out_on: 'Paid out on',
  },
};
