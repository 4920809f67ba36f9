// The table of notifications: the inbox.

import { z } from 'zod';
import { Generation, NotificationOutcome, type Notification } from '../../../generated/prisma/client';
import { column, count, describeRow, text, time, type Lines } from '../../platform/row';

const svcUid = text.describe('As reported; tx_id of the newer generation.');
const merchantUid = text.describe('As reported; payment_id of the newer generation.');
const claimedStatus = text.nullable().describe('As reported; it is not trusted.');
const requestId = z
  .uuid()
  .nullable()
  .describe('X-Request-Id of the request, as in the log; null for old ones.');
const outcome = z.enum(NotificationOutcome).nullable().describe('Null until checked.');
const reason = text.nullable().describe('Why it is queued.');
const nextAttemptAt = time.nullable().describe('Null when nothing is left to check.');

export const notificationRow = describeRow({
  id: column('stays', text, '42', { detail: 'id' }),
  receivedAt: column('stays', time, '2026-11-21T09:00:00.980Z', 'time'),
  generation: column('stays', z.enum(Generation), 'legacy'),
  svcUid: column('stays', svcUid, 'svc_20261121a7f3', 'payment'),
  merchantUid: column('stays', merchantUid, 'order-1001', 'order'),
  claimedStatus: column('stays', claimedStatus, 'paid', 'words'),
  // The service's address, not a person's.
  sourceAddress: column('stays', text, '52.78.100.19', { detail: 'text' }),
  requestId: column('stays', requestId, '5f0c2f2e-7a5b-4a2e-9c1d-0f6b1f3c8a77'),
  outcome: column('stays', outcome, 'recorded', 'status'),
  reason: column('stays', reason, null, 'words'),
  attempts: column('stays', count, 1, 'text'),
  judgedAt: column('stays', time.nullable(), '2026-11-21T09:00:01.204Z'),
  nextAttemptAt: column('stays', nextAttemptAt, null, { detail: 'time' }),
} satisfies Lines<Notification>);
