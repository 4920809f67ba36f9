// What the controls and the console act on, and the two actions on the sandbox as a whole.

import { z } from 'zod';
import type { Faults } from '../http/faults';
import { parseFields, wholeNumber } from '../http/fields';
import type { RequestLog } from '../http/request-log';
import type { Service } from '../service';

export type ControlContext = { service: Service; faults: Faults; requestLog: RequestLog };

const advanceSchema = z.object({ advance_seconds: wholeNumber(0, 366 * 86_400) });

/** Moves the clock. Everything that becomes due has happened when this resolves. */
export async function advanceClock({ service }: ControlContext, fields: unknown): Promise<void> {
  await service.advance(parseFields(advanceSchema, fields).advance_seconds);
}

/** Empties the sandbox. */
export function resetSandbox({ service, faults, requestLog }: ControlContext): void {
  service.reset();
  faults.clear();
  requestLog.clear();
}
