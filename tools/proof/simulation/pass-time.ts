// The merchant's background work: the jobs of every minute, enqueued jobs, and reconciliation.

import { deliverEvents } from '../../../src/merchant/core/events/deliver-events';
import { reconcile } from '../../../src/merchant/core/reconciliation/reconcile';
import { FEATURES } from '../../../src/merchant/features';
import { tasksOf, type Context } from '../../../src/merchant/platform/context';
import type { ShopEvent } from '../../../src/merchant/shop/event';
import { begin } from './run-steps';
import { startProcess, type SimulatedProcess } from './simulated-process';
import { anyProcess, type Tale } from './tale';

const EVERY_MINUTE = [
  'retry-due-notifications',
  'recover-unresolved-attempts',
  'recover-removals',
  'revoke-schedules',
  'advance-subscriptions',
  'deliver-events',
];
/** The shop's own code is replaced by that of the simulation. */
const BESIDE_THE_SHOP = FEATURES.filter(({ name }) => name !== 'shop');
const NEVER = new AbortController().signal;

/** @param options the probability that the shop's code fails at an event; `of` selects jobs of every minute */
export function runJobs(
  tale: Tale,
  { handlerFails, of }: { handlerFails: number; of?: readonly string[] },
): void {
  const { jobs, clock, tally } = tale.stage;
  const target = anyProcess(tale);
  const due = jobs.takeDue(clock.now());
  const tasks = new Map(tasksOf(target.context).map((task) => [task.name, task.run]));
  const run = async (job: string, payload: unknown) => tasks.get(job)?.(NEVER, payload);
  for (const job of EVERY_MINUTE) {
    const isNeeded = !of || of.includes(job) || due.some(({ name }) => name === job);
    if (!isNeeded) continue;
    if (job === 'deliver-events') beginDeliveries(tale, target, handlerFails);
    else begin(target, run(job, {}));
  }
  for (const { name, payload } of due) {
    tally.add(`job: ${name}`);
    if (!EVERY_MINUTE.some((job) => job === name)) begin(target, run(name, payload));
  }
}

/** Both processes deliver due events: each event may be delivered by either process, but only by one. */
export function deliverInAll(tale: Tale, handlerFails: number): void {
  for (const target of tale.processes) beginDeliveries(tale, target, handlerFails);
}

function beginDeliveries(tale: Tale, target: SimulatedProcess, handlerFails: number): void {
  const { random, stage, delivered } = tale;
  const handler = (event: ShopEvent): Promise<void> =>
    target.steps.take('an event is delivered', () => {
      if (random.chance(handlerFails)) {
        stage.tally.add('event that the shop refused');
        return Promise.reject(new Error('simulated'));
      }
      delivered.push({ event, atMs: stage.clock.nowMs() });
      return Promise.resolve();
    });
  begin(target, deliverEvents(withHandler(target.context, handler)));
}

function withHandler(context: Context, handler: (event: ShopEvent) => Promise<void>): Context {
  const features = [...BESIDE_THE_SHOP, { name: 'shop', eventHandlers: { handler } }];
  return { ...context, features, state: new Map() };
}

/** Reconciles in a process of its own. A lock allows one reconciliation at a time. */
export function sweep({ stage, sweeps }: Tale): void {
  // Without pauses: only the connection of its lock delays the next step.
  const own = startProcess(stage, false);
  sweeps.push(own);
  begin(
    own,
    reconcile(own.context).then((report) => stage.tally.add(report ? 'sweep' : 'sweep beside another')),
  );
  for (const ended of own.tasks)
    void ended.then(() => sweeps.splice(0, sweeps.length, ...sweeps.filter((each) => each !== own)));
}

/** Delivers the events of the last reconciliation, after the end of a story. */
export async function deliverTheRest({ stage, delivered }: Tale): Promise<void> {
  const handler = (event: ShopEvent): Promise<void> => {
    delivered.push({ event, atMs: stage.clock.nowMs() });
    return Promise.resolve();
  };
  await deliverEvents(withHandler(stage.outside, handler));
}
