// GET /api/charges: every attempt to take money, the newest first; POST /api/charges/{id}/settle: a person says what
// became of one.

import type { z } from 'zod';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { DECISION_ERRORS, decisionError } from '../attempts/decision';
import { chargeDecisionExample, settledChargeExample } from './charge-examples';
import {
  chargeDecisionSchema,
  chargeJson,
  chargeListSchema,
  chargesQuery,
  parseCursor,
  storedChargeSchema,
  toCursor,
} from './charge-list-schema';
import { findCharges } from './charge-list-store';
import { findCharge } from './charge-store';
import { decideCharge } from './decide-charge';
import { chargeErrors } from './errors';

export const chargeListRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/charges',
    summary: 'Attempts to take money, the newest first',
    query: chargesQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: chargeListSchema,
        example: { list: [settledChargeExample], next: null },
      },
    },
    handle: async (context, { query }) => ({ body: await listCharges(context, query) }),
  }),
  apiRoute({
    method: 'post',
    path: '/api/charges/{id}/settle',
    summary: 'A person says what became of a charge; the service must not contradict it',
    body: chargeDecisionSchema,
    example: chargeDecisionExample,
    answers: {
      200: { description: 'Settled.', schema: storedChargeSchema, example: settledChargeExample },
    },
    errors: [chargeErrors.charge_not_found, chargeErrors.order_scheduled, ...DECISION_ERRORS],
    asksService: true,
    async handle(context, { params: { id }, body, log }) {
      if (!/^[\w-]{1,32}$/.test(id)) throw new HttpError(chargeErrors.charge_not_found);
      log({ charge_id: id });
      const outcome = await decideCharge(context, { id, ...body });
      log({ outcome: outcome.kind });
      if (outcome.kind === 'scheduled') throw new HttpError(chargeErrors.order_scheduled);
      if (outcome.kind !== 'settled') throw decisionError(outcome, chargeErrors.charge_not_found);
      const charge = await findCharge(context, id);
      if (!charge) throw new HttpError(chargeErrors.charge_not_found);
      return { body: chargeJson(charge) };
    },
  }),
];

export async function listCharges(context: Context, query: z.output<typeof chargesQuery>) {
  const { limit, status, merchant_uid: merchantUid, svc_uid: svcUid, customer_uid: customerUid } = query;
  const after = query.after === undefined ? undefined : parseCursor(query.after);
  const filter = { after, merchantUid, svcUid, customerUid, status, needsPerson: query.needs_person };
  const rows = await findCharges(context, filter, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { list: page.map(chargeJson), next: last && rows.length > limit ? toCursor(last) : null };
}
