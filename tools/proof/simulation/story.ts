// One story: some hours of a shop in milliseconds. A seed decides the actions of members, operators and the service, which
// messages are lost, duplicated or forged, the order of the steps of two processes, and when one is killed. At the end everything
// works again, and time passes until nothing is open.

import type { Random } from '../seeded-random';
import {
  charge,
  chargeFor,
  close,
  MEMBERS,
  refund,
  registerBefore,
  remove,
  schedule,
  scheduleFor,
  unschedule,
} from './actions';
import { held, paymentsAtService } from './check-money';
import { endsWell } from './ends-well';
import { cancelInConsole, comeBack, deliverForgedNotice, deliverNotice, pay, payFor } from './notices';
import { PARTS, type Possible, type WeightedAction } from './parts';
import { deliverInAll, runJobs, sweep } from './pass-time';
import { runSteps } from './run-steps';
import { startProcess } from './simulated-process';
import type { Stage } from './stage';
import type { Step } from './steps';
import { createTale, type Tale } from './tale';

const ORDERS = 2;
const ACTIONS = 8;
/** The probability of a new action between two steps. */
const ACTION_CHANCE = 0.2;
const KILL_CHANCE = 0.015;
/** The probability of a kill after a call that changes something at the service, before a row records it. */
const KILL_AFTER_OPERATION_CHANCE = 0.12;
/** The probability of a kill after a writing statement, before the next step. */
const KILL_AFTER_WRITE_CHANCE = 0.05;
const FAULTS = 0.15;
const STORE_FAULTS = 0.03;
const HANDLER_FAILS = 0.1;
/** The probability that a member has a card at the start. */
const STORED_CARD = 0.7;
const always: Possible = () => true;
const withKey: Possible = ({ confirmedKeys }) => confirmedKeys.size > 0;

/** Actions without effect are skipped, so that even a short story has many. */
const ACTIONS_BY_WEIGHT: readonly WeightedAction[] = [
  [4, pay, always],
  [8, deliverAnyNotice, ({ wire }) => wire.length > 0],
  [1, deliverForgedNotice, always],
  [1, cancelInConsole, ({ paid }) => paid.length > 0],
  [1, comeBack, ({ paid }) => paid.length > 0],
  [3, charge, withKey],
  [2, schedule, withKey],
  [2, payInEveryWay, withKey],
  [1, close, always],
  [1, unschedule, withKey],
  [2, refund, ({ acknowledged, confirmedKeys }) => acknowledged.length + confirmedKeys.size > 0],
  [2, remove, withKey],
  [2, passMinute, always],
  [1, deliverEverywhere, always],
  [2, passTime, always],
  [1, sweep, always],
  ...PARTS.flatMap(({ actions }) => actions),
];

/** @param trace is filled with the steps */
export async function tellStory(stage: Stage, random: Random, trace: string[]): Promise<Tale> {
  const orders = Array.from({ length: ORDERS }, (_, index) => ({
    merchantUid: `order-${index + 1}`,
    amount: 1_000 * (index + 1),
    memberId: index === 0 ? null : (MEMBERS[index - 1] ?? null),
    isRegistered: true,
  }));
  const tale = await createTale(stage, random, { trace, orders, processes: 2 });
  if (random.chance(STORED_CARD)) await registerBefore(tale);
  stage.network.watchCharges((merchantUid) => checkCharge(tale, merchantUid));
  await begins(tale);
  await endsWell(tale, () => goOn(tale, () => Promise.resolve(false)));
  return tale;
}

/** The card, the window, a schedule and the ways of options pay for one order at the same moment. */
async function payInEveryWay(tale: Tale): Promise<void> {
  const { random, orders, confirmedKeys } = tale;
  const order = random.pick(orders);
  const mayPay = [...confirmedKeys].filter(
    (key) => order.memberId === null || key.startsWith(order.memberId),
  );
  const customerUid = mayPay[random.int(mayPay.length)];
  if (customerUid === undefined) return;
  scheduleFor(tale, order, customerUid);
  chargeFor(tale, order, customerUid);
  if (order.isRegistered) for (const part of PARTS) part.payFor?.(tale, order);
  await payFor(tale, order);
}

async function begins(tale: Tale): Promise<void> {
  const { stage, random, trace } = tale;
  stage.network.setFaults(FAULTS);
  stage.storeFaults.setFaults(STORE_FAULTS);
  let actionsLeft = ACTIONS;
  await goOn(tale, async (waiting) => {
    const { lastStep } = tale;
    tale.lastStep = null;
    if (lastStep && random.chance(lastStep.killChance)) {
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

/** A charge queries the service first. It must find payments made before it began, and then not charge. */
function checkCharge({ stage, charging, problems }: Tale, merchantUid: string): void {
  const begun = [...charging].filter((each) => each.merchantUid === merchantUid && !each.isOver());
  const stillHeld = paymentsAtService(stage, merchantUid)
    .filter((payment) => held(payment) > 0)
    .map(({ svcUid }) => svcUid);
  const isKnownToBePaid = begun.every(({ paidBefore }) => paidBefore.some((uid) => stillHeld.includes(uid)));
  if (begun.length > 0 && isKnownToBePaid && !stage.network.hasDistorted())
    problems.push(`${merchantUid} was charged, and had been paid before`);
}

/** Kills one of the processes, or a reconciliation. */
export async function kill({ stage, processes, sweeps, trace }: Tale, index: number): Promise<void> {
  trace.push(`[kill ${index}]`);
  stage.tally.add(index < processes.length ? 'kill' : 'kill of a sweep');
  const sweep = sweeps.splice(index - processes.length, index < processes.length ? 0 : 1)[0];
  if (!sweep) {
    processes[index]?.steps.kill();
    processes[index] = startProcess(stage);
    return;
  }
  sweep.steps.kill();
  // This closes its connection and frees its lock.
  await Promise.all(sweep.tasks);
}

/** Runs the steps until all tasks have ended. @param between as in `runSteps` */
export function goOn(tale: Tale, between: (waiting: number) => Promise<boolean>): Promise<void> {
  const onStep = (process: number, { name }: Step): void => {
    tale.trace.push(`${process}: ${name}`);
    tale.lastStep = { process, killChance: killChanceAfter(name) };
  };
  return runSteps(() => [...tale.processes, ...tale.sweeps], tale.random, between, onStep);
}

function killChanceAfter(step: string): number {
  if (OPERATION.test(step)) return KILL_AFTER_OPERATION_CHANCE;
  return WRITE.test(step) ? KILL_AFTER_WRITE_CHANCE : 0;
}

const OPERATION = /^(POST|DELETE) (?!.*(Token|signin))/;
const WRITE = /^(claim|save|mark|write)-|update|create/;

function deliverAnyNotice(tale: Tale): void {
  deliverNotice(tale);
}

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
