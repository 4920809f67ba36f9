// The fields that issuances, charges and refunds share in the API: polls, times, the person who resolved it, and the
// fields of a decision.

import { z } from 'zod';
import type { Charge } from '../../../generated/prisma/client';
import { keptLine, shownLine } from '../../platform/http/body-fields';
import { flag } from '../../platform/http/query';

const time = z.iso.datetime();

/** A filter of every list of attempts. */
export const needsPersonField = flag
  .optional()
  .meta({ description: 'Whether it needs the decision of a person.' });

export const attemptShape = {
  reason: z.string().nullable(),
  polls: z.int().min(0),
  not_found_polls: z.int().min(0),
  started_at: time,
  resolved_at: time.nullable(),
  settled_by: z.string().nullable().meta({ description: 'The person who decided; null if none has.' }),
  settle_note: z.string().nullable(),
};

type StoredAttempt = Pick<
  Charge,
  'reason' | 'polls' | 'notFoundPolls' | 'startedAt' | 'resolvedAt' | 'settledBy' | 'settleNote'
>;

export function attemptJson(row: StoredAttempt) {
  return {
    reason: row.reason,
    polls: row.polls,
    not_found_polls: row.notFoundPolls,
    started_at: row.startedAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
    settled_by: row.settledBy,
    settle_note: row.settleNote,
  };
}

/** Length of the column; our choice. */
const MAX_NOTE_LENGTH = 500;

/** Who decides; `api` if not given. */
export const byField = shownLine(64).default('api').meta({ description: 'Who decides; `api` by default.' });

/** Who requests an operation that moves money; absent if not given. */
export const requesterField = shownLine(64)
  .optional()
  .meta({ description: 'Who requests it, such as a person or one of your systems. It is logged.' });

export const noteField = keptLine(MAX_NOTE_LENGTH).meta({ description: 'Why. It is stored and not logged.' });

export const decisionShape = { note: noteField, by: byField };

/** Ids of numbered rows. Any other text cannot be an id. */
export const isRowId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id);
