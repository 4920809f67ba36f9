// What happens to a payment without the merchant's server: the buyer's window, a deposit, the admin console, forgery.
// Behind both the controls for programs and the console for people. Fields are untrusted and checked here.
import { z } from 'zod';
import { Refusal } from '../http/answer';
import { id, optional, parseFields, text, wholeNumber } from '../http/fields';
import type { PaymentEvent } from '../notifications/events';
import type { Notification } from '../notifications/notification';
import { cancelFields, cancelPayment } from '../payments/cancel-payment';
import type { Payment } from '../payments/payment';
import { getPayment } from '../payments/payment-endpoints';
import { payInWindow, windowPaymentSchema } from '../payments/window-payment';
import type { Service } from '../service';

const cancelSchema = z.object(cancelFields);
const tamperSchema = z.object({
  amount: optional(wholeNumber(0)),
  merchant_uid: optional(id(40)),
  currency: optional(text(3)),
});
const notifySchema = z.object({
  status: optional(text(40)),
  times: wholeNumber(1, 1000).default(1),
  source: optional(z.union([z.ipv4(), z.ipv6()])),
});

export type PaymentActions = {
  pay(fields: unknown): Promise<Payment>;
  deposit(svcUid: string): Promise<Payment>;
  cancel(svcUid: string, fields: unknown): Promise<Payment>;
  /** A forged record: nothing is sent and no time changes, as nobody meant it to happen. */
  tamper(svcUid: string, fields: unknown): Payment;
  /** Resolves when the receivers have answered, with what they said. */
  notify(svcUid: string, fields: unknown): Promise<Notification[]>;
};

export function createPaymentActions(service: Service): PaymentActions {
  const { payments, notifier, settings, clock } = service;

  // By default the answer does not wait for the receiver; on setting it does (§6.5.1).
  async function announce(event: PaymentEvent, payment: Payment): Promise<Payment> {
    const announced = notifier.announce(event, payment);
    if (settings.get().webhook_before_redirect) await announced;
    return payment;
  }

  return {
    async pay(fields) {
      const asked = parseFields(windowPaymentSchema, fields);
      const { payment, event } = payInWindow(service, asked, clock.now());
      return asked.notify ? announce(event, payment) : payment;
    },
    async deposit(svcUid) {
      const payment = getPayment(payments, svcUid);
      if (payment.status !== 'ready')
        throw new Refusal(409, 'status: only a ready payment waits for a deposit');
      payments.change(payment, { status: 'paid', paidAt: clock.now(), updatedAt: clock.now() });
      return announce('deposited', payment);
    },
    async cancel(svcUid, fields) {
      const payment = getPayment(payments, svcUid);
      const refusal = cancelPayment(payments, payment, parseFields(cancelSchema, fields), clock.now());
      if (refusal !== null) throw new Refusal(409, refusal);
      return announce('cancelled_in_console', payment);
    },
    tamper(svcUid, fields) {
      const payment = getPayment(payments, svcUid);
      const forged = parseFields(tamperSchema, fields);
      payments.change(payment, {
        ...(forged.amount !== undefined && { amount: forged.amount }),
        ...(forged.merchant_uid !== undefined && { merchantUid: forged.merchant_uid }),
        ...(forged.currency !== undefined && { currency: forged.currency }),
      });
      return payment;
    },
    notify(svcUid, fields) {
      const { status, times, source } = parseFields(notifySchema, fields);
      const how = { times, ...(status !== undefined && { status }), ...(source !== undefined && { source }) };
      return notifier.sendByHand(getPayment(payments, svcUid), how);
    },
  };
}
