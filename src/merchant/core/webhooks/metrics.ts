// Counters of the webhook.

import type { CounterRows } from '../../platform/metrics';

export const webhookCounters = {
  notifications: {
    name: 'merchant_notifications_total',
    help: 'Notifications by the outcome that was answered.',
    labels: ['outcome'],
  },
  unlistedSources: {
    name: 'merchant_webhook_unlisted_sources_total',
    help: 'Requests to the webhook from an address that is not listed.',
    labels: [],
  },
  paced: {
    name: 'merchant_notifications_paced_total',
    help: 'Attempts to check a notification that were put off because too many name what we do not know.',
    labels: [],
  },
} as const satisfies CounterRows;
