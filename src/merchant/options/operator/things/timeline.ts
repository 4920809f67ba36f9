// The chain of one payment, or of an order with its payments (core/payments/payment-chain.ts), with what only operators do:
// notes, and refunds that wait for a second person.

import type { Note, RefundRequest } from '../../../../generated/prisma/client';
import { publishEvents } from '../../../core/events/event-store';
import { byTime, readChain, type Moment as ChainMoment } from '../../../core/payments/payment-chain';
import type { Context } from '../../../platform/context';
import { findNotes } from '../queue/note-store';
import { findRequestsOf } from '../refunds/refund-request-store';
import type { OperatorTexts } from '../texts';

type Moment = Pick<ChainMoment, 'at' | 'id' | 'status' | 'facts' | 'deliveries'> & {
  what: keyof OperatorTexts['operator']['moments'];
};

/**
 * The history, and the rows in it that a page also shows elsewhere.
 * @param about an order of which these are the payments; `isWhole` for the order itself, with the notes on it
 */
export async function readTimeline(
  context: Context,
  about: { merchantUid: string; svcUids: readonly string[]; isWhole: boolean },
) {
  const { merchantUid, svcUids, isWhole } = about;
  // Includes events that have just happened.
  await publishEvents(context);
  const [{ moments, histories, charges }, requests] = await Promise.all([
    readChain(context, { merchantUid, svcUids }),
    findRequestsOf(context, svcUids),
  ]);
  const refunds = histories.flatMap((each) => each.refunds);
  const discrepancies = histories.flatMap((each) => each.discrepancies);
  const idsOf = (rows: readonly { id: string | bigint }[]) => rows.map(({ id }) => String(id));
  const notes = await findNotes(context, [
    { subject: 'order', ids: isWhole ? [merchantUid] : [] },
    { subject: 'discrepancy', ids: idsOf(discrepancies) },
    { subject: 'charge', ids: idsOf(charges) },
    { subject: 'refund', ids: idsOf(refunds) },
  ]);
  const own: Moment[] = [...requests.flatMap(requestMoments), ...notes.map(noteMoment)];
  return {
    refunds,
    notes,
    openDiscrepancies: discrepancies.filter(({ resolvedAt }) => resolvedAt === null),
    timeline: byTime<Moment>([...moments, ...own]),
  };
}

function noteMoment({ subject, subjectId, writtenAt, writtenBy, text }: Note): Moment {
  const facts = { written_by: writtenBy, settle_note: text };
  return { at: writtenAt, what: `note_${subject}`, id: subjectId, status: null, facts, deliveries: [] };
}

function requestMoments(row: RefundRequest): Moment[] {
  const common = { id: String(row.id), deliveries: [] };
  const facts = { amount: Number(row.amount), currency: row.currency, cancel_reason: row.reason };
  return [
    {
      ...common,
      at: row.requestedAt,
      what: 'refund_request',
      status: row.decision ?? 'refund_requested',
      facts: { ...facts, requested_by: row.requestedBy },
    },
    ...(row.decidedAt
      ? [
          {
            ...common,
            at: row.decidedAt,
            what: 'refund_decision' as const,
            status: row.decision,
            facts: { settled_by: row.decidedBy },
          },
        ]
      : []),
  ];
}
