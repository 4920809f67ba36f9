// Counts what is under way on connections to PostgreSQL. The lock of reconciliation has a connection of its own, whose operations
// are no steps: a story waits for them, so that only its seed decides what comes next.

import { Client } from 'pg';

type Operation = (this: Client, ...args: unknown[]) => unknown;

/** Operations without an answer, by the name of the database. Each story has a database of its own. */
const underWay = new Map<string, number>();

/** @param url of the database */
export function isUnderWayAt(url: string): boolean {
  return (underWay.get(new URL(url).pathname.slice(1)) ?? 0) > 0;
}

const methods = Client.prototype as unknown as Record<'connect' | 'query' | 'end', Operation>;
for (const name of ['connect', 'query', 'end'] as const) {
  const original = methods[name];
  methods[name] = function (...args) {
    const result = original.apply(this, args);
    const database = this.database ?? '';
    const add = (count: number) => void underWay.set(database, (underWay.get(database) ?? 0) + count);
    if (result instanceof Promise) {
      add(1);
      result.then(
        () => add(-1),
        () => add(-1),
      );
    }
    return result;
  };
}
