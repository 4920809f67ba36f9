// A charge as the merchant's own systems see it, and what a person says of it.

import { z } from 'zod';
import type { Charge } from '../../../generated/prisma/client';
import { strictBody } from '../../platform/http/body-fields';
import { keysetPageSchema, ofBillingKey, ofOrder, ofPayment } from '../../platform/http/query';
import { attemptJson, attemptShape, attemptsQuery } from '../attempts/attempt-schema';
import { decisionShape } from '../attempts/decision-schema';
import type { ChargePosition } from './charge-list-store';

const statuses = [
  'pending',
  'unknown',
  'scheduled',
  'paid',
  'failed',
  'refused',
  'not_executed',
  'revoked',
  'needs_review',
] as const;

export const chargesQuery = z.object({
  merchant_uid: ofOrder,
  svc_uid: ofPayment,
  customer_uid: ofBillingKey,
  status: z.enum(statuses).optional(),
  ...attemptsQuery,
  after: z
    .string()
    .regex(/^\d{1,14}-[\w-]{1,32}$/, 'must be the "next" of a page')
    .optional()
    .meta({ description: '`next` of the page before; absent for the first page.' }),
});

export const chargeDecisionSchema = strictBody({
  outcome: z.enum(['paid', 'not_executed']),
  ...decisionShape,
});

export const storedChargeSchema = z
  .strictObject({
    id: z.string(),
    merchant_uid: z.string(),
    kind: z.enum(['again', 'onetime', 'schedule']),
    customer_uid: z.string().nullable(),
    schedule_at: z.iso.datetime().nullable(),
    status: z.enum(statuses),
    svc_uid: z.string().nullable().meta({ description: 'Its payment, as soon as it is known.' }),
    ...attemptShape,
  })
  .meta({ id: 'Charge', description: 'One attempt to take money for an order.' });

export const chargeListSchema = keysetPageSchema(storedChargeSchema, 'ChargeList');

export function chargeJson(row: Charge): z.output<typeof storedChargeSchema> {
  return {
    id: row.id,
    merchant_uid: row.merchantUid,
    kind: row.kind,
    customer_uid: row.customerUid,
    schedule_at: row.scheduleAt?.toISOString() ?? null,
    status: row.status,
    svc_uid: row.svcUid,
    ...attemptJson(row),
  };
}

/** The cursor of the page after this row. */
export function toCursor({ startedAt, id }: ChargePosition): string {
  return `${startedAt.getTime()}-${id}`;
}

export function parseCursor(cursor: string): ChargePosition {
  const end = cursor.indexOf('-');
  return { startedAt: new Date(Number(cursor.slice(0, end))), id: cursor.slice(end + 1) };
}
