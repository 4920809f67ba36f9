// The values that the console's templates show.

import { testCards } from '../billing-keys/test-cards';
import type { ControlContext } from '../controls/control-context';
import { FAULT_KINDS } from '../http/faults';
import type { Notification } from '../notifications/notification';
import { isSuccess } from '../notifications/resend-delay';
import { cancelledAmount } from '../payments/payment';

const MAX_SHOWN = 30;

export function viewConsole(context: ControlContext) {
  const { service, faults } = context;
  const { clock, timeline, settings } = service;
  const next = timeline.nextMs();
  return {
    now: koreanTime(clock.now()),
    next: next === undefined ? null : koreanTime(Math.ceil(next / 1000)),
    settings: settings.get(),
    endpoints: faults.endpoints,
    faultKinds: FAULT_KINDS,
    faults: faults.list(),
    testCards,
    activity: viewActivity(context),
    suggestedOrder: `order-${clock.now()}-${service.payments.count() + 1}`,
  };
}

/** Payments by their last change, notifications and requests, the newest first. */
export function viewActivity({ service, requestLog }: ControlContext) {
  const latest = { filter: 'all', sort: 'updated', newestFirst: true } as const;
  const everything = { from: 0, to: Infinity, includeSandbox: true };
  const { total, payments } = service.payments.byStatus({ ...latest, ...everything }, 0, MAX_SHOWN);
  return {
    total,
    payments: payments.map((payment) => ({
      svcUid: payment.svcUid,
      merchantUid: payment.merchantUid,
      status: payment.status,
      amount: `${payment.amount.toLocaleString('en')} ${payment.currency}`,
      cancelled: cancelledAmount(payment),
      updated: koreanTime(payment.updatedAt),
      isWaiting: payment.status === 'ready',
      isPaid: payment.paidAt > 0 && cancelledAmount(payment) < payment.amount,
    })),
    notifications: service.notifier.list().slice(-MAX_SHOWN).reverse().map(viewNotification),
    requests: requestLog
      .list()
      .slice(-MAX_SHOWN)
      .reverse()
      .map((request) => ({ ...request, at: koreanTime(request.at) })),
  };
}

function viewNotification(notification: Notification) {
  const last = notification.attempts.at(-1);
  const waiting = notification.next_attempt_ms;
  return {
    ...notification,
    created: koreanTime(notification.created_at),
    outcome: last ? (isSuccess(last) ? 'accepted' : 'not accepted') : 'in progress',
    next: waiting === null ? null : koreanTime(Math.ceil(waiting / 1000)),
    body: JSON.stringify(notification.body),
    attempts: notification.attempts.map((attempt) => ({
      ...attempt,
      sent: koreanTime(attempt.sent_at),
      result: attempt.answer ? `${attempt.answer.status} ${attempt.answer.body}` : (attempt.error ?? ''),
    })),
  };
}

function koreanTime(seconds: number): string {
  return `${new Date((seconds + 9 * 3600) * 1000).toISOString().slice(0, 19).replace('T', ' ')} KST`;
}
