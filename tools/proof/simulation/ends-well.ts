// The end of a story: everything works again, no process is killed, and time passes until nothing is open.

import { findLeftOpen, type LeftOpen } from './left-open';
import { deliverNotice } from './notices';
import { PARTS } from './parts';
import { runJobs } from './pass-time';
import type { Tale } from './tale';

/** The share of pending notifications that still arrive; the others are lost. */
const ARRIVES_LATE = 0.6;
/** Steps of time, in minutes, while something is open. No row waits longer than their sum. */
const LATER_MINUTES = [0, 1, 1, 2, 5, 15, 60, 6 * 60, 24 * 60, 24 * 60, 5, 5];
/** After this number of steps, all interrupted work has been resumed. */
const SOON = 5;
const DAY = 24 * 60;
/** @param goOn completes everything that is in progress */
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
 * Runs only jobs that are due, so that idle minutes cost nothing.
 * @returns the rows that are still open
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
    // A plan never ends by itself; it is checked when due.
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
    if (index >= SOON) await checkFinished(tale);
    open = await findLeftOpen(stage.rows);
  }
  return open;
}

/** No schedule may exist without its card, because it would fail (§4.9). */
function checkSchedules({ stage, problems }: Tale): void {
  const { schedules, billingKeys } = stage.atService;
  for (const { merchantUid, customerUid } of schedules.find({ from: 0, to: Infinity, status: 'scheduled' }))
    if (!billingKeys.find(customerUid))
      problems.push(`${merchantUid} is scheduled with a card that was removed`);
}

/** Once the removal of a card has begun, its schedules must take no money. */
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

/** Without faults, no schedule waits for an order that is finished. */
async function checkFinished({ stage, problems }: Tale): Promise<void> {
  const finished = new Map(
    (await stage.rows.query<{ uid: string; status: string }>(FINISHED)).map(({ uid, status }) => [
      uid,
      status,
    ]),
  );
  const waiting = stage.atService.schedules.find({ from: 0, to: Infinity, status: 'scheduled' });
  for (const { merchantUid } of waiting.filter((each) => finished.has(each.merchantUid)))
    problems.push(`${merchantUid} is ${finished.get(merchantUid)}, and is still scheduled`);
}

const FINISHED = `
  select merchant_uid as uid, status::text from orders
  where status in ('paid', 'partially_cancelled', 'cancelled', 'closed')`;

/** Schedules revoked with a card must be `revoked` in the books. */
async function checkRevoked({ stage, problems }: Tale): Promise<void> {
  for (const { merchantUid } of await stage.rows.query<{ merchantUid: string }>(OF_REMOVED_CARDS))
    problems.push(`${merchantUid} has no card any more, and its row says that it is scheduled`);
}

const OF_REMOVED_CARDS = `
  select merchant_uid as "merchantUid" from charges join billing_keys using (customer_uid)
  where charges.status = 'scheduled' and billing_keys.status = 'removed'`;
