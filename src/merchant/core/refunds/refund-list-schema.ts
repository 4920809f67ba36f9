// A refund as the merchant's own systems see it, and what a person says of it.

import { z } from 'zod';
import type { Refund } from '../../../generated/prisma/client';
import { strictBody } from '../../platform/http/body-fields';
import { keysetPageSchema, ofPayment } from '../../platform/http/query';
import { attemptJson, attemptShape, attemptsQuery } from '../attempts/attempt-schema';
import { decisionShape } from '../attempts/decision-schema';

const statuses = ['pending', 'unknown', 'refunded', 'refused', 'not_executed', 'needs_review'] as const;

export const refundsQuery = z.object({
  svc_uid: ofPayment,
  status: z.enum(statuses).optional(),
  ...attemptsQuery,
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
    ...attemptShape,
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
    ...attemptJson(row),
  };
}
