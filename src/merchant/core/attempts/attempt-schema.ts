// What issuances, charges and refunds have in common where they are listed: how far each attempt is, and who settled it.

import { z } from 'zod';
import { flag } from '../../platform/http/query';
import type { OpenAttempt } from './attempt-store';

const time = z.iso.datetime();

/** A filter of every list of attempts. */
export const needsPersonField = flag.optional().meta({ description: 'Whether only a person can settle it.' });

export const attemptShape = {
  reason: z.string().nullable(),
  polls: z.int().min(0),
  not_found_polls: z.int().min(0),
  started_at: time,
  resolved_at: time.nullable(),
  settled_by: z.string().nullable().meta({ description: 'The person who settled it; null where none has.' }),
  settle_note: z.string().nullable(),
};

type StoredAttempt = OpenAttempt & {
  reason: string | null;
  resolvedAt: Date | null;
  settledBy: string | null;
  settleNote: string | null;
};

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
