// `npm run replay -- <id>`: verifies a stored notification once more, as if it had just arrived. `npm run replay --
// event <id>`: delivers an event once more.

import { isRowId } from '../core/attempts/attempt-schema';
import { deliverEvent, replayEvent } from '../core/events/deliver-events';
import { fits } from '../core/payments/sync-payment';
import { checkNotifications, type CheckResult } from '../core/webhooks/check-notifications';
import { findNotification } from '../core/webhooks/inbox-store';
import type { Context } from '../platform/context';
import { runCommand, UsageError, type Command, type CommandResult, type ExitCode } from './command';
import { withContext } from './with-context';

export const command: Command = {
  name: 'npm run replay --',
  description: `Checks the payment of a stored notification once more: fetches it again and
stores it if it matches. Only the state at the service decides, so it is safe to
repeat this. GET /api/notifications lists the ids.

With "event", delivers an event once more, such as order-1001:2, from this
process: to each handler of shop/on-order-event.ts, and to ORDER_EVENTS_URL if
it is set. The server retries a failed delivery. GET /api/events lists the ids
and the targets.`,
  exitCodes: `0 recorded, unchanged, a test, or delivered; 1 any other outcome; 2
wrong arguments or settings, or an unknown id; 3 the service or the database
does not answer.`,
  define(program, run) {
    program
      .argument('<notification id>', 'of a stored notification')
      .action((id: string) => run(() => withContext((context) => replayNotification(context, id))));
    program
      .command('event')
      .description('Delivers an event once more.')
      .argument('<event id>', 'such as order-1001:2')
      .option('--target <name>', 'only this handler, or "url"')
      .action((id: string, { target }: { target?: string }) =>
        run(() => withContext((context) => replayAnEvent(context, id, target))),
      );
  },
};

async function replayAnEvent(context: Context, id: string, target?: string): Promise<CommandResult> {
  const event = await replayEvent(context, id, (_event, targets) => {
    if (target === undefined) return targets;
    if (targets.includes(target)) return [target];
    throw new UsageError(`--target is none of ${targets.join(', ')}.`);
  });
  if (!event) throw new UsageError(`There is no event ${id}.`);
  const deliveries = await deliverEvent(context, event.id);
  // None: an earlier event of its stream waits, or the server was faster.
  const outcomes = deliveries.map(({ target, reason }) => `${target} ${reason ?? 'delivered'}`).join(', ');
  return {
    exitCode: deliveries.every(({ reason }) => reason === null) ? 0 : 1,
    text: `Event ${id}: ${outcomes || 'due; the server will deliver it'}\n`,
    json: { id, deliveries },
  };
}

async function replayNotification(context: Context, id: string): Promise<CommandResult> {
  const notification = isRowId(id) ? await findNotification(context, BigInt(id)) : null;
  if (!notification) throw new UsageError(`There is no notification ${id}.`);
  const { svcUid, merchantUid } = notification;
  const result = await checkNotifications(context, notification);
  const { outcome, reason, nextAttemptAt } = result;
  const next = nextAttemptAt ? `; next attempt at ${nextAttemptAt.toISOString()}` : '';
  return {
    exitCode: exitCodeOf(result),
    text: `Notification ${id}: ${svcUid} for ${merchantUid}: ${outcome}${reason ? ` (${reason})` : ''}${next}\n`,
    json: {
      id,
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

if (require.main === module) void runCommand(command);
