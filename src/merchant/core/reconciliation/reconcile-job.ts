// Job `reconcile`: a reconciliation every few minutes, once over all processes, with its metrics and log lines.

import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { enqueueUnresolvedAttempts } from '../attempts/recover-attempt';
import { reconciliationCounters } from './metrics';
import { reconcile } from './reconcile';
import { countsJson, isComplete } from './reconciliation-report';

/**
 * Billing keys come first: an issuance whose answer was lost is polled for (§4.7), which no list of payments shows.
 * A payment service that does not answer is a log line, and the next run asks it again.
 * @param stopping is aborted when this process stops; the next run continues from there
 * @throws DatabaseError; the job then runs again
 */
export async function reconcileAsJob(context: Context, stopping: AbortSignal): Promise<void> {
  const { metrics, logger } = context;
  try {
    await enqueueUnresolvedAttempts(context, ['issuance']);
    const report = await reconcile(context, { signal: stopping });
    if (report === null) {
      logger.info({ event: 'reconciliation_under_way_elsewhere' });
      return;
    }
    const complete = isComplete(report);
    metrics.count(reconciliationCounters.runs, { result: complete ? 'complete' : 'incomplete' });
    logger.info({ event: 'reconciliation', complete, ...countsJson(report) });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    metrics.count(reconciliationCounters.runs, { result: 'not_possible' });
    logger.warn({ event: 'reconciliation_not_possible', err: error });
  }
}
