// The additional checks of `npm run doctor -- --live`, in the order of docs/04-going-live.md.

import type { Config } from '../platform/config';
import type { Context } from '../platform/context';
import { problemsInProduction } from '../platform/environment';
import { checkFirstPayment, webhookUrl } from './check-first-payment';
import { checkPublicPages } from './check-public-pages';
import { checkOrderEvents, checkShop } from './check-shop';
import { checkLegalPages, type Check } from './doctor-checks';

/** Nothing is live outside production. Reports the settings that production still needs. */
export function checkProduction({ production }: Config): Check[] {
  if (production) return [];
  const problems = problemsInProduction();
  const missing =
    problems.length > 0 ? `\nand these settings are not ready for production:\n${problems.join('\n')}` : '';
  return [
    {
      name: 'production',
      state: 'failed',
      says: `NODE_ENV is not production${missing}`,
      fix: 'Set NODE_ENV=production and the settings named here; .env.example explains them.',
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
    ...byHand(config.publicUrl),
  ];
}

/** The checks that need no settings. */
export async function liveWithoutSettings(): Promise<Check[]> {
  return [await checkLegalPages(true), ...checkShop({ orderEvents: null }), ...byHand(null)];
}

/**
 * What no program can check and a person must tick off. docs/04-going-live.md explains each item.
 * @param publicUrl null if PUBLIC_URL is not set yet
 */
function byHand(publicUrl: string | null): Check[] {
  const items: Record<string, [says: string, fix: string]> = {
    contracts: [
      'a contract with a payment gateway that allows you to issue billing keys from your own card form (§1)',
      'Ask the service and the gateway: both review it, and so do the card companies.',
    ],
    'card data': [
      'card numbers pass through this server, so PCI DSS applies to it (SAQ D)',
      'Agree with your acquirer on the questionnaire. Without the card form it is shorter: docs/04-going-live.md.',
    ],
    console: [
      `in the service’s admin console, live settings: Endpoint URL ${webhookUrl(publicUrl)}, content type application/json; requested from the service: up to five sends of a notification (§6.3, §6.5)`,
      'Enter the first two there; the service sets the third on request.',
    ],
    backups: [
      'the database is backed up, and a backup has been restored once',
      'Restore one into an empty database, and run npm run reconcile -- --dry-run on it.',
    ],
    alerts: [
      'a person is alerted when a decision is needed or notifications are refused',
      'docs/05-monitoring.md has the alert rules.',
    ],
  };
  return Object.entries(items).map(([name, [says, fix]]) => ({ name, state: 'by hand', says, fix }));
}
