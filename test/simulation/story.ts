// One story: some hours of a shop in milliseconds. Chance decides what members, operators and the service do, which messages
// are lost, doubled or forged, in which order the steps of two processes happen, and when one is killed. After it,
// everything works again, and time passes until nothing is left to do.

import { insertOrder } from '../../src/merchant/orders/order-store';
import { charge, MEMBERS, refund, register, registerBefore, remove, schedule, unschedule } from './actions';
import { findLeftOpen } from './left-open';
import { cancelInConsole, deliverForgedNotice, deliverNotice, pay } from './notices';
import { deliverInAll, runJobs, sweep } from './pass-time';
import type { Random } from './random';
import { runSteps } from './run-steps';
import { startProcess } from './simulated-process';
import type { Stage } from './stage';
import type { Step } from './steps';
import type { Tale } from './tale';

const ORDERS = 2;
const ACTIONS = 8;
/** Between two steps, while both wait. */
const ACTION_CHANCE = 0.2;
const KILL_CHANCE = 0.015;
/** Just after a call that changes something at the service, when no row says so yet. */
const KILL_AFTER_OPERATION_CHANCE = 0.12;
const FAULTS = 0.15;
const HANDLER_FAILS = 0.1;
/** Whether a member has a card when the story begins. */
const STORED_CARD = 0.7;
/** Minutes that pass in the end, one after the other, while something is open: no row waits for longer than all of them. */
const LATER_MINUTES = [1, 1, 2, 5, 15, 60, 6 * 60, 24 * 60, 24 * 60, 5, 5];

/** Minutes in which whatever was interrupted is taken up again. */
const SOON_MINUTES = 15;

type Action = (tale: Tale) => Promise<void> | void;
type Possible = (tale: Tale) => boolean;
const always: Possible = () => true;
const withKey: Possible = ({ confirmedKeys }) => confirmedKeys.size > 0;

/** Those that would do nothing are left out, so that a short story is a full one. */
const ACTIONS_BY_WEIGHT: readonly (readonly [weight: number, action: Action, isPossible: Possible])[] = [
  [4, pay, always],
  [8, deliverNotice, ({ wire }) => wire.length > 0],
  [1, deliverForgedNotice, always],
  [1, cancelInConsole, ({ paid }) => paid.length > 0],
  [2, register, always],
  [3, charge, withKey],
  [2, schedule, withKey],
  [1, unschedule, withKey],
  [2, refund, ({ acknowledged, confirmedKeys }) => acknowledged.length + confirmedKeys.size > 0],
  [2, remove, withKey],
  [2, passMinute, always],
  [1, deliverEverywhere, always],
  [2, passTime, always],
  [1, sweep, always],
];

/** @param trace is filled with what happens */
export async function tellStory(stage: Stage, random: Random, trace: string[]): Promise<Tale> {
  const tale: Tale = {
    stage,
    random,
    orders: Array.from({ length: ORDERS }, (_, index) => ({
      merchantUid: `order-${index + 1}`,
      amount: 1_000 * (index + 1),
      memberId: index === 0 ? null : (MEMBERS[index - 1] ?? null),
      isRegistered: true,
    })),
    keys: new Set(),
    confirmedKeys: new Set(),
    wire: [],
    paid: [],
    acknowledged: [],
    told: [],
    trace,
    problems: [],
    lastStep: null,
    processes: [startProcess(stage), startProcess(stage)],
    sweeps: [],
  };
  for (const { merchantUid, amount, memberId } of tale.orders)
    await insertOrder(stage.outside, { merchantUid, amount, memberId, name: 'Tea', currency: 'KRW' });
  if (random.chance(STORED_CARD)) await registerBefore(tale);
  await begins(tale);
  await endsWell(tale);
  return tale;
}

async function begins(tale: Tale): Promise<void> {
  const { stage, random, trace } = tale;
  stage.network.setFaults(FAULTS);
  let actionsLeft = ACTIONS;
  await goOn(tale, async (waiting) => {
    const { lastStep } = tale;
    tale.lastStep = null;
    if (lastStep?.isOperation && random.chance(KILL_AFTER_OPERATION_CHANCE)) {
      await kill(tale, lastStep.process);
      return true;
    }
    if (waiting > 0 && random.chance(KILL_CHANCE)) {
      await kill(tale, random.int(tale.processes.length + tale.sweeps.length));
      return true;
    }
    if (actionsLeft === 0 || (waiting > 0 && !random.chance(ACTION_CHANCE))) return false;
    actionsLeft -= 1;
    const possible = ACTIONS_BY_WEIGHT.filter(([, , isPossible]) => isPossible(tale));
    const action = random.weighted(possible.map(([weight, each]) => [weight, each] as const));
    trace.push(`[${action.name}]`);
    await action(tale);
    return true;
  });
}

/** Either of the two processes, and a sweep as well. */
async function kill({ stage, processes, sweeps, trace }: Tale, index: number): Promise<void> {
  trace.push(`[kill ${index}]`);
  stage.tally.add(index < processes.length ? 'kill' : 'kill of a sweep');
  const sweep = sweeps.splice(index - processes.length, index < processes.length ? 0 : 1)[0];
  if (!sweep) {
    processes[index]?.steps.kill();
    processes[index] = startProcess(stage);
    return;
  }
  sweep.steps.kill();
  // Its connection is closed, and with it the lock is free.
  await Promise.all(sweep.tasks);
}

/** The service works, nobody is killed, and nobody does anything new. */
async function endsWell(tale: Tale): Promise<void> {
  const { stage, trace } = tale;
  stage.network.setFaults(0);
  runJobs(tale, { handlerFails: 0 });
  await goOn(tale, () => Promise.resolve(false));
  for (const minutes of LATER_MINUTES) {
    const open = await findLeftOpen(stage.rows);
    if (open.length === 0 && stage.jobs.count() === 0) return;
    trace.push(`[${minutes} min]`);
    stage.clock.advance(minutes * 60);
    await stage.passTimeAtService();
    runJobs(tale, { handlerFails: 0, of: open });
    await goOn(tale, () => Promise.resolve(false));
    if (minutes >= SOON_MINUTES) await checkSchedules(tale);
  }
}

/** No schedule outlives its card, which it would fail without (§4.9), and what was revoked with it is known to be. */
async function checkSchedules({ stage, problems }: Tale): Promise<void> {
  const left = await stage.rows.query<{ merchantUid: string }>(`
    select merchant_uid as "merchantUid" from charges join billing_keys using (customer_uid)
    where charges.status = 'scheduled' and billing_keys.status = 'removed'`);
  for (const { merchantUid } of left) {
    const { status } = await stage.outside.service.getScheduleByMerchantUid(merchantUid);
    problems.push(`${merchantUid} has no card any more, and is ${status} at the service`);
  }
}

function goOn(tale: Tale, between: (waiting: number) => Promise<boolean>): Promise<void> {
  const onStep = (process: number, { name }: Step): void => {
    tale.trace.push(`${process}: ${name}`);
    tale.lastStep = { process, isOperation: OPERATION.test(name) };
  };
  return runSteps(() => [...tale.processes, ...tale.sweeps], tale.random, between, onStep);
}

const OPERATION = /^(POST|DELETE) (?!.*(Token|signin))/;

function passMinute(tale: Tale): void {
  runJobs(tale, { handlerFails: HANDLER_FAILS });
}

function deliverEverywhere(tale: Tale): void {
  deliverInAll(tale, HANDLER_FAILS);
}

async function passTime({ stage, random }: Tale): Promise<void> {
  stage.clock.advance(random.pick([1, 6, 20, 90]));
  await stage.passTimeAtService();
}
