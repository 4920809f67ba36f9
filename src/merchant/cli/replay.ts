// `npm run replay -- <id>`: one more attempt to check a stored notification, as if it had just come.

import type { Context } from '../context';
import { readConfig } from '../environment';
import { fits } from '../payments/sync-payment';
import { checkNotifications, type CheckResult } from '../webhooks/check-notifications';
import { findNotification } from '../webhooks/inbox-store';
import { runCommand, UsageError, type Command, type CommandResult, type ExitCode } from './command';
import { withContext } from './with-context';

const HELP = `npm run replay -- <notification id> [--json]

Checks the payment that a stored notification names once more: re-fetches it, and stores it if it fits. The notification
is a trigger, not a source of truth: however often it is replayed, it changes no more than the payment's state at the
service allows. GET /api/notifications lists the ids.

  --json  the outcome as JSON on standard output
  --help  this text

Exit code: 0 recorded, unchanged or a test; 1 anything else; 2 wrong arguments, settings, or no such notification;
3 the service or the database does not answer.
`;

const command: Command = {
  help: HELP,
  options: {},
  async run({ positionals }) {
    const [id, ...more] = positionals;
    if (!id || more.length > 0 || !/^\d{1,18}$/.test(id))
      throw new UsageError('Name one notification by its id.');
    return withContext(readConfig(), (context) => replay(context, BigInt(id)));
  },
};

async function replay(context: Context, id: bigint): Promise<CommandResult> {
  const notification = await findNotification(context, id);
  if (!notification) throw new UsageError(`There is no notification ${id}.`);
  const { svcUid, merchantUid } = notification;
  const result = await checkNotifications(context, notification);
  const { outcome, reason, nextAttemptAt } = result;
  const next = nextAttemptAt ? `; next attempt at ${nextAttemptAt.toISOString()}` : '';
  return {
    exitCode: exitCodeOf(result),
    text: `Notification ${id}: ${svcUid} for ${merchantUid}: ${outcome}${reason ? ` (${reason})` : ''}${next}\n`,
    json: {
      id: String(id),
      svc_uid: svcUid,
      merchant_uid: merchantUid,
      outcome,
      reason,
      next_attempt_at: nextAttemptAt,
    },
  };
}

function exitCodeOf({ outcome, reason }: CheckResult): ExitCode {
  if (outcome === 'test' || fits(outcome)) return 0;
  return outcome === 'queued' && reason ? 3 : 1;
}

void runCommand(command);
