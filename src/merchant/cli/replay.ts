// `npm run replay -- <id>`: one more look for a stored notification, as if it had just come.

import { systemClock } from '../clock';
import { createLogger } from '../logger';
import { createPaymentStore } from '../payments/payment-store';
import { runCommand, UsageFault, type Command, type CommandResult } from './command';
import { openMerchant, type OpenMerchant } from './open-merchant';
import { readConfig } from './read-settings';

const HELP = `npm run replay -- <notification id> [--json]

Looks again at the payment that a stored notification names: re-fetched, checked, stored if it fits. The notification
is a doorbell: replaying it can do no more than the payment's state at the service allows, however often. Ids are in
GET /api/notifications and on the operator pages.

  --json  the outcome as JSON on standard output
  --help  this text

Exit code: 0 recorded, unchanged or a test; 1 anything else; 2 wrong arguments, settings, or no such notification;
3 the service or the database does not answer.
`;

const replay: Command = {
  help: HELP,
  options: {},
  async run({ positionals }) {
    const [id, ...more] = positionals;
    if (!id || more.length > 0 || !/^\d{1,18}$/.test(id))
      throw new UsageFault('Name one notification by its id.');
    const merchant = openMerchant({
      config: readConfig(),
      clock: systemClock,
      logger: createLogger('silent'),
    });
    try {
      return await lookAgain(merchant, BigInt(id));
    } finally {
      await merchant.close();
    }
  },
};

async function lookAgain({ database, syncPayment }: OpenMerchant, id: bigint): Promise<CommandResult> {
  const notification = await database.notification.findUnique({ where: { id } });
  if (!notification) throw new UsageFault(`There is no notification ${id}.`);
  const { svcUid, merchantUid, generation, claimedStatus, sourceAddress, receivedAt, checks } = notification;
  const claim = { svcUid, merchantUid };
  // A further look, where one is needed, stands in the notification's row; the server finds it there.
  const { outcome, reason, nextCheckAt } = await syncPayment({
    ...claim,
    generation,
    notifications: { ids: [id], claimedStatus, sourceAddress, receivedAt, checks },
  });
  const fits = outcome === 'recorded' || outcome === 'unchanged';
  if (fits) await createPaymentStore(database).settleUnknown(claim, systemClock.now());
  const further = nextCheckAt ? `; looked at again at ${nextCheckAt.toISOString()}` : '';
  return {
    exitCode: fits || outcome === 'test' ? 0 : reason && outcome === 'queued' ? 3 : 1,
    text: `Notification ${id}: ${svcUid} for ${merchantUid}: ${outcome}${reason ? ` (${reason})` : ''}${further}\n`,
    json: {
      id: String(id),
      svc_uid: svcUid,
      merchant_uid: merchantUid,
      outcome,
      reason,
      next_check_at: nextCheckAt,
    },
  };
}

void runCommand(replay);
