// The stories of CI. `npm run simulate` tells as many more as one likes.

import { simulate } from '../../proof/simulation/simulate';

const STORIES = 100;
const FIRST = 101;
const AT_ONCE = 4;
/** How often each has to happen at least: a simulation in which nothing happens proves nothing. */
const AT_LEAST = {
  kill: 40,
  'sweep in the end': 15,
  'network: answer lost': 5,
  'network: forged amount': 1,
  'store: connection lost before it': 10,
  'store: connection lost after it': 10,
  'plan: period renewed': 4,
  'removal: removed': 8,
  'rows: charge again paid': 5,
  'rows: charge schedule paid': 3,
  'rows: refund refunded': 1,
  'rows: issuance issued': 60,
  'rows: event order.paid': 30,
};

test('however a story goes, the books equal the service in the end: nothing lost, nothing twice, no orphan key', async () => {
  const { failures, tally } = await simulate({ from: FIRST, count: STORIES, atOnce: AT_ONCE });
  expect(
    failures.map(({ seed, problems }) => ({ problems, again: `npm run simulate -- 1 ${seed}` })),
  ).toEqual([]);
  const tooSeldom = Object.entries(AT_LEAST)
    .filter(([what, times]) => tally.count(what) < times)
    .map(([what]) => `${what}: ${tally.count(what)}`);
  expect(tooSeldom).toEqual([]);
}, 900_000);
