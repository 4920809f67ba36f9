// What `npm run doctor` asks the database.

import type { Context } from '../context';
import { pendingMigrations } from '../migrations';

/** PostgreSQL's version, such as "18.4". */
export async function getServerVersion({ database }: Context): Promise<string> {
  const [server] = await database.$queryRaw<
    { version: string }[]
  >`select current_setting('server_version') as version`;
  return server?.version ?? '0';
}

/** The names of migrations that have not been applied. */
export function findPendingMigrations({ database }: Context): Promise<string[]> {
  return pendingMigrations((sql) => database.$queryRawUnsafe(sql));
}
