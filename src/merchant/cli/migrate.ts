// `npm run migrate`: the step of a deployment that brings the database to the state of this code, before the new
// processes start. Running it again, or twice at once, changes nothing.

import { readSettings } from '../environment';
import { applyMigrations } from '../migrations';

async function main(): Promise<void> {
  const databaseUrl = readSettings()['DATABASE_URL'];
  if (!databaseUrl) throw new Error('Set DATABASE_URL to the database that is to be migrated.');
  const { applied, unknown } = await applyMigrations(databaseUrl);
  console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`);
  if (unknown.length > 0)
    console.log(`The database is newer than this code: a later version has applied ${unknown.join(', ')}.`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
