// The soak: a mixed load for a long time, while memory, handles, connections, job rows and response times are measured. They must
// not grow, connections must stay below their limit and be released, no alert may fire, and the books must match as after the
// kill loop.

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { scrape, watchAlerts } from '../alerts/scrapes';
import {
  chargeAndRefund,
  lookAround,
  payAndNotify,
  registerAndRemoveCard,
  scheduleAndRevoke,
} from './clients';
import { findHeld, findTooMany } from './connections';
import { startCrowd } from './crowd';
import { finish, type Finished } from './finish';
import { createLedger } from './ledger';
import { findGrowth, takeSample, toStretches, type Sample, type Stretch } from './samples';
import { startStage, type Stage } from './stage';

export type SoakOptions = {
  minutes: number;
  seed: number;
  /** The minimum and maximum pause of each of the 12 clients between two actions. */
  pauseMs: readonly [least: number, most: number];
  onSample?: (sample: Sample) => void;
};

export type SoakReport = Finished & { stretches: Stretch[] };

const CLIENTS = [
  ['notify', payAndNotify, 4],
  ['charge', chargeAndRefund, 2],
  ['card', registerAndRemoveCard, 2],
  ['schedule', scheduleAndRevoke, 2],
  ['look', lookAround, 2],
] as const;

/** With it, the smallest heap of a stretch is memory that cannot be freed. */
const COLLECT_GARBAGE = join(__dirname, 'collect-garbage.cjs');
const SAMPLE_EVERY_MS = 1_000;
const SCRAPE_EVERY_MS = 15_000;
const STRETCHES = 4;
/** The share of the run for compilation and caches, which are not a leak. */
const WARM_UP = 0.2;

export async function runSoak({ minutes, seed, pauseMs, onSample }: SoakOptions): Promise<SoakReport> {
  const stage = await startStage({ nodeFlags: ['--expose-gc', '--require', COLLECT_GARBAGE] });
  try {
    const ledger = createLedger();
    const crowd = await startCrowd({ stage, ledger, seed, clients: CLIENTS, pauseMs });
    const alerts = watchMerchants(stage);
    const samples = await crowd.during((failed) =>
      watch(minutes * 60_000, failed, async () => {
        const sample = await takeSample(stage, ledger);
        onSample?.(sample);
        await alerts.look();
        return sample;
      }),
    );
    const stretches = toStretches(samples.slice(Math.ceil(samples.length * WARM_UP)), STRETCHES);
    const finished = await finish(stage, ledger);
    return {
      ...finished,
      stretches,
      problems: [
        ...findGrowth(stretches),
        ...findTooMany(stage, stretches),
        ...alerts.fired(),
        ...finished.problems,
        ...(await findHeld(stage.rows)),
      ],
    };
  } finally {
    await stage.close();
  }
}

async function watch(forMs: number, failed: AbortSignal, measure: () => Promise<Sample>): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const until = performance.now() + forMs; performance.now() < until && !failed.aborted;) {
    await pause(SAMPLE_EVERY_MS);
    samples.push(await measure());
  }
  return samples;
}

/** Evaluates all alert rules for each merchant. */
function watchMerchants({ slots }: Stage) {
  const watches = new Map(slots.map((slot) => [slot, watchAlerts()]));
  const fired = new Set<string>();
  let lookedMs = 0;
  return {
    async look(): Promise<void> {
      if (performance.now() - lookedMs < SCRAPE_EVERY_MS) return;
      lookedMs = performance.now();
      for (const [slot, firingAt] of watches)
        for (const alert of firingAt(await scrape(slot.url, Date.now() / 1000)))
          fired.add(`the alert ${alert} fired`);
    },
    fired: () => [...fired],
  };
}
