// The page that the payment window returns to, and the API call that syncs a payment.

import type { Feature } from '../../platform/http/feature-type';
import { checkoutCounters } from './pace-looks';
import { returnRoutes } from './return-routes';
import { checkoutSettings } from './settings';
import { syncRoutes } from './sync-routes';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const checkout: Feature = {
  name: 'checkout',
  settings: checkoutSettings,
  api: { payments: { routes: syncRoutes } },
  pages: ({ context, views }) => returnRoutes(context, views),
  texts: { ko, en },
  counters: checkoutCounters,
};
