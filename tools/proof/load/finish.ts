// The end of a run under load: lets time pass until nothing is open, and compares the books with the service and with the answers
// that the clients got.

import { compareBooks, type Books } from './compare-books';
import type { Ledger } from './ledger';
import { findJobsHeldForEver, passTime } from './pass-time';
import type { Stage } from './stage';

export type Finished = Books & {
  /** Answers by kind of request and status; `none` if the connection broke. */
  answers: Record<string, number>;
  /** The simulated time until nothing was open. */
  hoursUntilFinished: number;
};

/** A schedule due within seconds would change the books during the comparison. */
const NOTHING_PLANNED_SOON = `select 1 where not exists (select from charges where status = 'scheduled'
  and schedule_at between now() - interval '2 seconds' and now() + interval '1 minute')`;

/** @param dead jobs locked by a killed merchant */
export async function finish(stage: Stage, ledger: Ledger, dead: readonly string[] = []): Promise<Finished> {
  const { rows, sandbox } = stage;
  await rows.waitFor(NOTHING_PLANNED_SOON);
  await sandbox.waitForNotifications();
  const { open, hours } = await passTime(rows, dead);
  const held = dead.length === 0 ? [] : await findJobsHeldForEver(rows, dead);
  const { problems, ...counts } = await compareBooks(stage, ledger);
  return {
    ...counts,
    answers: Object.fromEntries([...ledger.answers].sort()),
    hoursUntilFinished: hours,
    problems: [
      ...open.map((each) => `open after its time: ${each}`),
      ...held.map((each) => `held for ever: job ${each}`),
      ...problems,
    ],
  };
}
