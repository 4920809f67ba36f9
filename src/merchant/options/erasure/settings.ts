import { z } from 'zod';
import { defineSettings } from '../../platform/settings';

export const erasureSettings = defineSettings({
  shape: {
    /** Days to keep notifications, resolved discrepancies and delivered events. */
    KEEP_NOTIFICATIONS_DAYS: z.coerce
      .number('must be a number of days')
      .int('must be whole days')
      .min(30, 'must be at least 30: what is younger may still be needed to clear up a payment')
      .max(36_500, 'must be at most 36500')
      .default(400),
  },
});
