// What the webhook counts.

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
} as const satisfies CounterRows;
