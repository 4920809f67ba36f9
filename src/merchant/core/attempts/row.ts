// The columns that issuances, charges and refunds share.

import { TO_NULL } from '../../platform/personal-data';
import { column, count, text, time } from '../../platform/row';

const decider = text.nullable().describe('The person who decided; null if none has.');

/** The last lines of each of the three. */
export const ATTEMPT_LINES = {
  // The words of the card company or the service.
  reason: column(TO_NULL, text.nullable(), 'no_answer', 'words'),
  polls: column('stays', count, 0),
  notFoundPolls: column('stays', count, 0),
  startedAt: column('stays', time, '2026-11-21T09:30:00.000Z', 'time'),
  resolvedAt: column('stays', time.nullable(), '2026-11-21T10:00:00.000Z', { detail: 'time' }),
  settledBy: column('typed', decider, 'kim', { detail: 'text' }),
  settleNote: column('typed', text.nullable(), null, { detail: 'text' }),
};
