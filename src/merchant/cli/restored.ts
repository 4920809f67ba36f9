// `npm run restored`: for a database restored to an earlier time than the last numbers that the shop and others have
// received. Run it before the server starts: it advances all numbers, so that none is used twice.

import { findOtherConnections, moveNumbersOn } from '../core/events/restore-store';
import type { Context } from '../platform/context';
import { readConfig } from '../platform/environment';
import { DatabaseError, UNDEFINED_TABLE } from '../platform/errors';
import { CommandError, runCommand, UsageError, type Command, type CommandResult } from './command';
import { withContext } from './with-context';

const HELP = `npm run restored [-- --force --json]

Run this after a backup was restored, and after "migrate", before the server
starts. Positions and versions of events, and ids of refunds, discrepancies,
notifications and issuances, go on past all that were given before the restore:
a shop that has seen position 1128 and the event order-1001:2 gets neither a
second time. No row is changed and no money moves. It is taken from the time, so
that nothing has to be known of what was lost, and running it again changes
nothing but the numbers to come. docs/07-maintenance.md has the other steps.

  --force  go on although others are connected to the database with our role;
           what they have told since the restore may have numbers that were told
           before
  --json   the numbers as JSON on standard output
  --help   this text

Exit code: 0 done; 1 others are connected: stop them first; 2 wrong arguments or
settings; 3 the database does not answer, or "migrate" has not been run.
`;

const command: Command = {
  help: HELP,
  options: { force: { type: 'boolean' } },
  async run({ values, positionals }) {
    if (positionals.length > 0) throw new UsageError(`"${positionals.join(' ')}" is not understood.`);
    return withContext(readConfig(), (context) => moveOn(context, values['force'] === true));
  },
};

async function moveOn(context: Context, force: boolean): Promise<CommandResult> {
  const others = force ? [] : await findOtherConnections(context);
  if (others.length > 0)
    throw new CommandError(
      `${others.length} other connections to this database are open (${[...new Set(others)].join(', ')}). A server that runs tells numbers that were told before: stop all processes, restore again if one has run since, and run this again. --force goes on in spite of them.`,
      1,
    );
  const { position, version } = await moveNumbersOn(context).catch((error: unknown) => {
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE)
      throw new CommandError('The database is older than this code: run "npm run migrate" first.', 3);
    throw error;
  });
  return {
    exitCode: 0,
    text: `Positions of events, and ids of refunds, discrepancies, notifications and issuances, are greater than ${position} from now on.
Versions of orders and subscriptions are greater than ${version}, from their next event on.

Next (docs/07-maintenance.md has each step):
  1. Start the server.
  2. Register the orders since the backup again, from your own table.
  3. npm run reconcile -- --from <the moment of the backup>
  4. Repeat the erasures since then; look at schedules, subscriptions and cards since then.
`,
    json: { position: String(position), version },
  };
}

void runCommand(command);
