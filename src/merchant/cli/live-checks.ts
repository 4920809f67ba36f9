// The part of the checklist that `npm run doctor -- --live` adds, in the order in which docs/04-going-live.md goes through it.

import type { Config } from '../platform/config';
import type { Context } from '../platform/context';
import { problemsInProduction } from '../platform/environment';
import { byHand } from './by-hand';
import { checkFirstPayment } from './check-first-payment';
import { checkOrderEvents } from './check-order-events';
import { checkPublicPages } from './check-public-pages';
import { checkShop } from './check-shop';
import { checkLegalPages, type Check } from './doctor-checks';

/** Nothing is live outside production. Says what is still to be set for it. */
export function checkProduction({ production }: Config): Check[] {
  if (production) return [];
  const problems = problemsInProduction();
  const missing =
    problems.length > 0 ? `\nand these settings are not ready for it:\n${problems.join('\n')}` : '';
  return [
    {
      name: 'production',
      state: 'failed',
      says: `NODE_ENV is not production${missing}`,
      fix: 'Set NODE_ENV=production and what is named here; .env.example says how.',
    },
  ];
}

export async function liveChecks(context: Context): Promise<Check[]> {
  const { config } = context;
  return [
    ...(await checkPublicPages(config)),
    ...checkShop(config),
    await checkOrderEvents(config),
    ...(await checkFirstPayment(context)),
    ...byHand(config.publicOrigin),
  ];
}

/** What can be said before there are settings. */
export async function liveWithoutSettings(): Promise<Check[]> {
  return [await checkLegalPages(true), ...checkShop({ orderEvents: null }), ...byHand(null)];
}
