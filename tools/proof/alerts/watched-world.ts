// A world with monitoring: minutes pass, jobs run as the engine would run them, and /metrics is scraped.

import { runReconcileJob } from '../../../test/support/reconciliation';
import type { World } from '../../../test/support/world';
import type { Scrape } from './promql';
import { scrape, watchAlerts } from './scrapes';

const RECONCILE_EVERY_MINUTES = 5;

export type Watch = {
  scrapes: Scrape[];
  /** Lets minutes pass, in steps of one minute unless given, and scrapes after each. `withoutJobs`: no process runs jobs. */
  pass(minutes: number, options?: { withoutJobs?: boolean; step?: number }): Promise<void>;
  /** The alerts that fire after the last scrape. */
  firing(): string[];
};

export function watch(world: World): Watch {
  const scrapes: Scrape[] = [];
  const fireAt = watchAlerts();
  let evaluated = 0;
  let firing: string[] = [];
  let minute = 0;
  return {
    scrapes,
    async pass(minutes, { withoutJobs = false, step = 1 } = {}) {
      for (const end = minute + minutes; minute < end; minute += step) {
        if (withoutJobs) world.clock.advance(60 * step);
        else await world.runEveryMinute(60 * step);
        if (!withoutJobs && minute % RECONCILE_EVERY_MINUTES < step) await runReconcileJob(world);
        scrapes.push(await scrape(world.url, world.clock.nowMs() / 1000));
      }
    },
    firing() {
      for (const next of scrapes.slice(evaluated)) firing = fireAt(next);
      evaluated = scrapes.length;
      return firing;
    },
  };
}
