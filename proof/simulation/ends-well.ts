// The end of a story: everything works again, nobody is killed, and time passes until nothing is left to do.

import { findLeftOpen, type LeftOpen } from './left-open';
import { deliverNotice } from './notices';
import { runJobs } from './pass-time';
import { cancelEachPlan, settleForPlans } from './plans';
import type { Stage } from './stage';
import type { Tale } from './tale';

/** Of the notifications that are still on their way; of the other payments nobody ever tells. */
const ARRIVES_LATE = 0.6;
/** Minutes that pass one after the other while something is open: no row waits for longer than all of them. */
const LATER_MINUTES = [0, 1, 1, 2, 5, 15, 60, 6 * 60, 24 * 60, 24 * 60, 5, 5];
/** After so many of them, whatever was interrupted has been taken up again. */
const SOON = 5;
const DAY = 24 * 60;
/** How a plan goes on: the days on which a failed payment is tried again, with the minutes that each of them takes. */
const DAYS_OF_A_PLAN = [1, 2, 4];
const MINUTES_OF_A_DAY = [1, 1, 1, 1, 1, 1];
/** How often a plan is cancelled, and what passes after each time: by then it is known what became of a payment on its way. */
const MOST_TRIES = 3;
const MINUTES_OF_A_TRY = [1, 1, 1, 5, 15, 15];

/** @param goOn lets everything happen that is under way */
export async function endsWell(tale: Tale, goOn: () => Promise<void>): Promise<void> {
  const { stage, random, wire } = tale;
  stage.network.setFaults(0);
  stage.storeFaults.setFaults(0);
  while (wire.length > 0 && random.chance(ARRIVES_LATE)) deliverNotice(tale);
  await goOn();
  if (tale.plans.length > 0) await plansGoOn(tale, goOn);
  tale.leftOpen = await passTime(tale, LATER_MINUTES, goOn);
}

/** For some days, until all of them are cancelled. */
async function plansGoOn(tale: Tale, goOn: () => Promise<void>): Promise<void> {
  const { random, stage } = tale;
  for (const days of DAYS_OF_A_PLAN.slice(0, random.int(DAYS_OF_A_PLAN.length + 1)))
    await passTime(tale, [days * DAY, ...MINUTES_OF_A_DAY], goOn);
  // One whose payment is on its way cannot be cancelled before its outcome is known.
  for (let tries = 0; tries < MOST_TRIES && (await hasPlan(stage)); tries += 1) {
    await settleForPlans(tale);
    cancelEachPlan(tale);
    await goOn();
    await passTime(tale, MINUTES_OF_A_TRY, goOn);
  }
}

async function hasPlan({ rows }: Stage): Promise<boolean> {
  return (await findLeftOpen(rows)).some(({ what }) => what === 'plans');
}

/**
 * What is not due yet is left alone: a minute in which nothing can happen costs nothing.
 * @returns what is open then
 */
async function passTime(
  tale: Tale,
  minutesEach: readonly number[],
  goOn: () => Promise<void>,
): Promise<LeftOpen[]> {
  const { stage, trace } = tale;
  let open = await findLeftOpen(stage.rows);
  for (const [index, minutes] of minutesEach.entries()) {
    const nowMs = () => stage.clock.nowMs();
    const isDue = ({ dueMs }: LeftOpen) => dueMs === null || dueMs <= nowMs();
    // A plan goes on for ever, and is looked at when it is due.
    if (minutes < DAY && !open.some((each) => each.what !== 'plans' || isDue(each))) return open;
    trace.push(`[${minutes} min]`);
    const beforeMs = nowMs();
    stage.clock.advance(minutes * 60);
    await stage.passTimeAtService();
    if (index >= SOON) await checkRemovals(tale, beforeMs);
    const due = open.filter(isDue).map(({ job }) => job);
    if (due.length === 0 && !stage.jobs.isDue(stage.clock.now())) continue;
    runJobs(tale, { handlerFails: 0, of: due });
    await goOn();
    if (index >= SOON && open.some(({ what }) => what === 'schedules')) await checkRevoked(tale);
    checkSchedules(tale);
    open = await findLeftOpen(stage.rows);
  }
  return open;
}

/** No schedule outlives its card, which it would fail without (§4.9). */
function checkSchedules({ stage, problems }: Tale): void {
  const { schedules, billingKeys } = stage.atService;
  for (const { merchantUid, customerUid } of schedules.find({ from: 0, to: Infinity, status: 'scheduled' }))
    if (!billingKeys.find(customerUid))
      problems.push(`${merchantUid} is scheduled with a card that was removed`);
}

/** What is scheduled with a card takes no money once its removal has been taken up, whatever that waits for. */
async function checkRemovals({ stage, problems }: Tale, sinceMs: number): Promise<void> {
  for (const { customerUid } of await stage.rows.query<{ customerUid: string }>(BEING_REMOVED)) {
    const [latest] = stage.atService.payments.ofCustomer(
      { customerUid, includeSandbox: true },
      0,
      1,
    ).payments;
    if (latest && latest.startedAt * 1_000 > sinceMs)
      problems.push(`${latest.merchantUid} was charged while its card was being removed`);
  }
}

const BEING_REMOVED = `
  select customer_uid as "customerUid" from billing_keys where status = 'removing' order by customer_uid`;

/** What was revoked with a card is known to be. */
async function checkRevoked({ stage, problems }: Tale): Promise<void> {
  for (const { merchantUid } of await stage.rows.query<{ merchantUid: string }>(OF_REMOVED_CARDS))
    problems.push(`${merchantUid} has no card any more, and its row says that it is scheduled`);
}

const OF_REMOVED_CARDS = `
  select merchant_uid as "merchantUid" from charges join billing_keys using (customer_uid)
  where charges.status = 'scheduled' and billing_keys.status = 'removed'`;
