// Where a payment and an order may be, as values of a property.

import fc from 'fast-check';
import type { OrderStatus } from '../../src/generated/prisma/client';

/** As it is stored. */
export const paymentStatus = fc.constantFrom(
  'ready' as const,
  'paid' as const,
  'cancelled' as const,
  'failed' as const,
);
export const orderStatusNow = fc.constantFrom<OrderStatus>(
  ...(['open', 'awaiting_deposit', 'paid', 'partially_cancelled', 'cancelled', 'failed', 'closed'] as const),
);
