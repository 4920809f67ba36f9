// A refund as the merchant's own systems see it, and what a person says of it.

import { z } from 'zod';
import type { Refund } from '../../generated/prisma/client';
import { strictBody } from '../http/body-fields';
import { flag, keysetPageSchema, keysetQuery } from '../http/query';
import { isSvcUid } from '../payment-service/identifiers';
import { decisionShape, settledShape } from '../recovery/decision-schema';

const statuses = ['pending', 'unknown', 'refunded', 'refused', 'not_executed', 'needs_review'] as const;
const time = z.iso.datetime();

export const refundsQuery = z.object({
  svc_uid: z.string().refine(isSvcUid, 'is no svc_uid').optional().meta({ description: 'Of this payment.' }),
  status: z.enum(statuses).optional(),
  needs_person: flag.optional().meta({ description: 'Whether only a person can settle it.' }),
  ...keysetQuery,
});

export const refundDecisionSchema = strictBody({
  outcome: z.enum(['refunded', 'not_executed']),
  ...decisionShape,
});

export const storedRefundSchema = z
  .strictObject({
    id: z.string(),
    svc_uid: z.string(),
    discrepancy_id: z
      .string()
      .nullable()
      .meta({ description: 'For which the money is given back; null for a refund by svc_uid.' }),
    amount: z.int().positive(),
    cancelled_before: z.int().min(0).meta({ description: 'What was cancelled before it.' }),
    cancel_reason: z.string(),
    requested_by: z.string().nullable(),
    status: z.enum(statuses),
    reason: z.string().nullable(),
    polls: z.int().min(0),
    not_found_polls: z.int().min(0),
    started_at: time,
    resolved_at: time.nullable(),
    ...settledShape,
  })
  .meta({ id: 'Refund', description: 'One attempt to give money back.' });

export const refundListSchema = keysetPageSchema(storedRefundSchema, 'RefundList');

export function refundJson(row: Refund): z.output<typeof storedRefundSchema> {
  return {
    id: String(row.id),
    svc_uid: row.svcUid,
    discrepancy_id: row.discrepancyId === null ? null : String(row.discrepancyId),
    amount: Number(row.amount),
    cancelled_before: Number(row.cancelledBefore),
    cancel_reason: row.cancelReason,
    requested_by: row.requestedBy,
    status: row.status,
    reason: row.reason,
    polls: row.polls,
    not_found_polls: row.notFoundPolls,
    started_at: row.startedAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
    settled_by: row.settledBy,
    settle_note: row.settleNote,
  };
}
