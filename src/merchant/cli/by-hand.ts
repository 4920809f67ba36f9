// What no program can see: the part of `npm run doctor -- --live` that a person ticks off. docs/04-going-live.md explains each.

import { WEBHOOK_PATH } from '../core/webhooks/webhook-routes';
import type { Check } from './doctor-checks';

/** @param publicOrigin null where PUBLIC_URL is not set yet */
export function byHand(publicOrigin: string | null): Check[] {
  const items: Record<string, [says: string, fix: string]> = {
    contracts: [
      'a contract with a payment gateway that lets you issue billing keys from your own card form (§1)',
      'Ask the service and the gateway: both review it, and so do the card companies.',
    ],
    'card data': [
      'card numbers pass through this server, so that PCI DSS applies to it (SAQ D)',
      'Agree with your acquirer on what to fill in. Without the card form it is less: docs/04-going-live.md.',
    ],
    console: [
      `in the service’s admin console, live settings: Endpoint URL ${webhookUrl(publicOrigin)}, content type application/json; asked of the service: up to five sends of a notification (§6.3, §6.5)`,
      'Enter them there; the sends are set by the service on request.',
    ],
    backups: [
      'the database is backed up, and a backup has been restored once',
      'Restore one into an empty database, and run npm run reconcile -- --dry-run on it.',
    ],
    alerts: [
      'somebody is told of what needs a person, and of refused notifications',
      'docs/06-runbook.md names the counters.',
    ],
  };
  return Object.entries(items).map(([name, [says, fix]]) => ({ name, state: 'by hand', says, fix }));
}

export function webhookUrl(publicOrigin: string | null): string {
  return `${publicOrigin ?? 'https://your.host'}${WEBHOOK_PATH}`;
}
