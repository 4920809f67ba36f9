// A clock that a person can move: the demo shop shows in a minute what a subscription does in a month. It replaces the
// merchant's clock only if the sandbox is the payment service. The sandbox keeps how far the clock is ahead, and every
// process of the merchant follows it, so that shop, sandbox, jobs and commands have one time, also after a restart.

import { Agent, fetch, type RequestInit } from 'undici';
import { EVERY_MINUTE, type Clock } from '../../platform/clock';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { JobKind, RecurringJob } from '../../platform/jobs';
import { wakeSubscriptions } from '../subscriptions/subscription-store';

export type TravellingClock = Clock & {
  /** How far it is ahead of the host's clock, in milliseconds. */
  aheadMs(): number;
  setAhead(ms: number): void;
  /** The time from which it was last moved forward; null at the real time. */
  movedFrom(): Date | null;
};

/** Where a person presses "reset". */
export const RESET_CLOCK_PATH = '/demo/clock/reset';

/** Null if the sandbox is not the payment service, such as in production. */
export function createTravellingClock(
  host: Clock,
  { sandboxMode }: Pick<Config, 'sandboxMode'>,
): TravellingClock | null {
  if (!sandboxMode) return null;
  let aheadMs = 0;
  let movedFrom: Date | null = null;
  return {
    now: () => new Date(host.now().getTime() + aheadMs),
    monotonicMs: () => host.monotonicMs(),
    wait: (ms, options) => host.wait(ms, options),
    aheadMs: () => aheadMs,
    setAhead: (ms) => {
      if (ms > aheadMs) movedFrom = new Date(host.now().getTime() + aheadMs);
      if (ms === 0) movedFrom = null;
      aheadMs = ms;
    },
    movedFrom: () => movedFrom,
  };
}

/**
 * Follows the sandbox's clock until the signal is aborted. Null: learns once how far it is ahead, for a command. While the
 * sandbox does not answer, the clock stays as it is.
 */
export async function followSandbox(context: Context, signal: AbortSignal | null): Promise<void> {
  const { clock, config, logger } = context;
  if (!isTravelling(clock)) return;
  const { baseUrl } = config.service;
  if (signal === null) {
    const known = await readClock(baseUrl, '', AbortSignal.timeout(LEARN_LIMIT_MS));
    if (known) clock.setAhead(known.shopAheadMs);
    return;
  }
  while (!signal.aborted) {
    const isOver = AbortSignal.any([signal, AbortSignal.timeout(FOLLOW_LIMIT_MS)]);
    const known = await readClock(baseUrl, `?known_ms=${clock.aheadMs()}`, isOver);
    if (known && known.shopAheadMs !== clock.aheadMs()) {
      clock.setAhead(known.shopAheadMs);
      await afterMove(context).catch((error: unknown) =>
        logger.warn({ event: 'clock_not_adjusted', err: error }),
      );
    } else if (!known) await clock.wait(RETRY_MS, { signal, ref: false }).catch(() => undefined);
  }
}

/** A command waits no longer to learn the time. */
const LEARN_LIMIT_MS = 1_000;
/** The sandbox answers within 20 s. */
const FOLLOW_LIMIT_MS = 30_000;
/** While the sandbox does not answer, or if something else is the payment service. */
const RETRY_MS = 500;

export function isTravelling(clock: Clock): clock is TravellingClock {
  return 'setAhead' in clock;
}

/** The sandbox answers only after everything that became due has happened. */
const TRAVEL_LIMIT_MS = 20_000;

type Travel = { kind: 'arrived' } | { kind: 'sandbox_unreachable' };

/**
 * Moves both programs forward: first the merchant's clock, so that notifications on the way are dated after the jump;
 * then the sandbox's, which makes the due payments and sends their notifications. Then the merchant does what is due.
 * @throws DatabaseError if the jobs could not be enqueued; they still run within a minute
 */
export async function travel(context: Context, clock: TravellingClock, until: Date): Promise<Travel> {
  const { baseUrl } = context.config.service;
  const sandbox = await readClock(baseUrl, '', AbortSignal.timeout(TRAVEL_LIMIT_MS));
  if (!sandbox) return { kind: 'sandbox_unreachable' };
  // If only the sandbox was moved before, it is ahead already, and the shop's clock joins it.
  const seconds = Math.max(0, Math.ceil((until.getTime() - sandbox.nowMs) / 1000));
  clock.setAhead(sandbox.aheadMs + seconds * 1000);
  const hasMoved = await moveSandbox(baseUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_seconds: seconds }),
  });
  if (!hasMoved) return { kind: 'sandbox_unreachable' };
  await afterMove(context);
  return { kind: 'arrived' };
}

/** Puts both programs back to the real time. Nothing that has happened is undone. */
export async function travelBack(context: Context, clock: TravellingClock): Promise<Travel> {
  const hasMoved = await moveSandbox(context.config.service.baseUrl, { method: 'DELETE' });
  if (!hasMoved) return { kind: 'sandbox_unreachable' };
  clock.setAhead(0);
  await afterMove(context);
  return { kind: 'arrived' };
}

/** What may have become due, besides what a notification has started. */
async function afterMove(context: Context): Promise<void> {
  await wakeSubscriptions(context);
  const due = context.features.flatMap(({ jobs = [] }) => jobs).filter(isEveryMinute);
  for (const job of due) await context.jobs.runSoon(job);
}

const isEveryMinute = <Kind extends JobKind>(job: Kind): job is Kind & RecurringJob =>
  job.crontab === EVERY_MINUTE;

/** Certificates are always verified, whatever the environment says. */
const VERIFYING = new Agent({ connect: { rejectUnauthorized: true } });

type SandboxTime = { nowMs: number; aheadMs: number; shopAheadMs: number };

/** The sandbox's clock; null if it does not answer, or if something else answers. Never throws. */
async function readClock(baseUrl: string, query: string, signal: AbortSignal): Promise<SandboxTime | null> {
  try {
    const answer = await fetch(`${baseUrl}/_sandbox/clock/shop${query}`, { signal, dispatcher: VERIFYING });
    const {
      now,
      ahead_ms: aheadMs,
      shop_ahead_ms: shopAheadMs,
    } = (await answer.json()) as Record<string, unknown>;
    const isWhole = [now, aheadMs, shopAheadMs].every((each) => Number.isSafeInteger(each));
    if (!answer.ok || !isWhole) return null;
    return { nowMs: Number(now) * 1000, aheadMs: Number(aheadMs), shopAheadMs: Number(shopAheadMs) };
  } catch {
    return null;
  }
}

/** Whether the sandbox has done it. Never throws. */
async function moveSandbox(baseUrl: string, request: RequestInit): Promise<boolean> {
  const signal = AbortSignal.timeout(TRAVEL_LIMIT_MS);
  const options = { ...request, signal, dispatcher: VERIFYING };
  const answer = await fetch(`${baseUrl}/_sandbox/clock`, options).catch(() => null);
  return answer?.ok === true;
}
