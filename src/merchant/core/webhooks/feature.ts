// A notification arrives: sender, inbox, answer, retries.

import type { Feature } from '../../platform/http/feature-type';
import { RESUME_NOTIFICATIONS } from './follow-service';
import { webhookCounters, webhookGauges } from './metrics';
import { notificationRoutes } from './notification-routes';
import { notificationColumns } from './personal-data';
import { probeService, resumeNotifications } from './resume-notifications';
import { retryNotifications } from './retry-notifications';
import { sourceRoutes } from './source-routes';
import { PROBE_SERVICE, RETRY_DUE_NOTIFICATIONS } from './wake-retries';
import { webhookDescription } from './webhook-description';
import { webhookRoutes } from './webhook-routes';

export const webhooks: Feature = {
  name: 'webhooks',
  endpoints: ({ context }) => webhookRoutes(context),
  api: {
    notifications: {
      description: 'What the service told about payments: how it is received, and what became of it (§6).',
      routes: [...notificationRoutes, ...sourceRoutes],
      endpoints: [webhookDescription],
    },
  },
  jobs: [
    { ...RETRY_DUE_NOTIFICATIONS, run: retryNotifications },
    { ...PROBE_SERVICE, run: probeService },
    { ...RESUME_NOTIFICATIONS, run: resumeNotifications },
  ],
  personalData: notificationColumns,
  counters: webhookCounters,
  gauges: webhookGauges,
};
