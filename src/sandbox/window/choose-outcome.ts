// Makes the payment with the outcome chosen in the window, in the same way as POST /_sandbox/payments. The browser is then
// redirected with the document's ids, before or after the answer to the notification (§6.5.1).

import { payAsBuyer } from '../controls/payment-actions';
import { HttpError } from '../http/answer';
import { toWireNames } from '../http/wire-names';
import { keyUsage } from '../payments/pay-in-window';
import type { Payment } from '../payments/payment';
import type { Service } from '../service';
import type { ServiceWords } from './service-words';
import type { WindowRequest } from './window-request';

const PAYMENT_CHOICES = ['paid', 'slow', 'virtual_account', 'declined', 'closed'] as const;
/** A key is not issued with a virtual account. */
const KEY_CHOICES = ['paid', 'later_payments_fail', 'declined', 'closed', 'left', 'lost'] as const;
export const WINDOW_CHOICES = [...new Set([...PAYMENT_CHOICES, ...KEY_CHOICES])];
export type WindowChoice = (typeof WINDOW_CHOICES)[number];

/** The choices that a window offers. */
export const choicesOf = ({ billingKeys }: Service, request: WindowRequest): readonly WindowChoice[] =>
  keyUsage(billingKeys, request) === 'issue' ? KEY_CHOICES : PAYMENT_CHOICES;

/** The buyer closes the window after the key was issued: the browser does not return to the shop. */
export const isLeft = (choice: WindowChoice) => choice === 'left' || choice === 'lost';

/** A slow payment that has not run after this many times its delay is abandoned. */
const MAX_SLOWNESS = 10;

/** Resolves when the browser can be redirected. `request` comes from `readWindow`. */
export function chooseOutcome(
  service: Service,
  request: WindowRequest,
  choice: WindowChoice,
  words: ServiceWords,
): Promise<Payment> {
  const pay = (fields: object) => payAsBuyer(service, { ...request, ...fields });
  switch (choice) {
    case 'paid':
    case 'virtual_account':
      return pay({ outcome: choice });
    case 'later_payments_fail':
      return pay({ outcome: 'paid', later_payments_fail: true });
    case 'left':
      return pay({ outcome: 'paid' });
    case 'lost':
      return pay({ outcome: 'paid', notify: false });
    case 'declined':
      return pay({ outcome: 'failed', fail_reason: words.declined });
    case 'closed':
      return pay({ outcome: 'failed', fail_reason: words.closed });
    case 'slow':
      return later(service, service.config.slowCardMs, () => pay({ outcome: 'paid' }));
  }
}

/** A virtual account that awaits its deposit counts as a success. */
const isSuccess = ({ status }: Payment) => status !== 'failed';

/** What the browser script passes to the callback of the shop's page. */
export function callbackResult(payment: Payment, namePrefix: string): Record<string, unknown> {
  return { success: isSuccess(payment), ...toWireNames(namePrefix, factsOf(payment)) };
}

/** What the script passes on if the buyer closes the window: no id, although a payment was made. */
export function closedResult(
  { merchantUid: merchant_uid }: Payment,
  words: ServiceWords,
): Record<string, unknown> {
  return { success: false, merchant_uid, error_msg: words.closed };
}

/**
 * The address that the browser is redirected to. Its own query stays unchanged, except for parameters of the same names.
 */
export function returnAddress(returnUrl: string, payment: Payment, namePrefix: string): string {
  const { svc_uid, merchant_uid, ...failure } = factsOf(payment);
  const svc_success = String(isSuccess(payment));
  const facts = toWireNames(namePrefix, { svc_uid, merchant_uid, svc_success, ...failure });
  const url = new URL(returnUrl);
  // `delete` re-encodes the whole query, so it is called only for parameters that exist.
  for (const name of Object.keys(facts)) if (url.searchParams.has(name)) url.searchParams.delete(name);
  const added = new URLSearchParams(facts).toString();
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url.href;
}

function factsOf(payment: Payment) {
  return {
    svc_uid: payment.svcUid,
    merchant_uid: payment.merchantUid,
    ...(!isSuccess(payment) && { error_msg: payment.failReason ?? '' }),
  };
}

/**
 * Runs at a later time of the sandbox's clock, even if the browser has disconnected. Throws a 504 if that time does not
 * come, because the sandbox was reset or its clock does not advance.
 */
function later<Result>({ timeline }: Service, delayMs: number, run: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new HttpError(504, 'the time of the slow payment did not come: nothing was paid so far')),
      delayMs * MAX_SLOWNESS,
    ).unref();
    timeline.after(delayMs, () => {
      clearTimeout(timer);
      return run().then(resolve, reject);
    });
  });
}
