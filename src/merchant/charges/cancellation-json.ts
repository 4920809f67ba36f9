// A cancellation as the merchant's own systems ask for it and are told of it.

import { z } from 'zod';

/** §8: at most 256 characters. */
const MAX_REASON_LENGTH = 256;

/**
 * A part can be cancelled again and again, so a request that was sent twice looks like two parts. The balance that the
 * caller has in mind tells them apart: the second one finds another.
 */
export const cancellationSchema = z
  .object({
    amount: z.int().positive().optional().meta({ description: 'Absent: all that is left.' }),
    reason: z.string().trim().min(1).max(MAX_REASON_LENGTH),
    checksum: z.int().positive().optional().meta({
      description:
        'The balance before this cancellation; required with `amount`. Another balance cancels nothing.',
    }),
  })
  .refine(({ amount, checksum }) => amount === undefined || checksum !== undefined, {
    path: ['checksum'],
    message: 'is required with amount: the balance before this cancellation',
  });

/** `unknown` (202): the answer was lost, and the outcome is being found out; until then nothing more is cancelled. */
export const cancelledSchema = z.object({
  outcome: z.enum(['cancelled', 'unknown']),
  payment: z.looseObject({ svc_uid: z.string(), status: z.string(), cancel_amount: z.int().min(0) }).meta({
    description: 'The payment as GET /api/payments/{svc_uid} shows it.',
  }),
});
