// A discrepancy as the merchant's own systems see it.

import { z } from 'zod';
import { strictBody } from '../../platform/http/body-fields';
import { keysetPageSchema } from '../../platform/http/query';
import { decisionShape } from '../attempts/decision-schema';
import { discrepancyKinds } from './discrepancy-kinds';
import type { StoredDiscrepancy } from './discrepancy-store';

const time = z.iso.datetime();

const resolutions = ['accepted', 'refunded', 'ignored'] as const;

export const discrepancySchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(discrepancyKinds),
    svc_uid: z.string(),
    merchant_uid: z.string(),
    expected: z.string().nullable().meta({ description: 'What the merchant expected.' }),
    actual: z.string().nullable().meta({ description: 'What the service said.' }),
    times_seen: z.int().min(1),
    first_seen_at: time,
    last_seen_at: time,
    resolved_at: time.nullable().meta({ description: 'Null while nobody has settled it.' }),
    resolution: z.enum(resolutions).nullable().meta({
      description: 'What a person decided; null while it is open, and where a payment that fits settled it.',
    }),
    resolved_by: z.string().nullable(),
    resolution_note: z.string().nullable(),
  })
  .meta({ id: 'Discrepancy', description: 'Something that was checked and does not fit.' });

export const resolveSchema = strictBody({ resolution: z.enum(resolutions), ...decisionShape });

export const discrepancyListSchema = keysetPageSchema(discrepancySchema, 'DiscrepancyList');

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
