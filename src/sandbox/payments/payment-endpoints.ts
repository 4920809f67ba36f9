// One payment: its details (§4.4).
import { Refusal, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import type { Payment } from './payment';
import { paymentRecord } from './payment-record';
import type { PaymentStore } from './payment-store';

export function paymentEndpoints(payments: PaymentStore): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/payments/:svc_uid',
      access: 'legacy',
      handle: ({ params }) => success(paymentRecord(getPayment(payments, params.svc_uid))),
    },
  ];
}

export function getPayment(payments: PaymentStore, svcUid: string | undefined): Payment {
  const payment = svcUid === undefined ? undefined : payments.find(svcUid);
  if (!payment) throw new Refusal(404, 'svc_uid: no such payment');
  return payment;
}
