// The end of a story: everything works again, nobody is killed, and time passes until nothing is left to do.

import { findLeftOpen, type LeftOpen } from './left-open';
import { deliverNotice } from './notices';
import { PARTS } from './parts';
import { runJobs } from './pass-time';
import type { Tale } from './tale';

/** Of the notifications that are still on their way; of the other payments nobody ever tells. */
const ARRIVES_LATE = 0.6;
/** Minutes that pass one after the other while something is open: no row waits for longer than all of them. */
const LATER_MINUTES = [0, 1, 1, 2, 5, 15, 60, 6 * 60, 24 * 60, 24 * 60, 5, 5];
/** After so many of them, whatever was interrupted has been taken up again. */
const SOON = 5;
const DAY = 24 * 60;
/** @param goOn lets everything happen that is under way */
export async function endsWell(tale: Tale, goOn: () => Promise<void>): Promise<void> {
  const { stage, random, wire } = tale;
  stage.network.setFaults(0);
  stage.storeFaults.setFaults(0);
  while (wire.length > 0 && random.chance(ARRIVES_LATE)) deliverNotice(tale);
  await goOn();
  const pass = (minutesEach: readonly number[]) => passTime(tale, minutesEach, goOn);
  for (const part of PARTS) await part.end(tale, { goOn, pass });
  tale.leftOpen = await passTime(tale, LATER_MINUTES, goOn);
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
