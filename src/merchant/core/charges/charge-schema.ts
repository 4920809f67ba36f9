// Charges in the API.

import { z } from 'zod';
import type { ScheduleRevocation } from '../../../generated/prisma/client';
import { isCustomerUid } from '../../payment-service/identifiers';
import { strictBody } from '../../platform/http/body-fields';
import { requesterField } from '../attempts/attempt-schema';
import { isOpen } from '../attempts/attempt-statuses';
import { orderSchema, paidOrderExample } from '../orders/order-schema';
import { paymentShape, refusedBesideCards } from '../orders/payment-fields-schema';
import type { StoredCharge } from './charge-store';
import { chargeRow } from './row';

export const customerUidField = z
  .string()
  .refine(isCustomerUid, 'must be letters, digits, "_" or "-", at most 80')
  .meta({ description: 'Your own id of the billing key (§1).' });

export const chargeSchema = strictBody({
  customer_uid: customerUidField,
  ...paymentShape,
  ...refusedBesideCards,
  by: requesterField,
});

/** `unknown` (202): the answer was lost and is polled for. Until the outcome is known, the order cannot be charged. */
const chargedSchema = z
  .object({ outcome: z.enum(['paid', 'unknown']), order: orderSchema })
  .meta({ id: 'ChargedOrder', description: 'The outcome of a charge, and its order afterwards.' });

export const chargedAnswers = (example: unknown) => ({
  200: { description: 'Paid.', schema: chargedSchema, example },
  202: { description: 'The answer was lost; its outcome is polled for.', schema: chargedSchema },
});

export const chargeExample = {
  customer_uid: 'member-7-card-1',
} satisfies z.input<typeof chargeSchema>;

export const chargedExample = { outcome: 'paid', order: paidOrderExample };

export const storedChargeSchema = z
  .strictObject({
    ...chargeRow.shape,
    revocation: z
      .strictObject({
        since: z.iso.datetime().meta({ description: 'When the order was finished.' }),
        reason: z.string().nullable().meta({
          description: 'Why the last try to revoke it failed, which is a case for a person; null before.',
        }),
      })
      .nullable()
      .meta({
        description:
          'While its schedule is to be revoked, because its order was paid, refunded in full or closed; null otherwise.',
      }),
  })
  .meta({ id: 'Charge', description: 'One attempt to take money for an order.' });

export function chargeJson(row: StoredCharge): z.output<typeof storedChargeSchema> {
  const revocation = isOpen(row.status) && row.revocation ? revocationJson(row.revocation) : null;
  return { ...chargeRow.json(row), revocation };
}

const revocationJson = ({ since, reason }: ScheduleRevocation) => ({ since: since.toISOString(), reason });
