// GET /api/discrepancies: what was checked and did not fit, the newest first.

import { z } from 'zod';
import type { Context } from '../../platform/context';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import {
  flag,
  isoTime,
  keysetPage,
  keysetQuery,
  ofOrder,
  ofPayment,
  toPeriod,
} from '../../platform/http/query';
import { discrepancyKinds } from './discrepancy-kinds';
import { discrepancyJson, discrepancyListSchema } from './discrepancy-schema';
import { findDiscrepancies } from './discrepancy-store';
import { discrepancyExample } from './payment-examples';

export const discrepanciesQuery = z.object({
  svc_uid: ofPayment,
  merchant_uid: ofOrder,
  kind: z.enum(discrepancyKinds).optional(),
  open: flag.optional().meta({ description: 'Whether nobody has settled it yet.' }),
  from: isoTime.optional().meta({ description: 'Last seen at or after this time.' }),
  to: isoTime.optional().meta({ description: 'Last seen at or before this time.' }),
  ...keysetQuery,
});

export const discrepancyRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/discrepancies',
    summary: 'What was checked and did not fit, the newest first',
    query: discrepanciesQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: discrepancyListSchema,
        example: { list: [discrepancyExample], next: null },
      },
    },
    handle: async (context, { query }) => ({ body: await listDiscrepancies(context, query) }),
  }),
];

export async function listDiscrepancies(context: Context, query: z.output<typeof discrepanciesQuery>) {
  const { after, svc_uid: svcUid, merchant_uid: merchantUid, kind, open, limit } = query;
  const filter = { after, svcUid, merchantUid, kind, open, ...toPeriod(query) };
  const { page, next } = keysetPage(await findDiscrepancies(context, filter, limit + 1), limit);
  return { list: page.map(discrepancyJson), next };
}
