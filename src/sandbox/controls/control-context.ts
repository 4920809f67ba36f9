// What the controls and the console act on, and the two actions on the sandbox as a whole.

import { z } from 'zod';
import { HttpError } from '../http/answer';
import type { Faults } from '../http/faults';
import { parseFields, wholeNumber } from '../http/fields';
import type { RequestLog } from '../http/request-log';
import type { Service } from '../service';
import { MAX_TIME } from '../state/clock';

export type ControlContext = { service: Service; faults: Faults; requestLog: RequestLog };

const advanceSchema = z.object({ advance_seconds: wholeNumber(0, 366 * 86_400) });

/** Moves the clock. Everything that becomes due has happened when this resolves. */
export async function advanceClock({ service }: ControlContext, fields: unknown): Promise<void> {
  const { advance_seconds: seconds } = parseFields(advanceSchema, fields);
  if (service.clock.now() + seconds > MAX_TIME)
    throw new HttpError(400, 'advance_seconds: the clock ends in 2106');
  await service.advance(seconds);
}

export function resetSandbox({ service, faults, requestLog }: ControlContext): void {
  service.reset();
  faults.clear();
  requestLog.clear();
}
