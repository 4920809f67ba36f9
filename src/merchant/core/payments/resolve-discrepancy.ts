// A person settles a discrepancy. `accepted` and `ignored` are notes. `refunded` says something about money, so the
// service is asked whether the payment holds any. None of them moves money or an order.

import type { DiscrepancyResolution } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import type { Decision, DecisionOutcome } from '../attempts/decision';
import { findDiscrepancy, markResolved, type StoredDiscrepancy } from './discrepancy-store';
import { fetchHeldMoney, heldContradiction } from './held-money';

export type Resolution = Decision & { resolution: DiscrepancyResolution };

/** @throws ServiceError where the service could not be asked: then nothing is settled */
export async function resolveDiscrepancy(
  context: Context,
  { id, ...resolution }: Resolution & { id: bigint },
): Promise<DecisionOutcome> {
  const discrepancy = await findDiscrepancy(context, id);
  if (!discrepancy) return { kind: 'not_found' };
  if (discrepancy.resolvedAt) return { kind: 'already_settled' };
  if (resolution.resolution === 'refunded') {
    const { svcUid } = discrepancy;
    const shown = await fetchHeldMoney(context, svcUid);
    if (shown?.held !== 0) return { kind: 'contradicted', says: heldContradiction(svcUid, shown) };
  }
  return (await writeResolution(context, discrepancy, resolution))
    ? { kind: 'settled' }
    : { kind: 'already_settled' };
}

/**
 * The service has shown that the payment was given back in full. Does nothing to a discrepancy that has been settled, or
 * is gone, meanwhile.
 */
export async function settleAsRefunded(context: Context, id: bigint, decision: Decision): Promise<void> {
  const discrepancy = await findDiscrepancy(context, id);
  if (discrepancy) await writeResolution(context, discrepancy, { ...decision, resolution: 'refunded' });
}

async function writeResolution(
  context: Context,
  { id, kind, svcUid, merchantUid }: StoredDiscrepancy,
  resolution: Resolution,
): Promise<boolean> {
  if (!(await markResolved(context, id, resolution))) return false;
  context.logger.info({
    event: 'decision',
    decided: 'discrepancy',
    id: String(id),
    kind,
    svc_uid: svcUid,
    merchant_uid: merchantUid,
    outcome: resolution.resolution,
    by: resolution.by,
  });
  return true;
}
