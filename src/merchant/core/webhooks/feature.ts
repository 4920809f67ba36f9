// Receiving notifications: source check, inbox, answer, retries.

import { AT_MOST } from '../../platform/gauge-store';
import type { Feature } from '../../platform/http/feature-type';
import { notificationRoutes } from './notification-list';
import { readNotificationGauges } from './notification-list-store';
import { webhookCounters } from './notification-outcomes';
import { retryNotifications } from './retry-notifications';
import { RETRY_DUE_NOTIFICATIONS } from './retry-schedule';
import { notificationRow } from './row';
import { webhookSettings } from './settings';
import { sourceRoutes } from './source-routes';
import { webhookDescription } from './webhook-description';
import { webhookRoutes } from './webhook-routes';

export const webhooks: Feature = {
  name: 'webhooks',
  settings: webhookSettings,
  endpoints: ({ context }) => webhookRoutes(context),
  api: {
    notifications: {
      description: 'Notifications of the service, and their outcomes (§6).',
      routes: [...notificationRoutes, ...sourceRoutes],
      endpoints: [webhookDescription],
    },
  },
  jobs: [{ ...RETRY_DUE_NOTIFICATIONS, run: retryNotifications }],
  personalData: { notifications: notificationRow.erasure },
  counters: webhookCounters,
  gauges: {
    read: readNotificationGauges,
    rows: {
      merchant_notifications_open: {
        help: `Notifications that have to be checked, again or for the first time. ${AT_MOST}`,
      },
      // Excludes notifications that were checked and are retried, such as those of an order that is not registered.
      merchant_notifications_oldest_unchecked_age_seconds: {
        help: 'Age of the oldest notification that could not be checked yet; 0 if there is none.',
      },
    },
  },
};
