// The page to which the payment window leads back, and the call that asks for a payment again.

import type { Feature } from '../../platform/http/feature-type';
import { checkoutCounters } from './pace-looks';
import { returnRoutes } from './return-routes';
import { syncRoutes } from './sync-routes';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const checkout: Feature = {
  name: 'checkout',
  api: { payments: { routes: syncRoutes } },
  pages: ({ context, views }) => returnRoutes(context, views),
  texts: { ko, en },
  counters: checkoutCounters,
};
