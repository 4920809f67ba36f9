// The parts of this folder, put together.

import { createBillingKeyStore } from '../cards/billing-key-store';
import type { Charging } from '../charges/compose-charges';
import type { Dependencies } from '../dependencies';
import { createOrderStore } from '../orders/order-store';
import { createRegisterOrder } from '../orders/register-order';
import { createPlanPayments } from './plan-payments';
import { createPlanRoutes } from './plan-routes';
import { createRevokeAll } from './revoke-all';
import { createRevokePayments } from './revoke-payments';
import { createScheduleListRoutes } from './schedule-list-routes';

export function composeSchedules(dependencies: Dependencies, charging: Charging) {
  const { database, service, schedule, clock } = dependencies;
  const keys = createBillingKeyStore(database);
  const registerOrder = createRegisterOrder({ store: createOrderStore(database), clock });
  const planning = { ...charging, registerOrder, service, schedule, clock };
  const revokePayments = createRevokePayments(planning);
  return {
    /** For whoever is about to delete a key. */
    revokeAll: createRevokeAll({ service, revokePayments }),
    apiRoutes: [
      createPlanRoutes({ planPayments: createPlanPayments(planning), revokePayments, keys }),
      createScheduleListRoutes(service),
    ],
  };
}
