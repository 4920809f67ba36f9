import { z } from 'zod';
import { PG } from '../../payment-service/identifiers';
import { defineSettings } from '../../platform/settings';

export const cardFormSettings = defineSettings({
  shape: {
    /** The payment gateway that issues the keys of the card form (§4.2, `pg`); without it the service chooses. */
    CARD_PG: z
      .string()
      .regex(
        PG,
        'must be a provider such as "nice", or a provider, "." and your id there, such as "nice.MID"',
      )
      .optional(),
  },
});
