// GET /api/ledger/problems: what imports of settlement files could not store, and what their files lack.

import { z } from 'zod';
import { SettlementProblemKind, type SettlementProblem } from '../../../generated/prisma/client';
import { decisionShape, isRowId } from '../../core/attempts/attempt-schema';
import type { Context } from '../../platform/context';
import { defineErrors, HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { strictBody } from '../../platform/http/body-fields';
import { byId, defineList, listRoute } from '../../platform/http/list';
import { flag } from '../../platform/http/query';
import { findProblems, resolveProblem } from './problem-store';
import { problemRow } from './row';

export const ledgerErrors = defineErrors({
  settlement_problem_not_found: {
    status: 404,
    message: 'There is no problem of a settlement file with this id.',
    remedy: 'See GET /api/ledger/problems.',
  },
});

const problemSchema = z
  .strictObject({
    ...problemRow.shape,
    paid_out_on: z.iso.date().nullable().meta({ description: 'The day that the row says.' }),
    ledger_amounts: z.array(z.int()).meta({ description: 'The amounts in the ledger, if they differ.' }),
  })
  .meta({ id: 'SettlementProblem', description: 'What an import could not store, or what its file lacks.' });

const problemExample = {
  ...problemRow.example,
  paid_out_on: '2026-11-25',
  ledger_amounts: [12_000],
} satisfies z.input<typeof problemSchema>;

export type ProblemJson = z.output<typeof problemSchema>;

const problemJson = (row: SettlementProblem): ProblemJson => ({
  ...problemRow.json(row),
  paid_out_on: row.paidOutOn?.toISOString().slice(0, 10) ?? null,
  ledger_amounts: row.ledgerAmounts.map(Number),
});

export const problemList = defineList({
  filters: {
    open: flag.optional().meta({ description: 'Whether it is open.' }),
    problem: z.enum(SettlementProblemKind).optional(),
  },
  cursor: byId,
  find: findProblems,
  json: problemJson,
});

/** @throws HttpError `settlement_problem_not_found` */
export async function decideProblem(
  context: Context,
  id: string,
  decision: { by: string; note: string },
): Promise<SettlementProblem> {
  const row = isRowId(id) ? await resolveProblem(context, BigInt(id), decision) : null;
  if (!row) throw new HttpError(ledgerErrors.settlement_problem_not_found);
  return row;
}

const resolveExample = { note: 'The PG pays it out next month', by: 'kim' };

export const problemRoutes: ApiRoute[] = [
  listRoute(problemList, {
    path: '/api/ledger/problems',
    summary: 'Problems of settlement files, newest first',
    id: 'SettlementProblemList',
    item: problemSchema,
    example: problemExample,
  }),
  apiRoute({
    method: 'post',
    path: '/api/ledger/problems/{id}/resolve',
    scope: 'orders',
    summary: 'Resolve a problem of a settlement file',
    description: 'A person has seen it. Nothing else changes. One that is resolved stays as it is.',
    body: strictBody(decisionShape),
    example: resolveExample,
    answers: {
      200: {
        description: 'Resolved.',
        schema: problemSchema,
        example: {
          ...problemExample,
          resolved_at: '2026-12-01T02:00:00.000Z',
          resolved_by: resolveExample.by,
          resolution_note: resolveExample.note,
        },
      },
    },
    errors: [ledgerErrors.settlement_problem_not_found],
    async handle(context, { params, body, log }) {
      log({ settlement_problem_id: params.id });
      return { body: problemJson(await decideProblem(context, params.id ?? '', body)) };
    },
  }),
];
