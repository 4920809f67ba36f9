// The balance of a payment (§4.9): its amount, and the amount that can still be cancelled, by part of the payment.
// Payments of the sandbox have one part, the payment method itself.

import { success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { cancelledAmount, type Payment } from './payment';
import { getPayment, type PaymentStore } from './payment-store';
import { shownTo } from './test-channel';

export function balanceEndpoint(payments: PaymentStore): Endpoint {
  return {
    method: 'GET',
    path: '/payments/:svc_uid/balance',
    access: 'legacy',
    handle: ({ params, query }) =>
      success(balanceRecord(getPayment(payments, params.svc_uid, shownTo(query)))),
  };
}

const NOTHING = { tax_free: 0, supply: 0, vat: 0, service: 0 };

function balanceRecord(payment: Payment) {
  const wasPaid = payment.paidAt > 0;
  const left = partOf(wasPaid ? payment.amount - cancelledAmount(payment) : 0);
  return {
    amount: wasPaid ? payment.amount : 0,
    cash_receipt: payment.cashReceiptIssued ? left : NOTHING,
    primary: left,
    // Points and discounts of the PG or the card company: the sandbox has none.
    secondary: NOTHING,
    discount: NOTHING,
  };
}

// VAT is a tenth of the net price. The tax-free part is not stored.
function partOf(amount: number) {
  const vat = Math.round(amount / 11);
  return { ...NOTHING, supply: amount - vat, vat };
}
