// Fetches what the ledger needs of payments that only the newer generation has shown: its record (§9) has neither the
// time of the payment nor the approval number, the PG's transaction and the history of cancellations.

import { fits, syncPayment } from '../../core/payments/sync-payment';
import { EVERY_FIVE_MINUTES } from '../../platform/clock';
import type { Context, Job } from '../../platform/context';
import { findIncompletePayments } from './ledger-store';

/** After this time a record without them stays as it is: the service does not know more. */
const TRIED_FOR_MS = 3_600_000;
const AT_MOST = 20;

export const completePaymentsJob: Job = {
  name: 'complete-ledger',
  crontab: EVERY_FIVE_MINUTES,
  priority: 3,
  run: completePayments,
};

async function completePayments(context: Context, stopping: AbortSignal): Promise<void> {
  const since = new Date(context.clock.now().getTime() - TRIED_FOR_MS);
  for (const payment of await findIncompletePayments(context, since, AT_MOST)) {
    if (stopping.aborted) return;
    const { outcome } = await syncPayment(context, payment);
    // The service does not answer now. The next run continues.
    if (!fits(outcome)) return;
  }
}
