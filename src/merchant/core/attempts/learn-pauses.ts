// Pauses that other processes were asked for by the payment service (429) hold for this one as well.

import type { Context } from '../../platform/context';
import { findPauses, type PauseRow } from './service-pause-store';

export function applyPauses({ service }: Context, pauses: readonly PauseRow[]): void {
  for (const { line, untilMs } of pauses) service.pauseUntil(line, new Date(untilMs));
}

/** Before queries that no snapshot comes before, such as a poll or a reconciliation. */
export async function learnPauses(context: Context): Promise<void> {
  applyPauses(context, await findPauses(context));
}
