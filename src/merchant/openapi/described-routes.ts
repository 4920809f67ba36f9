// Every route that programs call. One that is missing here fails a test.

import { chargeDescriptions } from './charge-descriptions';
import { listDescriptions } from './list-descriptions';
import { operationDescriptions } from './operation-descriptions';
import { orderDescriptions } from './order-descriptions';
import type { RouteDescription } from './route-description';
import { webhookDescription } from './webhook-description';

export const describedRoutes: readonly RouteDescription[] = [
  ...orderDescriptions,
  ...chargeDescriptions,
  ...listDescriptions,
  webhookDescription,
  ...operationDescriptions,
];
