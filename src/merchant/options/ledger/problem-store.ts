// What imports of settlement files could not store, and what their files lack. A problem is open until a person has
// resolved it, or a later file has: with a row that fits, or with the movement that was missing.

import { createHash } from 'node:crypto';
import type { SettlementProblem, SettlementProblemKind } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import type { SettlementRow } from './settlement-file';

export type NewProblem = {
  problem: SettlementProblemKind;
  line?: number;
  columnName?: string;
  reference?: string;
  kind?: string;
  amount?: number;
  fee?: number;
  paidOutOn?: string;
  ledgerAmounts?: readonly number[];
  svcUid?: string;
  part?: number;
  /** What makes it the same problem in another import. */
  is: readonly unknown[];
};

/** In one statement. */
const AT_A_TIME = 500;

/** One that a file has resolved is open again, and one that a person has resolved stays so. */
export async function saveProblems(
  { database, clock }: Context,
  file: string,
  problems: readonly NewProblem[],
): Promise<void> {
  const now = clock.now();
  // One statement cannot update a row twice.
  const rows = [...new Map(problems.map((each) => [hashOf(each), { ...each, hash: hashOf(each) }])).values()];
  for (let first = 0; first < rows.length; first += AT_A_TIME)
    await database.$executeRaw`
      insert into settlement_problems as known (hash, problem, file, line, column_name, reference, kind, amount, fee,
        paid_out_on, ledger_amounts, svc_uid, part, found_at)
      select hash, problem, ${file}, line, left("columnName", 100), reference, kind, amount, fee, "paidOutOn",
        "ledgerAmounts", "svcUid", part, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows.slice(first, first + AT_A_TIME))}::jsonb) as found (hash text,
        problem settlement_problem_kind, line int, "columnName" text, reference text, kind text, amount bigint, fee bigint,
        "paidOutOn" date, "ledgerAmounts" bigint[], "svcUid" text, part bigint)
      on conflict (hash) do update set file = excluded.file, line = excluded.line,
        ledger_amounts = excluded.ledger_amounts,
        resolved_at = case when known.resolved_by is not null then known.resolved_at end
      where known.resolved_by is null`;
}

function hashOf({ problem, is }: NewProblem): string {
  return createHash('sha256')
    .update(JSON.stringify([problem, is]))
    .digest('hex');
}

/** Resolves what rows that fit have been about before, and the movements that are paid out now. */
export async function resolveByFile(
  { database, clock }: Context,
  rows: readonly SettlementRow[],
): Promise<void> {
  const named = rows.map(({ id, kind }) => ({ id, kind }));
  await database.$executeRaw`
    update settlement_problems p set resolved_at = ${clock.now()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as fits (id text, kind text)
    where p.resolved_at is null and p.reference = fits.id and p.kind = fits.kind and p.problem <> 'missing'`;
  await database.$executeRaw`
    update settlement_problems p set resolved_at = ${clock.now()}::timestamptz
    where p.resolved_at is null and p.problem = 'missing'
      and exists (select from settlements s where s.svc_uid = p.svc_uid and s.part = p.part)`;
}

type ProblemFilter = Partial<Pick<SettlementProblem, 'problem'>> & {
  /** True: not resolved yet. */
  open?: boolean | undefined;
  after?: bigint | undefined;
};

/** The newest first. */
export async function findProblems(
  { database }: Context,
  { open, after, ...columns }: ProblemFilter,
  take: number,
): Promise<SettlementProblem[]> {
  return database.settlementProblem.findMany({
    where: {
      ...columns,
      ...(after !== undefined && { id: { lt: after } }),
      ...(open !== undefined && { resolvedAt: open ? null : { not: null } }),
    },
    orderBy: { id: 'desc' },
    take,
  });
}

export async function countOpenProblems({ database }: Context): Promise<number> {
  return database.settlementProblem.count({ where: { resolvedAt: null } });
}

/** Keeps an earlier decision. Returns null if there is none with this id. */
export async function resolveProblem(
  { database, clock }: Context,
  id: bigint,
  { by, note }: { by: string; note: string },
): Promise<SettlementProblem | null> {
  await database.settlementProblem.updateMany({
    where: { id, resolvedAt: null },
    data: { resolvedAt: clock.now(), resolvedBy: by, resolutionNote: note },
  });
  return database.settlementProblem.findUnique({ where: { id } });
}
