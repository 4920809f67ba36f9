// The database of a simulated process: each statement is a step, and some fail: the connection breaks before it or after it
// took effect, or PostgreSQL takes it back because of another one.

import type { Database } from '../../src/merchant/platform/database';
import { DatabaseError } from '../../src/merchant/platform/errors';
import type { Random } from '../seeded-random';
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

export type Stores = ReturnType<typeof createStores>;
/** How a statement is taken as a step, and whether it fails. */
type Take = <Result>(name: string, statement: () => Promise<Result>) => Promise<Result>;

/** Clients of one database, each for one process. They are made once and used again by later stories: they cost much. */
export function createStores(database: Database) {
  const stores: { client: Database; use(take: Take): void }[] = [];
  let used = 0;
  return {
    /** One that no other process of this story has. */
    next(steps: Steps, faults: StoreFaults): Database {
      const store = (stores[used++] ??= createStore(database));
      store.use((name, statement) => steps.take(name, () => faults.run(statement)));
      return store.client;
    },
    /** Another story begins. */
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
        // The statements of a transaction happen together.
        return isOfTransaction(rest) ? execute() : take(`${model ?? ''} ${operation}`, execute);
      },
    },
  });
  const stepped = each.$extends({
    client: {
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
