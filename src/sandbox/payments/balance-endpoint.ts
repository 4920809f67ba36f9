// The balance of a payment (§4.9): its amount, and the amount that can still be cancelled, by part of the payment.
// Payments of the sandbox have one part, the payment method itself.

import { success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { balanceOf, type Payment } from './payment';
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
  const left = wasPaid ? partOf(balanceOf(payment)) : NOTHING;
  return {
    amount: wasPaid ? payment.amount : 0,
    cash_receipt: payment.cashReceiptIssued ? left : NOTHING,
    primary: left,
    // Points and discounts of the PG or the card company: the sandbox has none.
    secondary: NOTHING,
    discount: NOTHING,
  };
}

// VAT is a tenth of the net price of the part that is taxed.
function partOf({ amount, taxFree }: ReturnType<typeof balanceOf>) {
  const taxed = amount - taxFree;
  const vat = Math.round(taxed / 11);
  return { ...NOTHING, tax_free: taxFree, supply: taxed - vat, vat };
}
