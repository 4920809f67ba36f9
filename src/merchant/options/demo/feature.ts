// The landing page, and a demo shop. The shop exists in sandbox mode only.

import { Router } from 'express';
import type { Feature } from '../../platform/http/feature-type';
import { clockNotice } from './clock-notice';
import { demoErrors } from './demo-plan';
import { demoRoutes, landingRoutes } from './demo-routes';
import { findCardUses } from './demo-store';
import { SAMPLE_PHRASES } from './sample-phrases';
import { shopHeader, shopLinks } from './shop-header';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { createTravellingClock, followSandbox, isTravelling } from './travel';

export const demo: Feature = {
  name: 'demo',
  needs: ['subscriptions', 'window-keys'],
  errors: demoErrors,
  pages({ context, views }) {
    const router = Router();
    if (!context.config.production) router.use(landingRoutes(context, views));
    if (isTravelling(context.clock)) router.use(demoRoutes(context, views, context.clock));
    return router;
  },
  clock: createTravellingClock,
  start: followSandbox,
  header: shopHeader,
  paymentLinks: shopLinks,
  notice: clockNotice,
  phrases: ({ sandboxMode }) => (sandboxMode ? SAMPLE_PHRASES : []),
  cardUses: (context, memberId) =>
    context.config.sandboxMode ? findCardUses(context, memberId) : Promise.resolve([]),
  texts: { ko, en },
};
