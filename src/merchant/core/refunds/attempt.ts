// What a refund shares with issuances and charges.

import { z } from 'zod';
import { RefundStatus, type Refund } from '../../../generated/prisma/client';
import { byId, defineList } from '../../platform/http/list';
import { ofPayment } from '../../platform/http/query';
import type { AttemptKind } from '../attempts/attempt-kind';
import { needsPersonField } from '../attempts/attempt-schema';
import { checkRefundDecision } from './decide-refund';
import { refundRecovery } from './recover-refund';
import { refundErrors } from './refund-response';
import {
  refundDecisionExample,
  refundDecisionSchema,
  refundJson,
  settledRefundExample,
  storedRefundSchema,
} from './refund-schema';
import { findRefunds } from './refund-store';

export const refundAttempt = {
  ...refundRecovery,
  check: checkRefundDecision,
  notFound: refundErrors.refund_not_found,
  decision: {
    scope: 'refund',
    summary: 'Record a person’s decision on a refund; the service must not contradict it',
    schema: refundDecisionSchema,
    example: refundDecisionExample,
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
  stored: { schema: storedRefundSchema, example: settledRefundExample, json: refundJson },
} satisfies AttemptKind<Refund, 'refunded' | 'not_executed'>;
