// What the controls and the console act on, and the two actions on the sandbox as a whole.

import { z } from 'zod';
import { HttpError } from '../http/answer';
import type { Faults } from '../http/faults';
import { flag, parseFields, wholeNumber } from '../http/fields';
import type { RequestLog } from '../http/request-log';
import type { Service } from '../service';
import { MAX_TIME } from '../state/clock';

export type ControlContext = { service: Service; faults: Faults; requestLog: RequestLog };

const advanceSchema = z.object({
  advance_seconds: wholeNumber(0, 366 * 86_400),
  sandbox_only: flag.default(false),
});

/** Moves the clocks. Everything that becomes due has happened when this resolves. */
export async function advanceClock({ service }: ControlContext, fields: unknown): Promise<void> {
  const { advance_seconds: seconds, sandbox_only: sandboxOnly } = parseFields(advanceSchema, fields);
  if (service.clock.now() + seconds > MAX_TIME)
    throw new HttpError(400, 'advance_seconds: the clock ends in 2106');
  await service.advance(seconds, sandboxOnly);
}

const putBackSchema = z.object({ ahead_seconds: wholeNumber(-366 * 86_400, 0) });

/** Puts the clocks behind the real time, or back to it. Nothing that has happened is undone. */
export async function putClockBack({ service }: ControlContext, fields: unknown): Promise<void> {
  await service.putClockBack(parseFields(putBackSchema, fields).ahead_seconds * 1000);
}

/**
 * The time in UNIX seconds, and how far sandbox and shop are ahead of the real time, in milliseconds. `is_followed`:
 * whether a merchant moves with it.
 */
export function clockState({ service: { clock, shopClock } }: ControlContext) {
  return {
    now: clock.now(),
    ahead_ms: clock.offsetMs(),
    shop_ahead_ms: shopClock.aheadMs(),
    is_followed: shopClock.isFollowed(),
  };
}

/** Answers a merchant that follows the shop's clock, once it differs from `known`. */
export async function answerFollower(
  { service: { shopClock } }: ControlContext,
  known: unknown,
  signal: AbortSignal,
): Promise<void> {
  const knownMs = typeof known === 'string' && /^-?\d{1,15}$/.test(known) ? Number(known) : NaN;
  await shopClock.waitForOther(knownMs, signal);
}

export function resetSandbox({ service, faults, requestLog }: ControlContext): void {
  service.reset();
  faults.clear();
  requestLog.clear();
}
