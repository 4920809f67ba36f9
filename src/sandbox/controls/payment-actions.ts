// Changes of a payment that do not come from the merchant: the buyer pays or deposits, the admin console cancels, a
// test forges the record or sends a notification. Both the controls and the console call these functions; `fields` are
// untrusted and parsed here.

import { z } from 'zod';
import { HttpError } from '../http/answer';
import { optional, parseFields, text, wholeNumber } from '../http/fields';
import type { PaymentEvent } from '../notifications/events';
import type { Notification } from '../notifications/notification';
import { cancelFields, cancelPayment } from '../payments/cancel-payment';
import { payInWindow, windowPaymentSchema } from '../payments/pay-in-window';
import type { Payment } from '../payments/payment';
import { getPayment } from '../payments/payment-store';
import type { Service } from '../service';

const cancelSchema = z.object(cancelFields);
const tamperSchema = z.object({
  /** Also one that is not as the document says, so that a merchant can try a record that it cannot read. */
  amount: optional(z.union([wholeNumber(0), z.number().min(0)])),
  merchant_uid: optional(text(300)),
  currency: optional(text(3)),
});
const notifySchema = z.object({
  status: optional(text(40)),
  type: optional(text(40)),
  times: wholeNumber(1, 1000).default(1),
  source: optional(z.union([z.ipv4(), z.ipv6()])),
});

/** The buyer pays in the browser's window. */
export async function payAsBuyer(service: Service, fields: unknown): Promise<Payment> {
  const request = parseFields(windowPaymentSchema, fields);
  const { payment, event } = payInWindow(service, request, service.clock.now());
  return request.notify ? notify(service, event, payment) : payment;
}

/** The buyer deposits the amount into the virtual account. */
export async function depositAsBuyer(service: Service, svcUid: string): Promise<Payment> {
  const { payments, clock } = service;
  const payment = getPayment(payments, svcUid);
  if (payment.status !== 'ready')
    throw new HttpError(409, 'status: only a ready payment waits for a deposit');
  payments.change(payment, { status: 'paid', paidAt: clock.now(), updatedAt: clock.now() });
  return notify(service, 'deposited', payment);
}

/** The merchant cancels in the admin console. */
export async function cancelInConsole(service: Service, svcUid: string, fields: unknown): Promise<Payment> {
  const { payments, clock } = service;
  const payment = getPayment(payments, svcUid);
  const refusal = cancelPayment(payments, payment, parseFields(cancelSchema, fields), clock.now());
  if (refusal !== null) throw new HttpError(409, refusal);
  return notify(service, 'cancelled_in_console', payment);
}

/** Forges the record: no notification is sent and no time changes. */
export function tamperWithPayment({ payments }: Service, svcUid: string, fields: unknown): Payment {
  const payment = getPayment(payments, svcUid);
  const forged = parseFields(tamperSchema, fields);
  payments.change(payment, {
    ...(forged.amount !== undefined && { amount: forged.amount }),
    ...(forged.merchant_uid !== undefined && { merchantUid: forged.merchant_uid }),
    ...(forged.currency !== undefined && { currency: forged.currency }),
  });
  return payment;
}

/** Sends notifications by hand, repeated or false if asked. Resolves when the receivers have answered. */
export function notifyByHand(
  { payments, notifier, settings }: Service,
  svcUid: string,
  fields: unknown,
): Promise<Notification[]> {
  const { status, type, times, source } = parseFields(notifySchema, fields);
  const { generation, newer_signed } = settings.get();
  if (type !== undefined && !(generation === 'newer' && newer_signed))
    throw new HttpError(400, 'type: needs the settings generation=newer and newer_signed=true');
  return notifier.sendByHand(getPayment(payments, svcUid), {
    times,
    ...(status !== undefined && { status }),
    ...(type !== undefined && { type }),
    ...(source !== undefined && { source }),
  });
}

// The answer waits for the receiver only if `webhook_before_redirect` is set (§6.5.1).
async function notify(
  { notifier, settings }: Service,
  event: PaymentEvent,
  payment: Payment,
): Promise<Payment> {
  const notified = notifier.notify(event, payment);
  if (settings.get().webhook_before_redirect) await notified;
  return payment;
}
