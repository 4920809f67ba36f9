// GET /api/discrepancies lists what was checked and did not fit, the newest first. With POST
// /api/discrepancies/{id}/resolve a person resolves one.

import { z } from 'zod';
import { DiscrepancyKind, DiscrepancyResolution } from '../../../generated/prisma/client';
import type { ActionQueue } from '../../platform/context';
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
import { countOpenDiscrepancies, findDiscrepancies, findDiscrepancy, type StoredDiscrepancy } from './store';

const time = z.iso.datetime();

export const discrepancySchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(DiscrepancyKind),
    svc_uid: z.string(),
    merchant_uid: z.string(),
    expected: z.string().nullable().meta({ description: 'What the merchant expected.' }),
    actual: z.string().nullable().meta({ description: 'What the service showed.' }),
    times_seen: z.int().min(1),
    first_seen_at: time,
    last_seen_at: time,
    resolved_at: time.nullable().meta({ description: 'Null while it is open.' }),
    resolution: z.enum(DiscrepancyResolution).nullable().meta({
      description: 'What a person decided; null while it is open, and if a matching payment resolved it.',
    }),
    resolved_by: z.string().nullable(),
    resolution_note: z.string().nullable(),
  })
  .meta({ id: 'Discrepancy', description: 'A payment that was checked and does not match.' });

export function discrepancyJson(row: StoredDiscrepancy): z.output<typeof discrepancySchema> {
  return {
    id: String(row.id),
    kind: row.kind,
    svc_uid: row.svcUid,
    merchant_uid: row.merchantUid,
    expected: row.expected,
    actual: row.actual,
    times_seen: row.timesSeen,
    first_seen_at: row.firstSeenAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
    resolution: row.resolution,
    resolved_by: row.resolvedBy,
    resolution_note: row.resolutionNote,
  };
}

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

export const resolveSchema = strictBody({ resolution: z.enum(DiscrepancyResolution), ...decisionShape });

const discrepancyExample = {
  id: '17',
  kind: 'amount_mismatch',
  svc_uid: 'svc_20261121b0c4',
  merchant_uid: 'order-1004',
  expected: '12000 KRW',
  actual: '1000 KRW',
  times_seen: 1,
  first_seen_at: '2026-11-21T09:20:00.000Z',
  last_seen_at: '2026-11-21T09:20:00.000Z',
  resolved_at: null,
  resolution: null,
  resolved_by: null,
  resolution_note: null,
} satisfies z.input<typeof discrepancySchema>;

const resolveExample = {
  resolution: 'ignored',
  note: 'A try of our own',
  by: 'kim',
} satisfies z.input<typeof resolveSchema>;

const RESOLVED_AT = '2026-11-21T10:00:00.000Z';

const resolvedExample = {
  ...discrepancyExample,
  resolved_at: RESOLVED_AT,
  resolution: resolveExample.resolution,
  resolved_by: resolveExample.by,
  resolution_note: resolveExample.note,
};

export const refundedDiscrepancyExample = {
  ...resolvedExample,
  resolution: 'refunded',
  resolution_note: 'The amount was wrong',
};

export const discrepancyRoutes: ApiRoute[] = [
  listRoute(discrepancyList, {
    path: '/api/discrepancies',
    summary: 'Payments that did not match, newest first',
    id: 'DiscrepancyList',
    item: discrepancySchema,
    example: discrepancyExample,
  }),
  apiRoute({
    method: 'post',
    path: '/api/discrepancies/{id}/resolve',
    scope: 'orders',
    summary: 'Resolve a discrepancy; no money moves, and no order changes',
    body: resolveSchema,
    example: resolveExample,
    answers: { 200: { description: 'Resolved.', schema: discrepancySchema, example: resolvedExample } },
    errors: [discrepancyErrors.discrepancy_not_found, ...DECISION_ERRORS],
    asksService: true,
    async handle(context, { params, body, sent, log }) {
      if (!isRowId(params.id)) throw new HttpError(discrepancyErrors.discrepancy_not_found);
      const id = BigInt(params.id);
      log({ discrepancy_id: params.id });
      const outcome = await decideDiscrepancy(context, { id, ...body, sent });
      log({ outcome: outcome.kind });
      if (outcome.kind !== 'settled') throw decisionError(outcome, discrepancyErrors.discrepancy_not_found);
      const discrepancy = await findDiscrepancy(context, id);
      if (!discrepancy) throw new HttpError(discrepancyErrors.discrepancy_not_found);
      return { body: discrepancyJson(discrepancy) };
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
