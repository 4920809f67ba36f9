// A short kill loop: `npm run proof -- kill-loop 1000` is the long one. The seed decides the actions; KILL_LOOP_SEED and
// KILL_LOOP_KILLS change it.

import { runKillLoop } from '../../proof/load/run-kill-loop';

const SEED = Number(process.env['KILL_LOOP_SEED'] ?? 1);
const KILLS = Number(process.env['KILL_LOOP_KILLS'] ?? 6);
/** Within these kills the service goes down twice, and PostgreSQL in each of its three ways. */
const KILLS_PER_OUTAGE = { service: 3, database: 2 };
/** On a busy machine the kills that happened by then are enough. */
const KILL_FOR_MS = 90_000;

jest.setTimeout(300_000);

test('merchants that are killed at random under load, with outages of PostgreSQL and the service, lose and repeat nothing', async () => {
  const { problems, ...figures } = await runKillLoop({
    kills: KILLS,
    seed: SEED,
    killsPerOutage: KILLS_PER_OUTAGE,
    longestAwayMs: 1500,
    killForMs: KILL_FOR_MS,
  });
  process.stdout.write(`npm run proof -- kill-loop ${KILLS} ${SEED}: ${figures.kills} kills here\n`);
  expect({ problems, replay: `npm run proof -- kill-loop ${KILLS} ${SEED}` }).toEqual({
    problems: [],
    replay: expect.any(String),
  });
  // The comparison was not empty.
  expect(figures.kills).toBeGreaterThan(0);
  expect(figures.payments).toBeGreaterThan(0);
  expect(figures.keys).toBeGreaterThan(0);
  expect(figures.schedules).toBeGreaterThan(0);
});
