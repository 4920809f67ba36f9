// Every outcome of a notification: its HTTP status, what it means for a person, and how it is counted. Success is 200
// (§6.5 does not show it). A false notification is answered 400, as in the merchant examples of §7.3.

import { NotificationOutcome } from '../../../generated/prisma/client';
import type { CounterRows } from '../../platform/metrics';
import { statusSet } from '../../platform/status-set';
import { DISCREPANCY_KINDS } from '../discrepancies/kinds';

type OutcomeFacts = { status: 200 | 400; means: string };

const checkedAndFalse = (kind: keyof typeof DISCREPANCY_KINDS): OutcomeFacts => ({
  status: 400,
  means: DISCREPANCY_KINDS[kind].means,
});

export const NOTIFICATION_OUTCOMES = {
  recorded: { status: 200, means: 'verified and stored' },
  unchanged: {
    status: 200,
    means: 'verified; it is stored already, or nothing is paid',
  },
  test: { status: 200, means: 'sent by the test button of the payment service; there is no such payment' },
  queued: { status: 200, means: 'could not be checked yet; retried' },
  amount_mismatch: checkedAndFalse('amount_mismatch'),
  currency_mismatch: checkedAndFalse('currency_mismatch'),
  order_mismatch: checkedAndFalse('order_mismatch'),
  unknown_order: checkedAndFalse('unknown_order'),
  unknown_payment: checkedAndFalse('unknown_payment'),
  unknown_billing_key: checkedAndFalse('unknown_billing_key'),
} as const satisfies Record<NotificationOutcome, OutcomeFacts>;

/** Most notifications have one of these. The others have their own index, `notifications_unusual`. */
export const usualOutcomes = statusSet(NotificationOutcome, (outcome) =>
  ['recorded', 'unchanged'].includes(outcome),
);

/** The outcomes that are answered with this HTTP status. */
export function outcomesAnswered(status: 200 | 400): NotificationOutcome[] {
  return Object.values(NotificationOutcome).filter(
    (outcome) => NOTIFICATION_OUTCOMES[outcome].status === status,
  );
}

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
  misdirected: {
    name: 'merchant_webhook_wrong_path_total',
    help: 'Posts from listed addresses to other paths than that of the webhook.',
    labels: [],
  },
  paced: {
    name: 'merchant_notifications_paced_total',
    help: 'Checks that were postponed because too many notifications name unknown orders or payments.',
    labels: [],
  },
} as const satisfies CounterRows;
