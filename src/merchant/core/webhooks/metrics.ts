// What the webhook counts.

import type { Gauges } from '../../platform/context';
import { AT_MOST } from '../../platform/gauge-store';
import type { CounterRows } from '../../platform/metrics';
import { readNotificationGauges } from './notification-list-store';

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

export const webhookGauges: Gauges = {
  read: readNotificationGauges,
  rows: {
    merchant_notifications_open: {
      help: `Notifications that are to be checked, again or for the first time. ${AT_MOST}`,
    },
    // One that was checked and is looked at again, such as for an order that nobody has registered, is not among them.
    merchant_notifications_oldest_unchecked_age_seconds: {
      help: 'How long ago the oldest notification was received that could not be checked so far; 0 where there is none.',
    },
  },
};
