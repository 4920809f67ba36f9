// The history of one payment, or of an order with all of its payments, oldest first. Pure.

import type { Note, RefundRequest } from '../../../generated/prisma/client';
import type { chargeJson } from '../../core/charges/charge-schema';
import type { PaymentHistory } from '../../core/reconciliation/payment-history-store';
import type { refundJson } from '../../core/refunds/refund-schema';
import { deliveriesText, deliveryState, type ToldEvent } from './event-list';
import type { ColumnName } from './foreign-words';
import { paymentStatus } from './operator-page';
import type { OperatorTexts } from './texts.ko';

export type Moment = {
  at: string;
  what: keyof OperatorTexts['operator']['moments'];
  /** A word of `statuses`; null if there is none. */
  status: string | null;
  /** Absent facts are left out. */
  facts: { name: ColumnName; value: string | number }[];
  /** The id of an event, which can be sent again; null for other entries. */
  event: string | null;
};

/** Of the order. */
type OfOrder = {
  refunds: ReturnType<typeof refundJson>[];
  charges: ReturnType<typeof chargeJson>[];
  events: ToldEvent[];
  notes: Note[];
  requests: RefundRequest[];
};

export function timelineOf(
  payments: readonly PaymentHistory[],
  { refunds, charges, events, notes, requests }: OfOrder,
): Moment[] {
  const moments: Moment[] = [
    ...payments.flatMap(paymentMoments),
    ...charges.map((row) =>
      moment(row.started_at, 'charge', row.status, {
        id: row.id,
        customer_uid: row.customer_uid,
        ...settlementOf(row),
      }),
    ),
    ...refunds.map((row) =>
      moment(row.started_at, 'refund', row.status, {
        id: row.id,
        amount: row.amount,
        currency: row.currency,
        cancel_reason: row.cancel_reason,
        requested_by: row.requested_by,
        ...settlementOf(row),
      }),
    ),
    ...requests.flatMap(requestMoments),
    ...notes.map(({ subject, subjectId, writtenAt, writtenBy, text }) =>
      moment(writtenAt, `note_${subject}`, null, { id: subjectId, written_by: writtenBy, settle_note: text }),
    ),
    ...events.map((row) => ({
      ...moment(row.timestamp, 'event', deliveryState(row), {
        id: row.id,
        type: row.type,
        deliveries: deliveriesText(row),
      }),
      event: row.id,
    })),
  ];
  return moments.sort((one, other) => one.at.localeCompare(other.at));
}

function paymentMoments({ payment, notifications, discrepancies, difference }: PaymentHistory): Moment[] {
  return [
    ...notifications.flatMap((row) => [
      moment(row.receivedAt, 'notification', row.outcome ?? 'queued', {
        id: String(row.id),
        claimed_status: row.claimedStatus,
        source_address: row.sourceAddress,
        attempts: row.attempts,
        reason: row.reason,
      }),
      ...(row.judgedAt ? [moment(row.judgedAt, 'judged', row.outcome, { id: String(row.id) })] : []),
    ]),
    ...discrepancies.flatMap((row) => [
      moment(row.firstSeenAt, 'discrepancy', row.kind, {
        id: String(row.id),
        expected: row.expected,
        actual: row.actual,
        times_seen: row.timesSeen,
      }),
      ...(row.resolvedAt
        ? [
            moment(row.resolvedAt, 'resolved', row.resolution ?? 'settled', {
              id: String(row.id),
              settled_by: row.resolvedBy,
              settle_note: row.resolutionNote,
            }),
          ]
        : []),
    ]),
    ...(payment ? [moment(payment.createdAt, 'stored', null, {})] : []),
    ...(payment && +payment.updatedAt > +payment.createdAt
      ? [moment(payment.updatedAt, 'changed', paymentStatus(payment), {})]
      : []),
    ...(difference
      ? [moment(difference.firstSeenAt, 'not_repaired', difference.outcome, { reason: difference.reason })]
      : []),
  ];
}

function requestMoments(row: RefundRequest): Moment[] {
  const id = String(row.id);
  return [
    moment(row.requestedAt, 'refund_request', row.decision ?? 'refund_requested', {
      id,
      amount: Number(row.amount),
      currency: row.currency,
      cancel_reason: row.reason,
      requested_by: row.requestedBy,
    }),
    ...(row.decidedAt
      ? [moment(row.decidedAt, 'refund_decision', row.decision, { id, settled_by: row.decidedBy })]
      : []),
  ];
}

/** Why a charge or refund ended this way. */
function settlementOf({ reason, settled_by, settle_note }: OfOrder['refunds' | 'charges'][number]) {
  return { reason, settled_by, settle_note };
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
    event: null,
  };
}
