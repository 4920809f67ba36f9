// Imports a settlement file: finds the movement of each row, and stores its fee and the day of its payout. The same file
// can be imported again, and a corrected file replaces what an earlier one said. What could not be stored, and what the
// file lacks, is kept until a person has resolved it.

import { DAY_MS } from '../../platform/clock';
import type { Context } from '../../platform/context';
import type { Movement } from './ledger-store';
import { resolveByFile, saveProblems, type NewProblem } from './problem-store';
import type { SettlementColumns } from './settings';
import type { SettlementFile, SettlementRow } from './settlement-file';
import {
  findMovementsOf,
  findUnnamed,
  idsOf,
  saveSettlements,
  type Channel,
  type NewSettlement,
} from './settlement-store';

type RowProblem = {
  row: SettlementRow;
  /** Nothing is stored for any of them. */
  problem: 'not_found' | 'amount_differs' | 'repeated' | 'ambiguous';
  /** The amounts in the ledger, if they differ. */
  amounts: number[];
};

export type SettlementImport = {
  /** Movements that were not settled before. */
  added: number;
  unchanged: number;
  /** Movements with another fee or day than before. */
  changed: number;
  problems: RowProblem[];
  /** Movements that neither this file nor an earlier one has named, although later ones were paid out. */
  missing: Movement[];
};

/** Rows whose movements are read in one statement. */
const AT_A_TIME = 500;
/** Files come at least once a month, so the one before reaches back no further. */
const LOOK_BACK_MS = 31 * DAY_MS;
/** Of one method and PG. */
const MOST_MISSING = 1000;

export async function importSettlement(
  context: Context,
  by: SettlementColumns['id']['kind'],
  { name, rows, unreadable }: SettlementFile & { name: string },
): Promise<SettlementImport> {
  const result: SettlementImport = { added: 0, unchanged: 0, changed: 0, problems: [], missing: [] };
  const matched = new Set<Movement>();
  // Rows of one payment are matched together, wherever they stand in the file.
  const byId = groupBy(rows, ({ id }) => id);
  const ids = [...byId.keys()];
  for (let first = 0; first < ids.length; first += AT_A_TIME) {
    const some = ids.slice(first, first + AT_A_TIME);
    const movements = await findMovementsOf(context, by, some);
    const settled: NewSettlement[] = [];
    const fitting: SettlementRow[] = [];
    for (const id of some) {
      const ofId = movements.filter((movement) => idsOf(movement, by).includes(id));
      for (const row of byId.get(id) ?? []) {
        const found = matchRow(row, ofId, matched, by);
        if ('problem' in found) result.problems.push({ row, ...found });
        else {
          matched.add(found.movement);
          fitting.push(row);
          result[found.change] += 1;
          const { svcUid, part } = found.movement;
          if (found.change !== 'unchanged')
            settled.push({ svcUid, part, fee: row.fee, paidOutOn: row.paidOutOn });
        }
      }
    }
    await saveSettlements(context, settled);
    await resolveByFile(context, fitting);
  }
  // A row that the file has, and that is not stored, is a problem already.
  const refused = new Set(result.problems.map(({ row: { id, kind } }) => `${kind} ${id}`));
  const isRefused = (movement: Movement) =>
    idsOf(movement, by).some((id) => refused.has(`${movement.kind} ${id}`));
  result.missing = (await findMissing(context, [...matched])).filter((movement) => !isRefused(movement));
  await saveProblems(context, name, toProblems(result, unreadable));
  return result;
}

type Match = { movement: Movement; change: 'added' | 'unchanged' | 'changed' } | Omit<RowProblem, 'row'>;

/**
 * Two refunds of a payment may have one amount: then the row belongs to the one that says the same already, otherwise to
 * the first that is not settled. An approval number may belong to several payments.
 */
function matchRow(
  row: SettlementRow,
  ofId: readonly Movement[],
  matched: ReadonlySet<Movement>,
  by: SettlementColumns['id']['kind'],
): Match {
  const ofKind = ofId.filter(({ kind }) => kind === row.kind);
  if (ofKind.length === 0) return { problem: 'not_found', amounts: [] };
  const ofAmount = ofKind.filter(({ amount }) => Number(amount) === row.amount);
  if (ofAmount.length === 0)
    return { problem: 'amount_differs', amounts: ofKind.map(({ amount }) => Number(amount)) };
  const free = ofAmount.filter((movement) => !matched.has(movement));
  const same = free.find(({ fee, paidOutOn }) => fee === BigInt(row.fee) && paidOutOn === row.paidOutOn);
  if (same) return { movement: same, change: 'unchanged' };
  if (by === 'approval_number' && new Set(ofAmount.map(({ svcUid }) => svcUid)).size > 1)
    return { problem: 'ambiguous', amounts: [] };
  const unsettled = free.find(({ fee }) => fee === null);
  if (unsettled) return { movement: unsettled, change: 'added' };
  const [settled] = free;
  return settled ? { movement: settled, change: 'changed' } : { problem: 'repeated', amounts: [] };
}

/** What no file has named of each method and PG of the file, before its last movement. */
async function findMissing(context: Context, matched: readonly Movement[]): Promise<Movement[]> {
  const missing: Movement[] = [];
  const channels = groupBy(matched, ({ payMethod, pgProvider }) => JSON.stringify([payMethod, pgProvider]));
  for (const [channel, ofChannel] of channels) {
    const [payMethod, pgProvider] = JSON.parse(channel) as [Channel['payMethod'], Channel['pgProvider']];
    const times = ofChannel.map(({ at }) => at.getTime());
    const least = times.reduce((one, other) => Math.min(one, other), Infinity);
    const most = times.reduce((one, other) => Math.max(one, other), -Infinity);
    const period = { from: new Date(least - LOOK_BACK_MS), to: new Date(most) };
    missing.push(...(await findUnnamed(context, { payMethod, pgProvider }, period, MOST_MISSING)));
  }
  return missing;
}

function toProblems(
  { problems, missing }: SettlementImport,
  unreadable: SettlementFile['unreadable'],
): NewProblem[] {
  return [
    ...unreadable.map(({ line, column, cells }) => ({
      problem: 'unreadable' as const,
      line,
      columnName: column,
      is: cells,
    })),
    ...problems.map(({ row: { line, id, kind, amount, fee, paidOutOn }, problem, amounts }) => ({
      problem,
      line,
      reference: id,
      kind,
      amount,
      fee,
      paidOutOn,
      ledgerAmounts: amounts,
      is: [id, kind, amount, fee, paidOutOn],
    })),
    ...missing.map(({ svcUid, part, kind, amount }) => ({
      problem: 'missing' as const,
      reference: svcUid,
      kind,
      amount: Number(amount),
      svcUid,
      part: Number(part),
      is: [svcUid, String(part)],
    })),
  ];
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
