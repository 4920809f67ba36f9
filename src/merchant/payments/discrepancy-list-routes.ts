// GET /api/discrepancies: what was checked and did not fit, the newest first.

import express, { type Router } from 'express';
import { z } from 'zod';
import { flag, keysetPage, keysetQuery, parseQuery, toPeriod, unixSeconds } from '../http/query';
import { isMerchantUid, isSvcUid } from '../payment-service/identifiers';
import { discrepancyJson, discrepancyKinds, type discrepancyListSchema } from './discrepancy-list-json';
import type { DiscrepancyListStore } from './discrepancy-list-store';

export const discrepanciesQuery = z.object({
  svc_uid: z.string().refine(isSvcUid, 'is no svc_uid').optional(),
  merchant_uid: z.string().refine(isMerchantUid, 'is no merchant_uid').optional(),
  kind: discrepancyKinds.optional(),
  open: flag.optional().meta({ description: 'Whether nobody has settled it yet.' }),
  from: unixSeconds.optional().meta({ description: 'Last seen at or after, UNIX seconds.' }),
  to: unixSeconds.optional().meta({ description: 'Last seen at or before, UNIX seconds.' }),
  ...keysetQuery,
});

export function createDiscrepancyListRoutes(store: DiscrepancyListStore): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.get('/discrepancies', async (request, response) => {
    const query = parseQuery(discrepanciesQuery, request);
    const rows = await store.findDiscrepancies(
      {
        after: query.after,
        svcUid: query.svc_uid,
        merchantUid: query.merchant_uid,
        kind: query.kind,
        open: query.open,
        ...toPeriod(query),
      },
      query.limit + 1,
    );
    const { page, next } = keysetPage(rows, query.limit);
    response.json({ list: page.map(discrepancyJson), next } satisfies z.output<typeof discrepancyListSchema>);
  });
  return router;
}
