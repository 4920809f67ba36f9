// A discrepancy beside a stored payment wants a person: when it is new there is a warning and a count. A mismatch is
// answered and logged where its payment was claimed, and anybody can cause one: it has neither here.

import type { Context } from '../context';
import type { Claim } from './claim';
import { isMismatch } from './discrepancy-kinds';
import { findNewDiscrepancies, saveDiscrepancy } from './discrepancy-store';
import type { Discrepancy } from './judge-payment';

/** Those that want a person and that nobody has been told of. Ask before they are written. */
export async function findNews(
  context: Context,
  claim: Claim,
  discrepancies: readonly Discrepancy[],
): Promise<Discrepancy[]> {
  const watched = discrepancies.filter(({ kind }) => !isMismatch(kind));
  return watched.length === 0 ? [] : findNewDiscrepancies(context, claim, watched);
}

export function reportNews(
  { logger, metrics }: Context,
  { svcUid, merchantUid }: Claim,
  news: readonly Discrepancy[],
): void {
  for (const { kind } of news) {
    metrics.discrepancies.inc({ kind });
    logger.warn({ event: 'discrepancy_noted', kind, svc_uid: svcUid, merchant_uid: merchantUid });
  }
}

/** Notes one that no sync has found. */
export async function noteDiscrepancy(
  context: Context,
  claim: Claim,
  discrepancy: Discrepancy,
): Promise<void> {
  const news = await findNews(context, claim, [discrepancy]);
  await saveDiscrepancy(context, claim, discrepancy);
  reportNews(context, claim, news);
}
