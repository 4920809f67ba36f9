// What happens to a payment without the merchant's server: the buyer's window, a deposit, the admin console, forgery.
import { Router } from 'express';
import { z } from 'zod';
import { Refusal } from '../http/answer';
import { id, optional, parseFields, text, wholeNumber } from '../http/fields';
import type { PaymentEvent } from '../notifications/events';
import { cancelFields, cancelPayment } from '../payments/cancel-payment';
import type { Payment } from '../payments/payment';
import { getPayment } from '../payments/payment-endpoints';
import { paymentRecord } from '../payments/payment-record';
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

export function paymentControls(service: Service): Router {
  const routes = Router({ caseSensitive: true });
  const { payments, notifier, settings, clock } = service;

  // By default the answer does not wait for the receiver; on setting it does (§6.5.1).
  async function announce(event: PaymentEvent, payment: Payment) {
    const announced = notifier.announce(event, payment);
    if (settings.get().webhook_before_redirect) await announced;
  }

  routes.post('/', async (request, response) => {
    const asked = parseFields(windowPaymentSchema, request.body);
    const { payment, event } = payInWindow(service, asked, clock.now());
    if (asked.notify) await announce(event, payment);
    response.json(paymentRecord(payment));
  });

  routes.post('/:svc_uid/deposit', async (request, response) => {
    const payment = getPayment(payments, request.params.svc_uid);
    if (payment.status !== 'ready')
      throw new Refusal(409, 'status: only a ready payment waits for a deposit');
    payments.change(payment, { status: 'paid', paidAt: clock.now(), updatedAt: clock.now() });
    await announce('deposited', payment);
    response.json(paymentRecord(payment));
  });

  routes.post('/:svc_uid/cancel', async (request, response) => {
    const payment = getPayment(payments, request.params.svc_uid);
    const asked = parseFields(cancelSchema, request.body ?? {});
    const refusal = cancelPayment(payments, payment, asked, clock.now());
    if (refusal !== null) throw new Refusal(409, refusal);
    await announce('cancelled_in_console', payment);
    response.json(paymentRecord(payment));
  });

  // A forged record: nothing is sent and no time changes, as nobody meant it to happen.
  routes.post('/:svc_uid/tamper', (request, response) => {
    const payment = getPayment(payments, request.params.svc_uid);
    const forged = parseFields(tamperSchema, request.body);
    payments.change(payment, {
      ...(forged.amount !== undefined && { amount: forged.amount }),
      ...(forged.merchant_uid !== undefined && { merchantUid: forged.merchant_uid }),
      ...(forged.currency !== undefined && { currency: forged.currency }),
    });
    response.json(paymentRecord(payment));
  });

  // Answers when the receivers have answered, with what they said.
  routes.post('/:svc_uid/notify', async (request, response) => {
    const payment = getPayment(payments, request.params.svc_uid);
    const { status, times, source } = parseFields(notifySchema, request.body ?? {});
    const how = { times, ...(status !== undefined && { status }), ...(source !== undefined && { source }) };
    response.json({ notifications: await notifier.sendByHand(payment, how) });
  });

  return routes;
}
