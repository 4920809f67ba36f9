// One merchant process in a story: the real use cases with a Context in which every statement, call and pause is a step. A kill
// loses its memory, but not the database, the jobs and the service.

import { FEATURES } from '../../../src/merchant/features';
import { createPaymentService } from '../../../src/merchant/payment-service/payment-service';
import type { Clock } from '../../../src/merchant/platform/clock';
import type { Context } from '../../../src/merchant/platform/context';
import type { Jobs } from '../../../src/merchant/platform/jobs';
import { toAdapter } from './in-process-service';
import type { Network } from './network';
import type { SimulatedClock } from './simulated-clock';
import { createSteps, type Steps } from './steps';
import type { StoreFaults, Stores } from './store';
import type { WaitingJobs } from './waiting-jobs';

export type SimulatedProcess = {
  context: Context;
  steps: Steps;
  /** The tasks that have not ended. */
  tasks: Set<Promise<void>>;
};

export type Outside = Pick<Context, 'config' | 'logger' | 'metrics'> & {
  clock: SimulatedClock;
  network: Network;
  stores: Stores;
  storeFaults: StoreFaults;
  jobs: WaitingJobs;
};

/** @param hasPauses whether its pauses are steps, or take no time */
export function startProcess(
  { network, stores, storeFaults, jobs, ...outside }: Outside,
  hasPauses = true,
): SimulatedProcess {
  const steps = createSteps();
  const clock = { ...outside.clock, wait: () => (hasPauses ? steps.pause() : Promise.resolve()) };
  const context: Context = {
    ...outside,
    features: FEATURES,
    state: new Map(),
    clock,
    realClock: clock,
    database: stores.next(steps, storeFaults),
    service: createPaymentService({
      service: outside.config.service,
      clock,
      includeTestChannel: true,
      openAdapter: () =>
        toAdapter((request) =>
          steps.take(`${request.method} ${request.template}`, () => network.send(request)),
        ),
    }),
    jobs: jobsThrough(jobs, clock, (name, act) => steps.take(name, () => storeFaults.run(act))),
  };
  return { context, steps, tasks: new Set() };
}

/**
 * A job is a row: it exists as soon as its step has run.
 * @param take takes a step
 */
export function jobsThrough(
  jobs: WaitingJobs,
  clock: Pick<Clock, 'now'>,
  take: (name: string, act: () => Promise<void>) => Promise<void>,
): Jobs {
  const enqueue: Jobs['enqueue'] = ({ name }, payload, { key, runAt }) =>
    take(`job ${name}`, () => {
      jobs.add({ name, payload, key, runAt });
      return Promise.resolve();
    });
  const stepped: Pick<Jobs, 'enqueue' | 'runSoon'> = {
    enqueue,
    runSoon: (job) => enqueue(job, {}, { key: job.name, runAt: clock.now() }),
  };
  return stepped as Jobs;
}
