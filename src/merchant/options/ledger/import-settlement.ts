// Imports a settlement file: finds the movement of each row, and stores its fee and the day of its payout. The same file
// can be imported again, and a corrected file replaces what an earlier one said.

import type { Context } from '../../platform/context';
import { findMovementsOf, saveSettlements, type Movement, type NewSettlement } from './ledger-store';
import type { SettlementColumns } from './settings';
import type { SettlementRow } from './settlement-file';

type SettlementProblem = {
  row: SettlementRow;
  /**
   * `not_found`: no such movement. `amount_differs`: there is one, of another amount. `repeated`: an earlier row of the
   * file is about the same movement. Nothing is stored for any of them.
   */
  problem: 'not_found' | 'amount_differs' | 'repeated';
  /** The amounts in the ledger, if they differ. */
  amounts: number[];
};

export type SettlementImport = {
  /** Movements that were not settled before. */
  added: number;
  unchanged: number;
  /** Movements with another fee or day than before. */
  changed: number;
  problems: SettlementProblem[];
};

/** Rows whose movements are read in one statement. */
const AT_A_TIME = 500;

export async function importSettlement(
  context: Context,
  by: SettlementColumns['id']['kind'],
  rows: readonly SettlementRow[],
): Promise<SettlementImport> {
  const result: SettlementImport = { added: 0, unchanged: 0, changed: 0, problems: [] };
  const matched = new Set<Movement>();
  // Rows of one payment are matched together, wherever they stand in the file.
  const byId = new Map<string, SettlementRow[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  const ids = [...byId.keys()];
  for (let first = 0; first < ids.length; first += AT_A_TIME) {
    const some = ids.slice(first, first + AT_A_TIME);
    const movements = await findMovementsOf(context, by, some);
    const settled: NewSettlement[] = [];
    for (const id of some) {
      const ofId = movements.filter(
        ({ svcUid, merchantUid }) => id === (by === 'svc_uid' ? svcUid : merchantUid),
      );
      for (const row of byId.get(id) ?? []) {
        const found = matchRow(row, ofId, matched);
        if ('problem' in found) result.problems.push({ row, ...found });
        else {
          matched.add(found.movement);
          result[found.change] += 1;
          const { svcUid, part } = found.movement;
          if (found.change !== 'unchanged')
            settled.push({ svcUid, part, fee: row.fee, paidOutOn: row.paidOutOn });
        }
      }
    }
    await saveSettlements(context, settled);
  }
  return result;
}

type Match =
  { movement: Movement; change: 'added' | 'unchanged' | 'changed' } | Omit<SettlementProblem, 'row'>;

/**
 * Two refunds of a payment may have one amount: then the row belongs to the one that says the same already, otherwise to
 * the first that is not settled.
 */
function matchRow(row: SettlementRow, ofId: readonly Movement[], matched: ReadonlySet<Movement>): Match {
  const ofKind = ofId.filter(({ kind }) => kind === row.kind);
  if (ofKind.length === 0) return { problem: 'not_found', amounts: [] };
  const ofAmount = ofKind.filter(({ amount }) => Number(amount) === row.amount);
  if (ofAmount.length === 0)
    return { problem: 'amount_differs', amounts: ofKind.map(({ amount }) => Number(amount)) };
  const free = ofAmount.filter((movement) => !matched.has(movement));
  const same = free.find(({ fee, paidOutOn }) => fee === BigInt(row.fee) && paidOutOn === row.paidOutOn);
  if (same) return { movement: same, change: 'unchanged' };
  const unsettled = free.find(({ fee }) => fee === null);
  if (unsettled) return { movement: unsettled, change: 'added' };
  const [settled] = free;
  return settled ? { movement: settled, change: 'changed' } : { problem: 'repeated', amounts: [] };
}
