// Before queries that no snapshot comes before, such as a poll or a reconciliation: pauses that other processes were asked for
// by the payment service (429).

import type { Context } from '../../platform/context';
import { findPauses } from './service-pause-store';

export async function learnPauses(context: Context): Promise<void> {
  context.service.applyPauses(await findPauses(context));
}
