// GET /api/charges: every attempt to take money, the newest first; POST /api/charges/{id}/settle: a person says what
// became of one.

import { z } from 'zod';
import { ChargeKind, ChargeStatus, type Charge } from '../../../generated/prisma/client';
import { HttpError } from '../../platform/errors';
import type { ApiRoute } from '../../platform/http/api-route';
import { strictBody } from '../../platform/http/body-fields';
import { defineList, listRoute, type Cursor } from '../../platform/http/list';
import { ofBillingKey, ofOrder, ofPayment } from '../../platform/http/query';
import { attemptJson, attemptShape, decisionShape, needsPersonField } from '../attempts/attempt-schema';
import { settleRoute } from '../attempts/settle-route';
import { findCharge, findCharges, type ChargePosition } from './charge-store';
import { decideCharge } from './decide-charge';
import { chargeErrors } from './errors';

const storedChargeSchema = z
  .strictObject({
    id: z.string(),
    merchant_uid: z.string(),
    kind: z.enum(ChargeKind),
    customer_uid: z.string().nullable(),
    schedule_at: z.iso.datetime().nullable(),
    status: z.enum(ChargeStatus),
    svc_uid: z.string().nullable().meta({ description: 'Its payment, as soon as it is known.' }),
    ...attemptShape,
  })
  .meta({ id: 'Charge', description: 'One attempt to take money for an order.' });

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

/** Their ids are random, so a page begins after a time and an id. */
const byStart: Cursor<ChargePosition, ChargePosition> = {
  text: z.string().regex(/^\d{1,14}-[\w-]{1,32}$/, 'must be the "next" of a page'),
  toText: ({ startedAt, id }) => `${startedAt.getTime()}-${id}`,
  toPlace(text) {
    const end = text.indexOf('-');
    return { startedAt: new Date(Number(text.slice(0, end))), id: text.slice(end + 1) };
  },
};

export const chargeList = defineList({
  filters: {
    merchant_uid: ofOrder,
    svc_uid: ofPayment,
    customer_uid: ofBillingKey,
    status: z.enum(ChargeStatus).optional(),
    needs_person: needsPersonField,
  },
  cursor: byStart,
  find: findCharges,
  json: chargeJson,
});

export const chargeDecisionSchema = strictBody({
  outcome: z.enum(['paid', 'not_executed']),
  ...decisionShape,
});

const decisionExample = {
  outcome: 'not_executed',
  note: 'The card company has no approval',
  by: 'kim',
} satisfies z.input<typeof chargeDecisionSchema>;

const settledExample = {
  id: 'boeeplloabnegohaljcanogkfmaldfaj',
  merchant_uid: 'order-1005',
  kind: 'again',
  customer_uid: 'member-7-card-1',
  schedule_at: null,
  status: 'not_executed',
  svc_uid: null,
  reason: 'no_answer',
  polls: 0,
  not_found_polls: 0,
  started_at: '2026-11-21T09:30:00.000Z',
  resolved_at: '2026-11-21T10:00:00.000Z',
  settled_by: decisionExample.by,
  settle_note: decisionExample.note,
} satisfies z.input<typeof storedChargeSchema>;

export const chargeListRoutes: ApiRoute[] = [
  listRoute(chargeList, {
    path: '/api/charges',
    summary: 'Attempts to take money, the newest first',
    id: 'ChargeList',
    item: storedChargeSchema,
    example: settledExample,
  }),
  settleRoute({
    list: 'charges',
    summary: 'A person says what became of a charge; the service must not contradict it',
    decision: chargeDecisionSchema,
    example: decisionExample,
    stored: storedChargeSchema,
    storedExample: settledExample,
    notFound: chargeErrors.charge_not_found,
    otherErrors: [chargeErrors.order_scheduled],
    logName: 'charge_id',
    isId: (id) => /^[\w-]{1,32}$/.test(id),
    decide: async (context, id, decision) => {
      const outcome = await decideCharge(context, { id, ...decision });
      if (outcome.kind === 'scheduled') throw new HttpError(chargeErrors.order_scheduled);
      return outcome;
    },
    find: findCharge,
    json: chargeJson,
  }),
];
