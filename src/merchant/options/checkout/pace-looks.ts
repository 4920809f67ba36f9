// Limits how often visitors of the return page make us fetch a payment. The page needs no session, so anybody who knows
// an order's id can invent payments for it. The limits are shared by all processes, unlike those of notifications
// (pace-fetches.ts).

import type { Context } from '../../platform/context';
import { bucketOf, countTry } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';
import { settingsOf } from '../../platform/settings';
import { checkoutSettings } from './settings';

export const checkoutCounters = {
  looksPaced: {
    name: 'merchant_return_looks_paced_total',
    help: 'Visits of the return page for which the payment was not fetched because of a limit, by limit: address, order.',
    labels: ['limit'],
    fromZero: [{ limit: 'address' }, { limit: 'order' }],
  },
} as const satisfies CounterRows;

/**
 * Whether a payment that a visitor of this network names may be fetched now. If so, counts it by network and by order.
 * If not, increments a metric and logs nothing, because anybody can cause it.
 * @throws DatabaseError if it could not be counted: the payment must not be fetched then
 */
export async function mayLook(context: Context, merchantUid: string, network: string): Promise<boolean> {
  const { address, order } = settingsOf(context.config, checkoutSettings).lookLimits;
  const full = await countTry(context, [
    { by: 'address', ...bucketOf(context, 'look:address', address, network) },
    { by: 'order', ...bucketOf(context, 'look:order', order, merchantUid) },
  ]);
  if (full) context.metrics.count(checkoutCounters.looksPaced, { limit: full.by });
  return full === null;
}
