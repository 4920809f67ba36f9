// How often visitors of the return page may make us fetch a payment. The page needs no session, so that whoever knows an
// order's id can invent payments of it. Shared by all processes, unlike the pace of notifications (pace-fetches.ts).

import { networkOf } from '../../platform/address-list';
import type { Context } from '../../platform/context';
import { keyOf, putInto } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';

export const checkoutCounters = {
  looksPaced: {
    name: 'merchant_return_looks_paced_total',
    help: 'Visits of the return page for which the payment was not fetched because of a limit, by limit: address, order.',
    labels: ['limit'],
    fromZero: [{ limit: 'address' }, { limit: 'order' }],
  },
} as const satisfies CounterRows;

/** Of the browser, from `http/source-address.ts`; null where it cannot be known: those count together. */
export type Visitor = { address: string | null };

/**
 * Whether a payment that a visitor claims may be fetched now. Counts it if so, by network and by order. If not, there is a
 * count in the metrics and no line in the log: anybody can make it happen.
 * @throws DatabaseError when it could not be counted: then it must not be fetched
 */
export async function mayLook(context: Context, merchantUid: string, visitor: Visitor): Promise<boolean> {
  const { address, order } = context.config.lookLimits;
  const full = await putInto(context, [
    { by: 'address', limit: address, key: keyIn(context, 'address', networkOfVisitor(visitor)) },
    { by: 'order', limit: order, key: keyIn(context, 'order', merchantUid) },
  ]);
  if (full) context.metrics.count(checkoutCounters.looksPaced, { limit: full.by });
  return full === null;
}

/** An IPv4 address or a /64 of IPv6, or `unknown`. */
export function networkOfVisitor({ address }: Visitor): string {
  return address === null ? 'unknown' : networkOf(address);
}

function keyIn(context: Context, by: 'address' | 'order', whose: string): string {
  return `look:${by}:${keyOf(context, `look:${by}`, whose)}`;
}
