// The erasure of a member as the API description shows it.

import type { z } from 'zod';
import { erasureJson, type erasureSchema } from './erasure-schema';

const shown = erasureJson([], { kind: 'erased', toCheck: [{ kind: 'refund', id: '23' }] });
/** The list is shortened. */
const columns = ['billing_keys.customer_uid', 'billing_keys.status', 'billing_keys.card_name'];

export const erasedExample = {
  ...shown,
  kept: { ...shown.kept, columns },
} satisfies z.input<typeof erasureSchema>;

export const erasingExample = {
  ...erasedExample,
  status: 'in_progress',
  waiting: [{ kind: 'order', id: 'order-1003', reason: 'charge_pending' }],
} satisfies z.input<typeof erasureSchema>;
