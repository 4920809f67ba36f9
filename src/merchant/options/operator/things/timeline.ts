// The history of one payment, or of an order with all of its payments, oldest first.

import type { Note, RefundRequest } from '../../../../generated/prisma/client';
import { chargeAttempt } from '../../../core/charges/attempt';
import type { chargeJson } from '../../../core/charges/charge-schema';
import { eventList } from '../../../core/events/event-list';
import type { PaymentHistory } from '../../../core/payments/payment-history-store';
import { refundJson } from '../../../core/refunds/refund-schema';
import { isMerchantUid } from '../../../payment-service/identifiers';
import type { Context } from '../../../platform/context';
import { paymentStatus } from '../frame/page';
import type { ColumnName } from '../frame/words';
import { deliveriesText, deliveryState, type ToldEvent } from '../lists/event-list';
import { findNotes } from '../queue/note-store';
import { findRequestsOf } from '../refunds/refund-request-store';
import type { OperatorTexts } from '../texts';

type Moment = {
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

/** Charges and events that a page shows. The lists have all. */
const MOST_ROWS = 100;

/**
 * The history, and the rows in it that a page also shows elsewhere.
 * @param about an order of which these are the payments; `isWhole` for the order itself, with the notes on it
 */
export async function readTimeline(
  context: Context,
  about: { merchantUid: string; svcUids: readonly string[]; isWhole: boolean },
  payments: readonly PaymentHistory[],
) {
  const { merchantUid, svcUids, isWhole } = about;
  const ofOrder = { merchant_uid: merchantUid, limit: MOST_ROWS };
  const [charges, events, requests] = await Promise.all([
    chargeAttempt.list.read(context, ofOrder),
    // An order id that no filter accepts has no events.
    isMerchantUid(merchantUid) ? eventList.read(context, ofOrder) : { list: [] },
    findRequestsOf(context, svcUids),
  ]);
  const refunds = payments.flatMap((each) => each.refunds.map(refundJson));
  const discrepancies = payments.flatMap((each) => each.discrepancies);
  const idsOf = (rows: readonly { id: string | bigint }[]) => rows.map(({ id }) => String(id));
  const notes = await findNotes(context, [
    { subject: 'order', ids: isWhole ? [merchantUid] : [] },
    { subject: 'discrepancy', ids: idsOf(discrepancies) },
    { subject: 'charge', ids: idsOf(charges.list) },
    { subject: 'refund', ids: idsOf(refunds) },
  ]);
  return {
    refunds,
    notes,
    openDiscrepancies: discrepancies.filter(({ resolvedAt }) => resolvedAt === null),
    timeline: timelineOf(payments, { refunds, charges: charges.list, events: events.list, notes, requests }),
  };
}

function timelineOf(
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

function paymentMoments({ payment, notifications, discrepancies }: PaymentHistory): Moment[] {
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
