// A member's card as the API description shows it.

import type { z } from 'zod';
import type { cardListSchema } from './member-card-schema';

export const cardListExample = [
  {
    customer_uid: 'member-7-card-1',
    card_name: '현대카드',
    card_number: '4242-42**-****-4242',
    state: 'active',
    chargeable: true,
    created_at: '2026-11-20T05:12:40.000Z',
  },
] satisfies z.input<typeof cardListSchema>;
