// `npm run migrate`: the deployment step that migrates the database to the state of this code, before the new processes
// start. A second or concurrent run changes nothing.

import { ownerDatabaseUrl } from '../platform/config';
import { readCommandSettings } from '../platform/environment';
import { migrateDatabase } from '../platform/migrations';
import { CommandError, runCommand, type Command, type CommandResult } from './command';

const command: Command = {
  name: 'npm run migrate --',
  description: `Applies the migrations of this version as the role of DATABASE_OWNER_URL, which
owns the tables. Without it, as that of DATABASE_DIRECT_URL or DATABASE_URL; no
other setting is needed. If nothing is missing, every role will do. Each
migration is applied completely or not at all, so the command can be
interrupted and run again.`,
  exitCodes: `0 the database has every migration of this code, or newer ones; 1 it
has not, and the text says why; 2 wrong arguments or settings; 130 interrupted.`,
  define: (program, run) => program.action(() => run(({ signal }) => migrate(signal))),
};

async function migrate(signal: AbortSignal): Promise<CommandResult> {
  const databaseUrl = ownerDatabaseUrl(readCommandSettings());
  if (databaseUrl === null)
    throw new CommandError('Set DATABASE_URL to the database that should be migrated.', 2);
  // PostgreSQL rolls back the statement in progress.
  signal.addEventListener('abort', () => process.exit(130));
  const { applied, unknown } = await migrateDatabase(databaseUrl).catch((error: Error) => {
    // Its messages are written for the person who deploys.
    throw new CommandError(error.message, 1);
  });
  const newer = `The database is newer than this code: a later version has applied ${unknown.join(', ')}.\n`;
  return {
    exitCode: 0,
    text: `${applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`}\n${unknown.length > 0 ? newer : ''}`,
    json: { applied, unknown },
  };
}

if (require.main === module) void runCommand(command);
