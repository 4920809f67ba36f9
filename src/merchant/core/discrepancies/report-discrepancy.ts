// A new discrepancy of any kind causes one warning and one count: it may be an attack, or need a person. A discrepancy
// that is seen again while it is open, or after a person has decided about it, triggers neither a log line nor a
// metric.

import type { Context } from '../../platform/context';
import type { CounterRows } from '../../platform/metrics';
import type { Discrepancy } from './kinds';
import { findNewDiscrepancies, saveDiscrepancies, type DiscrepancyIds, type NewNote } from './store';

export const discrepancyCounters = {
  discrepancies: {
    name: 'merchant_discrepancies_total',
    help: 'New discrepancies, by kind. One that is seen again while it is open is not counted again.',
    labels: ['kind'],
  },
} as const satisfies CounterRows;

/**
 * The discrepancies that were not reported yet. Call it before they are written. If two processes find the same one at
 * the same moment, both report it.
 */
export async function findNews(context: Context, notes: readonly NewNote[]): Promise<NewNote[]> {
  return notes.length === 0 ? [] : findNewDiscrepancies(context, notes);
}

export function reportNews({ logger, metrics }: Context, news: readonly NewNote[]): void {
  for (const { kind, svcUid, merchantUid } of news) {
    metrics.count(discrepancyCounters.discrepancies, { kind });
    logger.warn({ event: 'discrepancy_noted', kind, svc_uid: svcUid, merchant_uid: merchantUid });
  }
}

/** Stores and reports a discrepancy that was not found by a sync. */
export async function noteDiscrepancy(
  context: Context,
  reported: DiscrepancyIds,
  discrepancy: Discrepancy,
): Promise<void> {
  const { svcUid, merchantUid } = reported;
  await noteAll(context, [{ svcUid, merchantUid, ...discrepancy }]);
}

/** The same for several. @throws DatabaseError; none is then stored */
export async function noteAll(context: Context, notes: readonly NewNote[]): Promise<void> {
  const news = await findNews(context, notes);
  await saveDiscrepancies(context, notes);
  reportNews(context, news);
}
