// A new discrepancy of any kind causes one warning and one count: it may be an attack, or need a person. A discrepancy
// that is seen again while it is open, or after a person has decided about it, triggers neither a log line nor a
// metric.

import type { Context } from '../../platform/context';
import type { CounterRows } from '../../platform/metrics';
import type { Discrepancy } from './kinds';
import { findUnreported, saveDiscrepancies, type DiscrepancyIds, type NewDiscrepancy } from './store';

export const discrepancyCounters = {
  discrepancies: {
    name: 'merchant_discrepancies_total',
    help: 'New discrepancies, by kind. One that is seen again while it is open is not counted again.',
    labels: ['kind'],
  },
} as const satisfies CounterRows;

export function reportDiscrepancies({ logger, metrics }: Context, found: readonly NewDiscrepancy[]): void {
  for (const { kind, svcUid, merchantUid } of found) {
    metrics.count(discrepancyCounters.discrepancies, { kind });
    logger.warn({ event: 'discrepancy_noted', kind, svc_uid: svcUid, merchant_uid: merchantUid });
  }
}

/** Stores and reports a discrepancy that was not found by a sync. */
export async function recordDiscrepancy(
  context: Context,
  reported: DiscrepancyIds,
  discrepancy: Discrepancy,
): Promise<void> {
  const { svcUid, merchantUid } = reported;
  await recordDiscrepancies(context, [{ svcUid, merchantUid, ...discrepancy }]);
}

/** The same for several. @throws DatabaseError; none is then stored */
export async function recordDiscrepancies(context: Context, found: readonly NewDiscrepancy[]): Promise<void> {
  const unreported = await findUnreported(context, found);
  await saveDiscrepancies(context, found);
  reportDiscrepancies(context, unreported);
}
