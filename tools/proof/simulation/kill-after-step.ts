// A short story in a fixed order: a payment of an order fails, another one pays it, and the shop is told of both. Its one process is
// killed after a given step, and everything is done again.

import { seededRandom } from '../seeded-random';
import { checkBooks } from './check-books';
import { endsWell } from './ends-well';
import { deliver } from './notices';
import { runJobs } from './pass-time';
import type { Stage } from './stage';
import { goOn, kill } from './story';
import { createTale, type Notice, type Tale } from './tale';

const ORDER = { merchantUid: 'order-1', amount: 1_000, memberId: null, isRegistered: true };

/** `killedAfter`: the step, null if it ended before; `events`: those that were delivered, without copies */
export type AfterKill = { killedAfter: string | null; problems: string[]; events: string[] };

/** @param step the process is killed after so many steps; it is not killed if it ends before */
export async function killAfterStep(stage: Stage, step: number): Promise<AfterKill> {
  const tale = await createTale(stage, seededRandom(1), { trace: [], orders: [ORDER], processes: 1 });
  const notices = new Map<string, Notice>();
  const happens: (() => Promise<void> | void)[] = [
    () => notify(tale, notices, 'failed'),
    () => notify(tale, notices, 'paid'),
    () => runJobs(tale, { handlerFails: 0, of: ['deliver-events'] }),
  ];
  let killedAfter: string | null = null;
  for (const happen of happens) {
    await happen();
    await goOn(tale, async () => {
      if (killedAfter !== null || tale.trace.length < step) return false;
      killedAfter = tale.trace.at(-1) ?? '';
      await kill(tale, 0);
      return true;
    });
    if (killedAfter !== null) break;
  }
  const toItsEnd = () => goOn(tale, () => Promise.resolve(false));
  // The service sends again what was not answered with 200 (§6.5).
  for (const happen of killedAfter === null ? [] : happens) {
    await happen();
    await toItsEnd();
  }
  await endsWell(tale, toItsEnd);
  const events = tale.delivered.map(({ event }) => `${event.id} ${event.type}`);
  return { killedAfter, problems: await checkBooks(tale), events: [...new Set(events)] };
}

/** Makes the payment of this outcome, the first time, and notifies the process of it. */
async function notify(tale: Tale, notices: Map<string, Notice>, outcome: 'failed' | 'paid'): Promise<void> {
  const { merchantUid, amount } = ORDER;
  if (!notices.has(outcome)) {
    const payment = { merchant_uid: merchantUid, amount, outcome, notify: false };
    const { svc_uid: svcUid } = await tale.stage.control('/payments', payment);
    notices.set(outcome, { svcUid: String(svcUid), merchantUid, status: outcome, cancelled: 0 });
  }
  const notice = notices.get(outcome) as Notice;
  deliver(tale, notice, 'legacy', (status) => status === 200 && tale.acknowledged.push(notice));
}
