// The parts of this folder, put together.

import type { Dependencies } from '../dependencies';
import { createOrderRoutes } from './order-routes';
import { createOrderStore } from './order-store';
import { createRegisterOrder } from './register-order';

export function composeOrders({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) {
  const store = createOrderStore(database);
  return { apiRoutes: [createOrderRoutes({ registerOrder: createRegisterOrder({ store, clock }), store })] };
}
