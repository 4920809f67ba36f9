// A person resolves a discrepancy. `accepted` and `ignored` only record that. `refunded` is a statement about money, so
// the service is asked for the refundable balance. None of them moves money or changes an order.

import type { DiscrepancyResolution } from '../../../generated/prisma/client';
import { isSvcUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import type { Decision, DecisionOutcome } from '../attempts/decision';
import { fetchHeldMoney, heldContradiction } from '../attempts/held-money';
import { findDiscrepancy, saveDecision, type StoredDiscrepancy } from './store';

export type Resolution = Decision & { resolution: DiscrepancyResolution };

/** @throws ServiceError if the service could not be asked; nothing is then resolved */
export async function decideDiscrepancy(
  context: Context,
  { id, ...resolution }: Resolution & { id: bigint },
): Promise<DecisionOutcome> {
  const discrepancy = await findDiscrepancy(context, id);
  if (!discrepancy) return { kind: 'not_found' };
  if (discrepancy.resolvedAt) return { kind: 'already_settled' };
  const { svcUid } = discrepancy;
  // The service cannot be asked about an id that is not used in requests, so nothing contradicts the person.
  if (resolution.resolution === 'refunded' && isSvcUid(svcUid)) {
    const shown = await fetchHeldMoney(context, svcUid);
    if (shown?.held !== 0) return { kind: 'contradicted', says: heldContradiction(svcUid, shown) };
  }
  return (await writeResolution(context, discrepancy, resolution))
    ? { kind: 'settled' }
    : { kind: 'already_settled' };
}

/**
 * Resolves a discrepancy after the service has shown that the payment was refunded in full. Does nothing if it was
 * resolved or deleted meanwhile.
 */
export async function decideRefunded(context: Context, id: bigint, decision: Decision): Promise<void> {
  const discrepancy = await findDiscrepancy(context, id);
  if (discrepancy) await writeResolution(context, discrepancy, { ...decision, resolution: 'refunded' });
}

export async function writeResolution(
  context: Context,
  { id, kind, svcUid, merchantUid }: StoredDiscrepancy,
  resolution: Resolution,
): Promise<boolean> {
  if (!(await saveDecision(context, id, resolution))) return false;
  context.logger.info({
    event: 'decision',
    decided: 'discrepancy',
    id: String(id),
    kind,
    svc_uid: svcUid,
    merchant_uid: merchantUid,
    outcome: resolution.resolution,
    by: resolution.by,
    ...resolution.sent,
  });
  return true;
}
