// `npm run tool -- new-migration name_in_snake_case` writes the migration that is missing for prisma/schema; without a
// name, it reports whether one is missing. Both use a throw-away database.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startThrowawayPostgres } from '../src/local/postgres/throwaway-postgres';
import { migrateDatabase, MIGRATIONS_FOLDER } from '../src/merchant/platform/migrations';
import { loadPrismaView } from './schema-engine';

async function main([name]: string[]): Promise<void> {
  if (name !== undefined && !/^[a-z0-9_]+$/.test(name))
    throw new Error('Usage: npm run tool -- new-migration name_in_snake_case');
  const sql = await missingMigration();
  if (sql === null) console.log('The migrations lead to prisma/schema: no migration is missing.');
  else if (name === undefined) throw new Error(`No migration leads to prisma/schema yet:\n${sql}`);
  else {
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const folder = join(MIGRATIONS_FOLDER, `${stamp}_${name}`);
    await mkdir(folder);
    await writeFile(join(folder, 'migration.sql'), sql);
    console.log(`Written: ${folder}/migration.sql. Read it before you commit it; "npm start" applies it.`);
  }
}

async function missingMigration(): Promise<string | null> {
  const postgres = await startThrowawayPostgres();
  try {
    const databaseUrl = postgres.url('postgres');
    await migrateDatabase(databaseUrl, { alsoJobEngine: false });
    const { missingSql } = await loadPrismaView();
    return await missingSql(databaseUrl);
  } finally {
    await postgres.stop();
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
