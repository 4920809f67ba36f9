// A clock that can be put forward: the demo shop shows in a minute what a subscription does in a month. It stands in the
// merchant's place for a clock only where the sandbox is the payment service.

import type { Clock } from '../../platform/clock';

export type TravellingClock = Clock & {
  /** Puts the clock forward to this time. It never goes back. */
  travelTo(time: Date): void;
};

export function createTravellingClock(clock: Clock): TravellingClock {
  let aheadMs = 0;
  return {
    now: () => new Date(clock.now().getTime() + aheadMs),
    monotonicMs: () => clock.monotonicMs(),
    wait: (ms, options) => clock.wait(ms, options),
    travelTo(time) {
      aheadMs = Math.max(aheadMs, time.getTime() - clock.now().getTime());
    },
  };
}

export function isTravelling(clock: Clock): clock is TravellingClock {
  return 'travelTo' in clock;
}
