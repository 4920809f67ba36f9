import { defineSettings, onOrOff } from '../../platform/settings';

export const orderSettings = defineSettings({
  shape: {
    /** Whether to announce each order's amount to the service when it is registered (§4.9, `/payments/prepare`). */
    ANNOUNCE_ORDERS: onOrOff,
  },
});
