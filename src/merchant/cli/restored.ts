// `npm run tool -- restored`: for a database restored to an earlier time than the last numbers that the shop and others have
// received. Run it before the server starts: it advances all numbers, so that none is used twice.

import { findOtherConnections, moveNumbersOn } from '../core/events/restore-store';
import type { Context } from '../platform/context';
import { DatabaseError, INSUFFICIENT_PRIVILEGE, UNDEFINED_TABLE } from '../platform/errors';
import { CommandError, runCommand, type Command, type CommandResult } from './command';
import { withContext } from './with-context';

export const command: Command = {
  name: 'npm run tool -- restored',
  description: `Run this after a restore of a backup and after "migrate", before the server
starts. It moves positions and versions of events, and ids of refunds,
discrepancies, notifications and issuances, past every number that was used
before the restore: a shop that has seen position 1128 and the event
order-1001:2 gets neither a second time. It changes no row and moves no money.
The new numbers follow from the current time, so it can be run again. It signs
in with DATABASE_OWNER_URL, the role that owns the tables.
docs/07-maintenance.md has the other steps.`,
  exitCodes: `0 done; 1 others are connected: stop them first; 2 wrong arguments or
settings; 3 the database does not answer, or "migrate" was not run.`,
  define: (program, run) =>
    program
      .option(
        '--force',
        'continue although others are connected that can write orders; they may have used numbers since the restore that were used before',
      )
      .action(({ force = false }: { force?: boolean }) =>
        run(() => withContext((context) => moveOn(context, force), undefined, true)),
      ),
};

async function moveOn(context: Context, force: boolean): Promise<CommandResult> {
  const others = force ? [] : await findOtherConnections(context).catch(explainMissing);
  if (others.length > 0)
    throw new CommandError(
      `${others.length} other connections to this database are open (${[...new Set(others)].join(', ')}). A running server uses numbers that were used before: stop all processes, restore again if one has run since, and run this again. --force continues anyway.`,
      1,
    );
  const { position, version } = await moveNumbersOn(context).catch(explainMissing);
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

function explainMissing(error: unknown): never {
  if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE)
    throw new CommandError('The database is older than this code: run "npm run migrate" first.', 3);
  if (error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)
    throw new CommandError(
      'This role may not move the numbers: set DATABASE_OWNER_URL to the role that owns the tables. Nothing was changed.',
      3,
    );
  throw error;
}

if (require.main === module) void runCommand(command);
