// A refund in the API.

import { z } from 'zod';
import type { Refund } from '../../../generated/prisma/client';
import { keptLine, strictBody, textLine } from '../../platform/http/body-fields';
import { byField, requesterField } from '../attempts/attempt-schema';
import { discrepancySchema, refundedDiscrepancyExample } from '../discrepancies/routes';
import { paymentExample, paymentSchema } from '../payments/payment-schema';
import { refundRow } from './row';

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
  .strictObject(refundRow.shape)
  .meta({ id: 'Refund', description: 'One refund.' });

export const refundJson = (row: Refund): z.output<typeof storedRefundSchema> => refundRow.json(row);
