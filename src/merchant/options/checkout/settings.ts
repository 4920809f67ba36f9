import type { AttemptLimit } from '../../platform/limit-store';
import { defineSettings } from '../../platform/settings';

/** How often visitors of the return page may make us fetch a payment (§4.4), over all processes. */
type LookLimits = {
  /** Per IPv4 address, or /64 of IPv6. Many people share one IPv4 address of a mobile network. */
  address: AttemptLimit;
  /** Per order. While a payment is not known yet, the page refreshes itself seven times in four minutes. */
  order: AttemptLimit;
};

export const LOOK_LIMITS: LookLimits = {
  address: { attempts: 60, seconds: 10 * 60 },
  order: { attempts: 30, seconds: 10 * 60 },
};

export const checkoutSettings = defineSettings({
  shape: {},
  constants: () => ({ lookLimits: LOOK_LIMITS }),
});
