// `npm run migrate`: the deployment step that migrates the database to the state of this code, before the new processes
// start. A second or concurrent run changes nothing.

import { readSettings } from '../platform/environment';
import { applyMigrations } from '../platform/migrations';
import { CommandError, runCommand, UsageError, type Command } from './command';

const HELP = `npm run migrate [-- --json]

Applies the migrations of this version to the database that DATABASE_URL names,
or DATABASE_DIRECT_URL where there is a pooler; no other setting is needed. Each is applied as a whole or not at all, so it can
be interrupted and run again.

  --json  what was applied as JSON on standard output
  --help  this text

Exit code: 0 the database is as this code needs it, or newer; 1 it is not, and
the text says why; 2 wrong arguments or settings; 130 interrupted.
`;

const command: Command = {
  help: HELP,
  options: {},
  async run({ positionals }, signal) {
    if (positionals.length > 0) throw new UsageError(`"${positionals.join(' ')}" is not understood.`);
    const settings = readSettings();
    const databaseUrl = settings['DATABASE_DIRECT_URL'] ?? settings['DATABASE_URL'];
    if (!databaseUrl) throw new CommandError('Set DATABASE_URL to the database that is to be migrated.', 2);
    // PostgreSQL rolls back the statement in progress.
    signal.addEventListener('abort', () => process.exit(130));
    const { applied, unknown } = await applyMigrations(databaseUrl).catch((error: Error) => {
      // Its messages are written for the person who deploys.
      throw new CommandError(error.message, 1);
    });
    const newer = `The database is newer than this code: a later version has applied ${unknown.join(', ')}.\n`;
    return {
      exitCode: 0,
      text: `${applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`}\n${unknown.length > 0 ? newer : ''}`,
      json: { applied, unknown },
    };
  },
};

void runCommand(command);
