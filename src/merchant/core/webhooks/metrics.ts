// Counters of the webhook.

import type { CounterRows } from '../../platform/metrics';

export const webhookCounters = {
  notifications: {
    name: 'merchant_notifications_total',
    help: 'Notifications by the answered outcome.',
    labels: ['outcome'],
  },
  unlistedSources: {
    name: 'merchant_webhook_unlisted_sources_total',
    help: 'Requests to the webhook from unlisted addresses.',
    labels: [],
  },
  paced: {
    name: 'merchant_notifications_paced_total',
    help: 'Checks that were postponed because too many notifications name unknown orders or payments.',
    labels: [],
  },
} as const satisfies CounterRows;
