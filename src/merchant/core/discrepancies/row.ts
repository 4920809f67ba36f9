// The table of discrepancies: one fact that does not fit in each row.

import { z } from 'zod';
import { DiscrepancyKind, DiscrepancyResolution, type Discrepancy } from '../../../generated/prisma/client';
import { column, describeRow, text, time, type Lines } from '../../platform/row';

const expected = text.nullable().describe('What the merchant expected.');
const actual = text.nullable().describe('What the service showed.');
const resolvedAt = time.nullable().describe('Null while it is open.');
const resolution = z.enum(DiscrepancyResolution).nullable().meta({
  description: 'What a person decided; null while it is open, and if a matching payment resolved it.',
});

export const discrepancyRow = describeRow({
  id: column('stays', text, '17'),
  kind: column('stays', z.enum(DiscrepancyKind), 'amount_mismatch'),
  svcUid: column('stays', text, 'svc_20261121b0c4'),
  merchantUid: column('stays', text, 'order-1004'),
  expected: column('stays', expected, '12000 KRW'),
  actual: column('stays', actual, '1000 KRW'),
  timesSeen: column('stays', z.int().min(1), 1),
  firstSeenAt: column('stays', time, '2026-11-21T09:20:00.000Z'),
  lastSeenAt: column('stays', time, '2026-11-21T09:20:00.000Z'),
  resolvedAt: column('stays', resolvedAt, null),
  resolution: column('stays', resolution, null),
  resolvedBy: column('typed', text.nullable(), null),
  resolutionNote: column('typed', text.nullable(), null),
} satisfies Lines<Discrepancy>);
