// GET /api/discrepancies lists what was checked and did not fit, the newest first. With POST
// /api/discrepancies/{id}/resolve a person resolves one.

import { z } from 'zod';
import { DiscrepancyKind } from '../../../generated/prisma/client';
import type { ActionQueue, Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { strictBody } from '../../platform/http/body-fields';
import { byId, defineList, listRoute } from '../../platform/http/list';
import { flag, isoTime, ofOrder, ofPayment } from '../../platform/http/query';
import { decisionShape, isRowId } from '../attempts/attempt-schema';
import { DECISION_ERRORS, decisionError } from '../attempts/decision';
import { decideDiscrepancy } from './decide-discrepancy';
import { discrepancyErrors } from './errors';
import { discrepancyKinds, isAboutMoney } from './kinds';
import { discrepancyRow } from './row';
import { countOpenDiscrepancies, findDiscrepancies, findDiscrepancy, type StoredDiscrepancy } from './store';

export const discrepancySchema = z
  .strictObject(discrepancyRow.shape)
  .meta({ id: 'Discrepancy', description: 'A payment that was checked and does not match.' });

export const discrepancyJson = (row: StoredDiscrepancy): z.output<typeof discrepancySchema> =>
  discrepancyRow.json(row);

export const discrepancyList = defineList({
  filters: {
    svc_uid: ofPayment,
    merchant_uid: ofOrder,
    kind: z.enum(DiscrepancyKind).optional(),
    open: flag.optional().meta({ description: 'Whether it is open.' }),
    from: isoTime.optional().meta({ description: 'Last seen at or after this time.' }),
    to: isoTime.optional().meta({ description: 'Last seen at or before this time.' }),
  },
  cursor: byId,
  find: findDiscrepancies,
  json: discrepancyJson,
});

/** What a person decides about a billing key has a route of its own. */
export const resolveSchema = strictBody({
  resolution: z.enum(['accepted', 'refunded', 'ignored']),
  ...decisionShape,
});

const resolveExample = {
  resolution: 'ignored',
  note: 'A try of our own',
  by: 'kim',
} satisfies z.input<typeof resolveSchema>;

const RESOLVED_AT = '2026-11-21T10:00:00.000Z';

export const resolvedDiscrepancyExample: z.input<typeof discrepancySchema> = {
  ...discrepancyRow.example,
  resolved_at: RESOLVED_AT,
  resolution: resolveExample.resolution,
  resolved_by: resolveExample.by,
  resolution_note: resolveExample.note,
};

export const refundedDiscrepancyExample = {
  ...resolvedDiscrepancyExample,
  resolution: 'refunded',
  resolution_note: 'The amount was wrong',
};

/** The id in a path. @throws HttpError `discrepancy_not_found` */
export function discrepancyId(text = ''): bigint {
  if (!isRowId(text)) throw new HttpError(discrepancyErrors.discrepancy_not_found);
  return BigInt(text);
}

/** @throws HttpError `discrepancy_not_found` */
export async function readDiscrepancy(context: Context, id: bigint): Promise<StoredDiscrepancy> {
  const discrepancy = await findDiscrepancy(context, id);
  if (!discrepancy) throw new HttpError(discrepancyErrors.discrepancy_not_found);
  return discrepancy;
}

export const discrepancyRoutes: ApiRoute[] = [
  listRoute(discrepancyList, {
    path: '/api/discrepancies',
    summary: 'Payments that did not match, newest first',
    id: 'DiscrepancyList',
    item: discrepancySchema,
    example: discrepancyRow.example,
  }),
  apiRoute({
    method: 'post',
    path: '/api/discrepancies/{id}/resolve',
    scope: 'orders',
    summary: 'Resolve a discrepancy; no money moves, and no order changes',
    body: resolveSchema,
    example: resolveExample,
    answers: {
      200: { description: 'Resolved.', schema: discrepancySchema, example: resolvedDiscrepancyExample },
    },
    errors: [discrepancyErrors.discrepancy_not_found, ...DECISION_ERRORS],
    asksService: true,
    async handle(context, { params, body, sent, log }) {
      const id = discrepancyId(params.id);
      log({ discrepancy_id: params.id });
      const outcome = await decideDiscrepancy(context, { id, ...body, sent });
      log({ outcome: outcome.kind });
      if (outcome.kind !== 'settled') throw decisionError(outcome, discrepancyErrors.discrepancy_not_found);
      return { body: discrepancyJson(await readDiscrepancy(context, id)) };
    },
  }),
];

/** The action queue has one section per kind, so that many of one kind do not hide another. */
export const discrepancyQueue: ActionQueue = {
  kind: 'discrepancies',
  subject: 'discrepancy',
  async findWaiting(context, limit) {
    const [[{ merchant_discrepancies_open: counts }], ...sections] = await Promise.all([
      countOpenDiscrepancies(context),
      ...discrepancyKinds.map(async (kind) => ({
        kind,
        page: await discrepancyList.read(context, { open: true, kind, limit }),
      })),
    ]);
    return sections.map(({ kind, page: { list, next } }) => ({
      items: list,
      hasMore: next !== null,
      filters: { open: 'true', kind },
      // Counting stops at 100,000 over all kinds, so a kind may be listed but not counted.
      group: { name: kind, count: Math.max(counts[kind] ?? 0, list.length), isLast: !isAboutMoney(kind) },
    }));
  },
};
