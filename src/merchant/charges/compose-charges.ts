// The parts of this folder, put together.

import { createBillingKeyStore } from '../cards/billing-key-store';
import { createResolveIssuance } from '../cards/resolve-issuance';
import type { Dependencies } from '../dependencies';
import { createOrderStore } from '../orders/order-store';
import { createRegisterOrder } from '../orders/register-order';
import { createPaymentStore } from '../payments/payment-store';
import type { SyncPayment } from '../payments/sync-payment';
import { createLookForSchedule } from '../schedules/look-for-schedule';
import { createCancelPayment } from './cancel-payment';
import { createCancellationJobs } from './cancellation-jobs';
import { createCancellationRoutes } from './cancellation-routes';
import { createCancellationStore } from './cancellation-store';
import { createChargeJobs } from './charge-jobs';
import { createChargeOrder } from './charge-order';
import { createChargeRoutes } from './charge-routes';
import { createChargeStore } from './charge-store';
import { createFollowIssuance } from './follow-issuance';
import { createLookForPayment } from './look-for-payment';
import { createNoted } from './outcome-of-call';
import { createPayOnetime } from './pay-onetime';
import { createResolveCharge, type LookForCharge } from './resolve-charge';
import { createSettleCancellation } from './settle-cancellation';
import { createSettleCharge } from './settle-charge';
import { createStartCharges } from './start-charges';
import { createSubmitCharge } from './submit-charge';
import { createFindKeyProblem } from './usable-key';

/** What planned payments share with those that are made at once. */
export type Charging = ReturnType<typeof composeCharges>['charging'];

export function composeCharges(dependencies: Dependencies, syncPayment: SyncPayment) {
  const { database, service, schedule, clock, logger } = dependencies;
  const orders = createOrderStore(database);
  const keys = createBillingKeyStore(database);
  const { findPayment } = createPaymentStore(database);
  const noted = createNoted(logger);
  const shared = { service, syncPayment, findPayment, schedule, noted, clock, logger };

  const store = createChargeStore(database);
  const lookForPayment = createLookForPayment(shared);
  const lookForSchedule = createLookForSchedule(shared);
  const look: LookForCharge = (charge) =>
    charge.kind === 'schedule' ? lookForSchedule(charge) : lookForPayment(charge);
  const settleCharge = createSettleCharge({ ...shared, store });
  const resolveCharge = createResolveCharge({ ...shared, store, look, settleCharge });
  const startCharges = createStartCharges({ ...shared, store, orders, resolveCharge });
  const submitCharge = createSubmitCharge({ ...shared, store, settleCharge });
  const findKeyProblem = createFindKeyProblem(keys);
  const chargeJobs = createChargeJobs({ ...shared, store, resolveCharge });
  const resolveIssuance = createResolveIssuance({ ...shared, store: keys });
  const payOnetime = createPayOnetime({
    ...shared,
    registerOrder: createRegisterOrder({ store: orders, clock }),
    startCharges,
    submitCharge,
    charges: store,
    keys,
    followIssuance: createFollowIssuance({ ...shared, store: keys, resolveIssuance }),
  });

  const cancellations = createCancellationStore(database);
  const settleCancellation = createSettleCancellation({ ...shared, store: cancellations });
  const cancelling = { ...shared, store: cancellations, settleCancellation };
  const cancellationJobs = createCancellationJobs(cancelling);

  return {
    charging: { store, startCharges, findKeyProblem, noted },
    apiRoutes: [
      createChargeRoutes({
        chargeOrder: createChargeOrder({ ...shared, orders, findKeyProblem, startCharges, submitCharge }),
        payOnetime,
        orders,
        clock,
      }),
      createCancellationRoutes({ cancelPayment: createCancelPayment(cancelling), findPayment }),
    ],
    tasks: {
      'resolve-charge': (payload: unknown) => chargeJobs.resolve(payload),
      'resolve-open-charges': () => chargeJobs.resolveOpen(),
      'resolve-cancellation': (payload: unknown) => cancellationJobs.resolve(payload),
      'resolve-open-cancellations': () => cancellationJobs.resolveOpen(),
    },
  };
}
