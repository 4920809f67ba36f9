// The database of a simulated process: each statement is a step, and some fail: the connection breaks before it or after it
// took effect, or PostgreSQL takes it back because of another one.

import type { Database } from '../../src/merchant/database';
import { DatabaseError } from '../../src/merchant/errors';
import type { Random } from './random';
import type { Steps } from './steps';
import type { Tally } from './tally';

export type StoreFaults = ReturnType<typeof createStoreFaults>;

const FAULTS = [
  [2, 'connection lost before it'],
  [2, 'connection lost after it'],
  [1, 'taken back'],
] as const;
/** What `pg` reports of a broken connection, and PostgreSQL of a deadlock that trying again did not end. */
const CODES = {
  'connection lost before it': 'ECONNRESET',
  'connection lost after it': 'ECONNRESET',
  'taken back': '40P01',
};

/** The line to PostgreSQL of all processes of a story. */
export function createStoreFaults(random: Random, tally: Tally) {
  let faults = 0;
  return {
    /** @param probability of a fault, for each statement */
    setFaults(probability: number): void {
      faults = probability;
    },
    async run<Result>(statement: () => Promise<Result>): Promise<Result> {
      if (faults === 0 || !random.chance(faults)) return statement();
      const fault = random.weighted(FAULTS);
      tally.add(`store: ${fault}`);
      if (fault === 'connection lost after it') await statement();
      throw new DatabaseError(CODES[fault]);
    },
  };
}

export function stepByStep(database: Database, steps: Steps, faults: StoreFaults): Database {
  const take = <Result>(name: string, statement: () => Promise<Result>): Promise<Result> =>
    steps.take(name, () => faults.run(statement));
  const each = database.$extends({
    query: {
      $allOperations({ model, operation, args, query, ...rest }) {
        const execute = async () => (await query(args)) as unknown;
        // The statements of a transaction happen together.
        return isOfTransaction(rest) ? execute() : take(`${model ?? ''} ${operation}`, execute);
      },
    },
  });
  const stepped = each.$extends({
    client: {
      $prepared: (statement: { name: string; text: string }, values: readonly unknown[]) =>
        take(statement.name, () => database.$prepared(statement, values)),
      $transaction: (...given: Parameters<typeof each.$transaction>) =>
        take('transaction', () => each.$transaction(...given)),
    },
  });
  return stepped as unknown as Database;
}

function isOfTransaction(given: object): boolean {
  const { __internalParams: internal } = given as { __internalParams?: { transaction?: unknown } };
  return internal?.transaction !== undefined;
}
