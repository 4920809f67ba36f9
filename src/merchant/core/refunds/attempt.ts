// What a refund shares with issuances and charges.

import { z } from 'zod';
import { RefundStatus, type Refund } from '../../../generated/prisma/client';
import { strictBody } from '../../platform/http/body-fields';
import { byId, defineList } from '../../platform/http/list';
import { ofPayment } from '../../platform/http/query';
import type { AttemptKind } from '../attempts/attempt-kind';
import { decisionShape, needsPersonField } from '../attempts/attempt-schema';
import { checkRefundDecision } from './decide-refund';
import { refundRecovery } from './recover-refund';
import { refundErrors } from './refund-response';
import { refundJson, storedRefundSchema } from './refund-schema';
import { findRefunds } from './refund-store';
import { refundRow } from './row';

const example = { outcome: 'not_executed', note: 'The service’s console shows none', by: 'kim' };
const settledExample = {
  ...refundRow.example,
  started_at: '2026-11-23T02:30:00.000Z',
  resolved_at: '2026-11-23T03:00:00.000Z',
  settle_note: example.note,
};

export const refundAttempt = {
  ...refundRecovery,
  check: checkRefundDecision,
  notFound: refundErrors.refund_not_found,
  decision: {
    scope: 'refund',
    summary: 'Record a person’s decision on a refund; the service must not contradict it',
    schema: strictBody({ outcome: z.enum(['refunded', 'not_executed']), ...decisionShape }),
    example,
  },
  list: defineList({
    filters: {
      svc_uid: ofPayment,
      status: z.enum(RefundStatus).optional(),
      needs_person: needsPersonField,
    },
    cursor: byId,
    find: findRefunds,
    json: refundJson,
  }),
  listSummary: 'Refunds, newest first',
  stored: { schema: storedRefundSchema, example: settledExample, json: refundJson },
} satisfies AttemptKind<Refund, 'refunded' | 'not_executed'>;
