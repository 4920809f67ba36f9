// The randomised simulation in CI, where `npm run proof -- simulate` runs any number of stories, and a kill after each step of one.

import { seededRandom } from '../../proof/seeded-random';
import { killAfterStep } from '../../proof/simulation/kill-after-step';
import { simulate, simulateOne } from '../../proof/simulation/simulate';
import { openStage } from '../../proof/simulation/stage';
import { createTally } from '../../proof/simulation/tally';

const STORIES = 90;
const FIRST = 301;
const AT_ONCE = 4;
/** The minimum count of each event: a simulation in which nothing happens proves nothing. */
const AT_LEAST = {
  kill: 40,
  'kill of a sweep': 2,
  sweep: 5,
  'sweep in the end': 15,
  'network: request lost': 5,
  'network: answer lost': 5,
  'network: server error': 3,
  'network: server error after the work': 3,
  'network: unauthorized': 3,
  'network: too many requests': 1,
  'network: lag': 1,
  'network: forged amount': 1,
  'notification of the legacy generation': 40,
  'notification of the newer generation': 10,
  'notification answered: recorded': 20,
  'notification answered: queued': 5,
  'notification answered: amount_mismatch': 2,
  'notification answered: unknown_payment': 5,
  'cancelled in the console': 5,
  'buyer came back: recorded': 1,
  'store: connection lost before it': 10,
  'store: connection lost after it': 10,
  'store: taken back': 5,
  'charge: paid': 3,
  'onetime: paid': 1,
  'plan: created': 4,
  'plan: period renewed': 4,
  'registration: registered': 15,
  'registration: unknown': 3,
  'removal: removed': 8,
  'schedule: scheduled': 4,
  'rows: charge again paid': 5,
  'rows: charge schedule paid': 3,
  'rows: charge schedule revoked': 3,
  'rows: discrepancy duplicate_payment': 5,
  'closing: closed': 2,
  'rows: refund refunded': 1,
  'rows: issuance issued': 60,
  'rows: key removed': 8,
  'rows: notification checked again': 15,
  'rows: event order.paid': 30,
  'rows: event order.cancelled': 1,
  'rows: subscription cancelled': 3,
  'rows: event subscription.payment_failed': 1,
};

test('a seed always gives the same simulation', async () => {
  const tell = async (seeds: readonly number[]) => {
    const tally = createTally();
    const stage = await openStage(tally);
    try {
      const traces = new Map<number, readonly string[]>();
      for (const seed of seeds) traces.set(seed, (await simulateOne(stage, seed)).trace);
      return { traces, counts: tally.toObject() };
    } finally {
      await stage.close();
    }
  };
  const [there, back] = [await tell([1, 2, 3, 4]), await tell([4, 3, 2, 1])];
  for (const [seed, trace] of there.traces) expect([seed, back.traces.get(seed)]).toEqual([seed, trace]);
  expect(back.counts).toEqual(there.counts);
});

test('after any simulation the books equal the service: nothing is lost or repeated, and every key has a row', async () => {
  const { failures, tally } = await simulate({ from: FIRST, count: STORIES, atOnce: AT_ONCE });
  expect(
    failures.map(({ seed, problems }) => ({ problems, again: `npm run proof -- simulate 1 ${seed}` })),
  ).toEqual([]);
  const tooSeldom = Object.entries(AT_LEAST)
    .filter(([what, times]) => tally.count(what) < times)
    .map(([what]) => `${what}: ${tally.count(what)}`);
  expect(tooSeldom).toEqual([]);
}, 900_000);

test('a process that is killed after any step, also between fetch and write, records each payment once and delivers every event, in order (G4)', async () => {
  const stage = await openStage(createTally());
  const events = ['order-1:1 order.failed', 'order-1:2 order.paid'];
  const killedAfter: (string | null)[] = [];
  try {
    do {
      const end = await killAfterStep(await stage.clear(seededRandom(1)), killedAfter.length + 1);
      killedAfter.push(end.killedAfter);
      const { problems, events: told } = end;
      expect({ killedAfter, problems, told }).toEqual({ killedAfter, problems: [], told: events });
    } while (killedAfter.at(-1) !== null);
  } finally {
    await stage.close();
  }
  // Stored, fetched, written.
  const moments = ['statement', 'GET /payments/{svc_uid}', 'transaction'];
  expect(killedAfter).toEqual(expect.arrayContaining(moments.map((step) => `0: ${step}`)));
});
