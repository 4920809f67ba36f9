// What the routes of subscriptions refuse.

import { defineErrors } from '../../platform/errors';

export const subscriptionErrors = defineErrors({
  subscription_not_found: {
    status: 404,
    message: 'No subscription has this id.',
    remedy: 'Create it with POST /api/subscriptions.',
  },
  subscription_conflict: {
    status: 409,
    message: 'The subscription_id stands for a subscription with other content.',
    remedy: 'Take a new subscription_id for another subscription; cancel the old one if it is replaced.',
  },
});
