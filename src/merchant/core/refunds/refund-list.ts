// GET /api/refunds: every attempt to give money back, the newest first; POST /api/refunds/{id}/settle: a person says what
// became of one.

import { z } from 'zod';
import { RefundStatus, type Refund } from '../../../generated/prisma/client';
import type { ApiRoute } from '../../platform/http/api-route';
import { strictBody } from '../../platform/http/body-fields';
import { byId, defineList, listRoute } from '../../platform/http/list';
import { ofPayment } from '../../platform/http/query';
import {
  attemptJson,
  attemptShape,
  decisionShape,
  isRowId,
  needsPersonField,
} from '../attempts/attempt-schema';
import { settleRoute } from '../attempts/settle-route';
import { decideRefund } from './decide-refund';
import { refundErrors } from './errors';
import { refundExample } from './refund-schema';
import { findRefund, findRefunds } from './refund-store';

const storedRefundSchema = z
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
    status: z.enum(RefundStatus),
    ...attemptShape,
  })
  .meta({ id: 'Refund', description: 'One attempt to give money back.' });

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

export const refundList = defineList({
  filters: {
    svc_uid: ofPayment,
    status: z.enum(RefundStatus).optional(),
    needs_person: needsPersonField,
  },
  cursor: byId,
  find: findRefunds,
  json: refundJson,
});

export const refundDecisionSchema = strictBody({
  outcome: z.enum(['refunded', 'not_executed']),
  ...decisionShape,
});

const decisionExample = {
  outcome: 'not_executed',
  note: 'The service’s console shows none',
  by: 'kim',
} satisfies z.input<typeof refundDecisionSchema>;

const settledExample = {
  id: '17',
  svc_uid: 'svc_20261121a7f3',
  discrepancy_id: null,
  amount: refundExample.amount,
  cancelled_before: 0,
  cancel_reason: refundExample.reason,
  requested_by: null,
  status: 'not_executed',
  reason: 'no_answer',
  polls: 0,
  not_found_polls: 0,
  started_at: '2026-11-23T02:30:00.000Z',
  resolved_at: '2026-11-23T03:00:00.000Z',
  settled_by: decisionExample.by,
  settle_note: decisionExample.note,
} satisfies z.input<typeof storedRefundSchema>;

export const refundListRoutes: ApiRoute[] = [
  listRoute(refundList, {
    path: '/api/refunds',
    summary: 'Attempts to give money back, the newest first',
    id: 'RefundList',
    item: storedRefundSchema,
    example: settledExample,
  }),
  settleRoute({
    list: 'refunds',
    summary: 'A person says what became of a refund; the service must not contradict it',
    decision: refundDecisionSchema,
    example: decisionExample,
    stored: storedRefundSchema,
    storedExample: settledExample,
    notFound: refundErrors.refund_not_found,
    logName: 'refund_id',
    isId: isRowId,
    decide: (context, id, decision) => decideRefund(context, { id: BigInt(id), ...decision }),
    find: (context, id) => findRefund(context, BigInt(id)),
    json: refundJson,
  }),
];
