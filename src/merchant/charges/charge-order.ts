// A registered order is paid with a stored billing key (§4.9, "again" of the field notes).

import type { OrderStore } from '../orders/order-store';
import type { PaymentService } from '../payment-service/payment-service';
import { toCustomData } from './charge-id';
import type { NotStarted, StartCharges } from './start-charges';
import type { Submission, SubmitCharge } from './submit-charge';
import type { FindKeyProblem, KeyProblem } from './usable-key';

export type ChargeOutcome = Submission | { kind: NotStarted['kind'] | KeyProblem };
export type ChargeOrder = (charge: { merchantUid: string; customerUid: string }) => Promise<ChargeOutcome>;

type Dependencies = {
  orders: Pick<OrderStore, 'findOrder'>;
  findKeyProblem: FindKeyProblem;
  startCharges: StartCharges;
  submitCharge: SubmitCharge;
  service: Pick<PaymentService, 'payAgain'>;
};

/** @throws DatabaseFault when the charge could not be noted: then nothing was sent. */
export function createChargeOrder(dependencies: Dependencies): ChargeOrder {
  const { orders, findKeyProblem, startCharges, submitCharge, service } = dependencies;

  return async function chargeOrder({ merchantUid, customerUid }) {
    const order = await orders.findOrder(merchantUid);
    if (!order) return { kind: 'order_not_found' };
    const problem = await findKeyProblem(customerUid, order);
    if (problem) return { kind: problem };
    const begun = await startCharges([{ merchantUid, kind: 'again', customerUid, scheduleAt: null }]);
    if (!('started' in begun)) return { kind: begun.kind };
    const [charge] = begun.started;
    if (!charge) throw new Error('a started charge is missing');
    return submitCharge(charge, () =>
      service.payAgain({
        customerUid,
        merchantUid,
        name: order.name,
        amount: Number(order.amount),
        currency: order.currency,
        customData: toCustomData(charge.id),
      }),
    );
  };
}
