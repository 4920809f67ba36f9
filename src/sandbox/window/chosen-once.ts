// A button pressed twice makes one payment: the second press of a button in the same window is answered with the payment of
// the first. Another button or another method makes another payment, as after going back.

import { randomUUID } from 'node:crypto';
import type { Payment } from '../payments/payment';
import type { Service } from '../service';
import { chooseOutcome, type WindowChoice } from './choose-outcome';
import type { ServiceWords } from './service-words';
import type { WindowRequest } from './window-request';

const MAX_REMEMBERED = 1_000;

type Chosen = [request: WindowRequest, choice: WindowChoice, words: ServiceWords];

type ChosenOnce = {
  newWindow(): string;
  /** Without a window's id, as a program may post it, every choice makes a payment. */
  choose(windowId: unknown, ...chosen: Chosen): Promise<Payment>;
};

export function createChosenOnce(service: Service): ChosenOnce {
  const made = new Map<string, Promise<Payment>>();
  return {
    newWindow: randomUUID,
    async choose(windowId, ...chosen) {
      if (typeof windowId !== 'string') return chooseOutcome(service, ...chosen);
      const [request, choice] = chosen;
      const key = `${windowId} ${choice} ${request.pay_method ?? ''}`;
      const known = await made.get(key);
      // After a reset the payment is gone, and the window can be used again.
      if (known && service.payments.find(known.svcUid)) return known;
      const payment = chooseOutcome(service, ...chosen);
      made.set(key, payment);
      payment.catch(() => made.delete(key));
      if (made.size > MAX_REMEMBERED) made.delete([...made.keys()][0] ?? '');
      return payment;
    },
  };
}
