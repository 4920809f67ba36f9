// A key-in payment (§4.3): the order is registered where it is new, a first payment is taken with the card, and, where
// a customer_uid is given, the key is stored under it, all in one call. The card is sent and forgotten: it is in no
// row, no job and no log, so this call cannot be repeated by us.

import type { BillingKeyStore, NewIssuance } from '../cards/billing-key-store';
import type { NewOrder } from '../orders/order-store';
import type { RegisterOrder } from '../orders/register-order';
import type { CardInput } from '../payment-service/billing-keys';
import type { PaymentService } from '../payment-service/payment-service';
import type { Clock } from '../clock';
import { toCustomData } from './charge-id';
import type { ChargeStore } from './charge-store';
import type { FollowIssuance } from './follow-issuance';
import type { NotStarted, StartCharges } from './start-charges';
import type { Submission, SubmitCharge } from './submit-charge';

export type OnetimePayment = {
  order: NewOrder;
  card: CardInput;
  /** Where the key is to be stored; null where it is not. */
  key: Pick<NewIssuance, 'customerUid' | 'memberId' | 'consent'> | null;
};

export type OnetimeOutcome =
  | Submission
  | { kind: NotStarted['kind'] }
  /** The merchant_uid stands for another amount, currency or member. */
  | { kind: 'order_conflict' }
  /** The customer_uid has a key, or one on its way: replacing it (§1) is for the member's own form. */
  | { kind: 'customer_uid_in_use' };
export type PayOnetime = (payment: OnetimePayment) => Promise<OnetimeOutcome>;

type Dependencies = {
  registerOrder: RegisterOrder;
  startCharges: StartCharges;
  submitCharge: SubmitCharge;
  charges: Pick<ChargeStore, 'settleCharge'>;
  keys: Pick<BillingKeyStore, 'startIssuance'>;
  followIssuance: FollowIssuance;
  service: Pick<PaymentService, 'payOnetime'>;
  clock: Clock;
};

/** @throws DatabaseFault when the payment or the key could not be noted: then nothing was sent. */
export function createPayOnetime(dependencies: Dependencies): PayOnetime {
  const { registerOrder, startCharges, submitCharge, charges, keys, followIssuance, service, clock } =
    dependencies;

  return async function payOnetime({ order, card, key }) {
    const { outcome } = await registerOrder(order);
    if (outcome === 'conflict') return { kind: 'order_conflict' };
    const { merchantUid } = order;
    const customerUid = key?.customerUid ?? null;
    const begun = await startCharges([{ merchantUid, kind: 'onetime', customerUid, scheduleAt: null }]);
    if (!('started' in begun)) return { kind: begun.kind };
    const [charge] = begun.started;
    if (!charge) throw new Error('a started charge is missing');

    const issuance = key && (await startIssuance(charge.id, key, card));
    if (typeof issuance === 'string') {
      await charges.settleCharge(charge.id, 'not_executed', clock.now(), { reason: 'customer_uid_in_use' });
      return { kind: 'customer_uid_in_use' };
    }
    const submission = await submitCharge(charge, () =>
      service.payOnetime({
        merchantUid,
        amount: order.amount,
        name: order.name,
        card,
        customerUid: key?.customerUid,
        customData: toCustomData(charge.id),
      }),
    );
    if (issuance) await followIssuance(issuance.id, submission);
    return submission;
  };

  /** The same row as for a posted form, so that no key can arise without one; the charge stands for the form. */
  function startIssuance(chargeId: string, key: NonNullable<OnetimePayment['key']>, card: CardInput) {
    const cardLastFour = card.cardNumber.slice(-4);
    return keys.startIssuance({ ...key, formNonce: chargeId, replacesKey: false, cardLastFour }, clock.now());
  }
}
