// A backup of the database of a world, and its restore: an exact copy, as pg_dump and pg_restore make one of a moment. And what
// is done beside the merchant, in a process of its own.

import { administer } from '../../../src/local/postgres/databases';
import { moveNumbersOn } from '../../../src/merchant/core/events/restore-store';
import { closeContext, type Context } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import type { World } from '../../support/world';

type Backup = {
  /** The database is as it was, and everybody has to connect anew. */
  restore(): Promise<void>;
  drop(): Promise<void>;
};

async function backUp(world: World): Promise<Backup> {
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

/** One for each test of a file, from the moment at which it takes one. */
export function useBackup(world: World) {
  let backup: Backup | undefined;
  afterEach(async () => {
    await backup?.drop();
    backup = undefined;
  });
  return {
    async take(): Promise<void> {
      backup = await backUp(world);
    },
    /** The steps of docs/07-maintenance.md. */
    async restore(): Promise<void> {
      await backup?.restore();
      await besideMerchant(world, moveNumbersOn);
      await world.restartMerchant();
    },
  };
}

export async function besideMerchant(
  world: World,
  work: (context: Context) => Promise<unknown>,
): Promise<void> {
  const context = openContext(world);
  try {
    await work(context);
  } finally {
    await closeContext(context);
  }
}
