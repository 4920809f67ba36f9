// A refund in the API.

import { z } from 'zod';
import { RefundStatus, type Refund } from '../../../generated/prisma/client';
import { keptLine, strictBody, textLine } from '../../platform/http/body-fields';
import {
  attemptJson,
  attemptShape,
  byField,
  decisionShape,
  requesterField,
} from '../attempts/attempt-schema';
import { discrepancySchema, refundedDiscrepancyExample } from '../discrepancies/routes';
import { paymentExample, paymentSchema } from '../payments/payment-schema';

/** §8: at most 256 characters. */
const MAX_CANCEL_REASON_LENGTH = 256;

/** §2.4 shows lengths only for a telephone number and a bank code. The others are our choice. */
const refundAccountField = strictBody({
  holder: textLine(40),
  bank: textLine(8).meta({ description: 'Code of the bank, such as 088 (§2.4).' }),
  account: textLine(40),
  tel: textLine(16).optional().meta({ description: 'Required by some providers.' }),
})
  .optional()
  .meta({
    description:
      'The account to which a deposit to a virtual account is refunded. Required for such a payment, refused for others, and not stored.',
  });

/** The fields of a request for a refund. */
export const refundShape = {
  amount: z.int().positive().optional().meta({ description: 'By default the whole balance.' }),
  tax_free: z.int().min(0).optional().meta({
    description:
      'The tax-free part of the refund; at most the refund, and at most what is left of the payment’s own. By default the service divides the amount.',
  }),
  reason: keptLine(MAX_CANCEL_REASON_LENGTH).meta({ description: 'Why; the service stores it.' }),
  checksum: z.int().positive().optional().meta({
    description:
      'The balance before this refund; required with `amount`. If it differs, nothing is refunded.',
  }),
  refund_account: refundAccountField,
};

/**
 * Partial refunds can repeat, so a request sent twice looks like two partial refunds. The caller's balance tells them
 * apart: the second request finds a different one.
 */
export const refundSchema = strictBody({ ...refundShape, by: requesterField }).refine(
  ({ amount, checksum }) => amount === undefined || checksum !== undefined,
  { path: ['checksum'], message: 'is required with amount: the balance before this refund' },
);

/** Refunds the whole balance, so there is no amount. */
export const discrepancyRefundSchema = strictBody({
  reason: keptLine(MAX_CANCEL_REASON_LENGTH),
  refund_account: refundAccountField,
  by: byField,
});

/** `unknown` (202): the answer was lost. The poll that finds the refund resolves the discrepancy. */
export const refundedDiscrepancySchema = z.object({
  outcome: z.enum(['refunded', 'unknown']),
  discrepancy: discrepancySchema,
});

/** `unknown` (202): the answer was lost and is polled for. Until the outcome is known, nothing more is refunded. */
export const refundedSchema = z
  .object({ outcome: z.enum(['cancelled', 'unknown']), payment: paymentSchema })
  .meta({ id: 'RefundedPayment', description: 'The outcome of a refund, and its payment afterwards.' });

export const refundExample = {
  amount: 4_000,
  checksum: 12_000,
  reason: 'One of three was broken',
} satisfies z.input<typeof refundSchema>;

export const refundedExample = {
  outcome: 'cancelled',
  payment: {
    ...paymentExample,
    status: 'cancelled',
    cancel_amount: refundExample.amount,
    cancel_reason: refundExample.reason,
    cancelled_at: '2026-11-23T02:30:00.000Z',
    fetched_at: '2026-11-23T02:30:01.011Z',
    regressed_at: null,
    record: { ...paymentExample.record, status: 'cancelled', cancel_amount: refundExample.amount },
  },
};

export const discrepancyRefundExample = {
  reason: 'The amount was wrong',
  by: 'kim',
} satisfies z.input<typeof discrepancyRefundSchema>;

export const discrepancyRefundedExample = { outcome: 'refunded', discrepancy: refundedDiscrepancyExample };

export const storedRefundSchema = z
  .strictObject({
    id: z.string(),
    svc_uid: z.string(),
    discrepancy_id: z
      .string()
      .nullable()
      .meta({ description: 'The discrepancy that this refund resolves; null for a refund by svc_uid.' }),
    amount: z.int().positive().nullable().meta({
      description:
        'Null if the service showed no whole amount: all that the payment held was then to be refunded.',
    }),
    tax_free: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'The tax-free part of the amount; null if it was not given.' }),
    currency: z.string().nullable().meta({ description: 'Null if the service did not say it.' }),
    cancelled_before: z.int().min(0).meta({ description: 'The cancelled amount before this refund.' }),
    cancel_reason: z.string(),
    requested_by: z.string().nullable(),
    status: z.enum(RefundStatus),
    ...attemptShape,
  })
  .meta({ id: 'Refund', description: 'One refund.' });

export function refundJson(row: Refund): z.output<typeof storedRefundSchema> {
  return {
    id: String(row.id),
    svc_uid: row.svcUid,
    discrepancy_id: row.discrepancyId === null ? null : String(row.discrepancyId),
    amount: row.amount === null ? null : Number(row.amount),
    tax_free: row.taxFree === null ? null : Number(row.taxFree),
    currency: row.currency,
    cancelled_before: Number(row.cancelledBefore),
    cancel_reason: row.cancelReason,
    requested_by: row.requestedBy,
    status: row.status,
    ...attemptJson(row),
  };
}

export const refundDecisionSchema = strictBody({
  outcome: z.enum(['refunded', 'not_executed']),
  ...decisionShape,
});

export const refundDecisionExample = {
  outcome: 'not_executed',
  note: 'The service’s console shows none',
  by: 'kim',
} satisfies z.input<typeof refundDecisionSchema>;

export const settledRefundExample = {
  id: '17',
  svc_uid: 'svc_20261121a7f3',
  discrepancy_id: null,
  amount: refundExample.amount,
  tax_free: null,
  currency: 'KRW',
  cancelled_before: 0,
  cancel_reason: refundExample.reason,
  requested_by: null,
  status: 'not_executed',
  reason: 'no_answer',
  polls: 0,
  not_found_polls: 0,
  started_at: '2026-11-23T02:30:00.000Z',
  resolved_at: '2026-11-23T03:00:00.000Z',
  settled_by: refundDecisionExample.by,
  settle_note: refundDecisionExample.note,
} satisfies z.input<typeof storedRefundSchema>;
