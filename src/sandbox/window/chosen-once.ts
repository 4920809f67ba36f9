// A button pressed twice makes one payment: the second press of a button in the same window is answered with the payment of
// the first. Another button or another method makes another payment, as after going back.

import { randomUUID } from 'node:crypto';
import type { Payment } from '../payments/payment';
import type { Service } from '../service';
import { chooseOutcome, type WindowChoice } from './choose-outcome';
import type { WindowRequest } from './window-request';

const MAX_REMEMBERED = 1_000;

type ChosenOnce = {
  newWindow(): string;
  /** Without a window's id, as a program may post it, every choice makes a payment. */
  choose(windowId: unknown, request: WindowRequest, choice: WindowChoice): Promise<Payment>;
};

export function createChosenOnce(service: Service): ChosenOnce {
  const chosen = new Map<string, Promise<Payment>>();
  return {
    newWindow: randomUUID,
    async choose(windowId, request, choice) {
      if (typeof windowId !== 'string') return chooseOutcome(service, request, choice);
      const key = `${windowId} ${choice} ${request.pay_method ?? ''}`;
      const made = await chosen.get(key);
      // After a reset the payment is gone, and the window can be used again.
      if (made && service.payments.find(made.svcUid)) return made;
      const payment = chooseOutcome(service, request, choice);
      chosen.set(key, payment);
      payment.catch(() => chosen.delete(key));
      if (chosen.size > MAX_REMEMBERED) chosen.delete([...chosen.keys()][0] ?? '');
      return payment;
    },
  };
}
