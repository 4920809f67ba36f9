// The database of a simulated process: each statement is a step, and some fail: the connection breaks before or after the
// statement took effect, or PostgreSQL rolls it back because of a conflict.

import type { Database } from '../../../src/merchant/platform/database';
import { DatabaseError } from '../../../src/merchant/platform/errors';
import type { Random } from '../seeded-random';
import type { Steps } from './steps';
import type { Tally } from './tally';

export type StoreFaults = ReturnType<typeof createStoreFaults>;

const FAULTS = [
  [2, 'connection lost before it'],
  [2, 'connection lost after it'],
  [1, 'taken back'],
] as const;
/** The error codes of `pg` for a broken connection, and of PostgreSQL for a deadlock that retries did not resolve. */
const CODES = {
  'connection lost before it': 'ECONNRESET',
  'connection lost after it': 'ECONNRESET',
  'taken back': '40P01',
};

/** The faults of the database connections of a story. */
export function createStoreFaults(random: Random, tally: Tally) {
  let faults = 0;
  return {
    /** @param probability of a fault per statement */
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

export type Stores = ReturnType<typeof createStores>;
/** Runs a statement as a step, which may fail. */
type Take = <Result>(name: string, statement: () => Promise<Result>) => Promise<Result>;

/** Clients of one database, one per process. They are expensive, so later stories reuse them. */
export function createStores(database: Database) {
  const stores: { client: Database; use(take: Take): void }[] = [];
  let used = 0;
  return {
    /** Returns a client that no other process of this story uses. */
    next(steps: Steps, faults: StoreFaults): Database {
      const store = (stores[used++] ??= createStore(database));
      store.use((name, statement) => steps.take(name, () => faults.run(statement)));
      return store.client;
    },
    /** Releases all clients for the next story. */
    release(): void {
      used = 0;
    },
  };
}

function createStore(database: Database) {
  let take: Take = (_name, statement) => statement();
  const each = database.$extends({
    query: {
      $allOperations({ model, operation, args, query, ...rest }) {
        const execute = async () => (await query(args)) as unknown;
        // The statements of a transaction are one step.
        return isOfTransaction(rest) ? execute() : take(`${model ?? ''} ${operation}`, execute);
      },
    },
  });
  const stepped = each.$extends({
    client: {
      $statement: (...given: Parameters<typeof database.$statement>) =>
        take('statement', () => database.$statement(...given)),
      $statements: (...given: Parameters<typeof database.$statements>) =>
        take('transaction', () => database.$statements(...given)),
      $atomically: (...given: Parameters<typeof database.$atomically>) =>
        take('transaction', () => database.$atomically(...given)),
      $transaction: (...given: Parameters<typeof each.$transaction>) =>
        take('transaction', () => each.$transaction(...given)),
    },
  });
  return {
    client: stepped as unknown as Database,
    use(next: Take): void {
      take = next;
    },
  };
}

function isOfTransaction(given: object): boolean {
  const { __internalParams: internal } = given as { __internalParams?: { transaction?: unknown } };
  return internal?.transaction !== undefined;
}
