// What happened about one payment, the oldest first. Pure.

import type { chargeJson } from '../charges/charge-list-schema';
import type { eventJson } from '../events/event-schema';
import type { Locale } from '../locales/ko';
import type { refundJson } from '../refunds/refund-list-schema';
import type { ColumnName } from './operator-list';
import type { PaymentHistory } from './payment-history-store';

export type Moment = {
  at: string;
  what: keyof Locale['operator']['moments'];
  /** A word of `statuses`; null where there is none. */
  status: string | null;
  /** What is not there is left out. */
  facts: { name: ColumnName; value: string | number }[];
};

type OfPayment = {
  refunds: ReturnType<typeof refundJson>[];
  charges: ReturnType<typeof chargeJson>[];
  events: ReturnType<typeof eventJson>[];
};

export function timelineOf(history: PaymentHistory, { refunds, charges, events }: OfPayment): Moment[] {
  const { payment, notifications, discrepancies, difference } = history;
  const moments: Moment[] = [
    ...notifications.map((row) =>
      moment(row.receivedAt, 'notification', row.outcome ?? 'queued', {
        id: String(row.id),
        claimed_status: row.claimedStatus,
        source_address: row.sourceAddress,
        attempts: row.attempts,
        reason: row.reason,
      }),
    ),
    ...notifications
      .filter(({ judgedAt }) => judgedAt !== null)
      .map((row) => moment(row.judgedAt ?? row.receivedAt, 'judged', row.outcome, { id: String(row.id) })),
    ...charges.map((row) =>
      moment(row.started_at, 'charge', row.status, {
        id: row.id,
        customer_uid: row.customer_uid,
        reason: row.reason,
        settled_by: row.settled_by,
        settle_note: row.settle_note,
      }),
    ),
    ...refunds.map((row) =>
      moment(row.started_at, 'refund', row.status, {
        id: row.id,
        amount: row.amount,
        cancel_reason: row.cancel_reason,
        requested_by: row.requested_by,
        reason: row.reason,
        settled_by: row.settled_by,
        settle_note: row.settle_note,
      }),
    ),
    ...discrepancies.map((row) =>
      moment(row.firstSeenAt, 'discrepancy', row.kind, {
        id: String(row.id),
        expected: row.expected,
        actual: row.actual,
        times_seen: row.timesSeen,
      }),
    ),
    ...discrepancies
      .filter(({ resolvedAt }) => resolvedAt !== null)
      .map((row) =>
        moment(row.resolvedAt ?? row.firstSeenAt, 'resolved', row.resolution ?? 'settled', {
          id: String(row.id),
          settled_by: row.resolvedBy,
          settle_note: row.resolutionNote,
        }),
      ),
    ...(payment ? [moment(payment.createdAt, 'stored', null, {})] : []),
    ...events.map((row) =>
      moment(row.timestamp, 'event', null, {
        id: row.id,
        type: row.type,
        deliveries: row.deliveries.map(({ target, state }) => `${target}: ${state}`).join(', '),
      }),
    ),
    ...(payment && +payment.updatedAt > +payment.createdAt
      ? [moment(payment.updatedAt, 'changed', payment.status, {})]
      : []),
    ...(difference
      ? [moment(difference.firstSeenAt, 'not_repaired', difference.outcome, { reason: difference.reason })]
      : []),
  ];
  return moments.sort((one, other) => one.at.localeCompare(other.at));
}

function moment(
  at: Date | string,
  what: Moment['what'],
  status: string | null,
  facts: Partial<Record<ColumnName, string | number | null>>,
): Moment {
  return {
    at: new Date(at).toISOString(),
    what,
    status,
    facts: Object.entries(facts).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [{ name: name as ColumnName, value }],
    ),
  };
}
