// A backup of the database of a world, and its restore: an exact copy, as pg_dump and pg_restore make one of a moment.

import { administer } from '../../../src/local/postgres/databases';
import type { World } from '../../support/world';

export type Backup = {
  /** The database is as it was, and everybody has to connect anew. */
  restore(): Promise<void>;
  drop(): Promise<void>;
};

export async function backUp(world: World): Promise<Backup> {
  const url = new URL(world.databaseUrl);
  const name = url.pathname.slice(1);
  const copy = `${name}_copy`;
  url.pathname = 'postgres';
  const admin = (statement: string) => administer(url.href, statement);
  const copyOf = (of: string) => `template ${of} strategy file_copy`;
  await world.withoutDatabase(() => admin(`create database ${copy} ${copyOf(name)}`));
  return {
    restore: () =>
      world.withoutDatabase(async () => {
        await admin(`drop database ${name} with (force)`);
        await admin(`create database ${name} ${copyOf(copy)}`);
      }),
    drop: () => admin(`drop database ${copy} with (force)`),
  };
}
