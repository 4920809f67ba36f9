// The stories of CI. `npm run simulate` tells as many more as one likes.

import { createRandom } from './random';
import { simulate, simulateOne } from './simulate';
import { openStage } from './stage';
import { createTally } from './tally';

const STORIES = 300;
const AT_ONCE = 4;
/** How often each has to happen at least, in so many stories: a simulation in which nothing happens proves nothing. */
const AT_LEAST = {
  kill: 100,
  'kill of a sweep': 5,
  sweep: 20,
  'sweep in the end': 50,
  'network: request lost': 10,
  'network: answer lost': 10,
  'network: server error': 10,
  'network: server error after the work': 10,
  'network: unauthorized': 10,
  'network: too many requests': 3,
  'network: lag': 1,
  'network: forged amount': 3,
  'network: record of another payment': 1,
  'notification of the legacy generation': 100,
  'notification of the newer generation': 30,
  'notification answered: recorded': 50,
  'notification answered: queued': 10,
  'notification answered: amount_mismatch': 10,
  'notification answered: unknown_payment': 10,
  'cancelled in the console': 10,
  'charge: paid': 20,
  'charge: unknown': 2,
  'refund: refunded': 5,
  'registration: registered': 50,
  'registration: declined': 5,
  'registration: unknown': 10,
  'removal: removed': 20,
  'removal: unfinished': 3,
  'schedule: scheduled': 20,
  'revocation: revoked': 1,
  'event that the shop refused': 1,
  'rows: charge again paid': 20,
  'rows: charge schedule paid': 15,
  'rows: charge schedule revoked': 5,
  'rows: refund refunded': 5,
  'rows: issuance issued': 100,
  'rows: key removed': 20,
  'rows: notification checked again': 30,
  'rows: event order.paid': 80,
  'rows: event order.cancelled': 5,
  'rows: event delivered in a later attempt': 1,
};

test('however a story goes, the books equal the service in the end: nothing lost, nothing twice, no orphan key', async () => {
  const { failures, tally } = await simulate({ from: 1, count: STORIES, atOnce: AT_ONCE });
  expect(
    failures.map(({ seed, problems }) => ({ problems, again: `npm run simulate -- 1 ${seed}` })),
  ).toEqual([]);
  const tooSeldom = Object.entries(AT_LEAST)
    .filter(([what, times]) => tally.count(what) < times)
    .map(([what]) => `${what}: ${tally.count(what)}`);
  expect(tooSeldom).toEqual([]);
}, 300_000);

test('a seed tells the same story each time, whatever was told before it', async () => {
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
  const [there, back] = [await tell([1, 2, 3, 4, 5, 6, 7, 8]), await tell([8, 7, 6, 5, 4, 3, 2, 1])];
  for (const [seed, trace] of there.traces) expect([seed, back.traces.get(seed)]).toEqual([seed, trace]);
  expect(back.counts).toEqual(there.counts);
}, 60_000);

test('chance follows from its seed', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed).next);
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});
