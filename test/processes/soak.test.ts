// A short soak; `npm run proof -- soak` takes two hours. Its load is low, so that other tests can run in parallel.

import { runSoak } from '../../proof/load/run-soak';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 1);
const SEED = 1;

jest.setTimeout((MINUTES + 3) * 60_000);

test('under a mixed load memory, handles, connections, job rows and response times do not grow, and nothing is lost', async () => {
  const { problems, stretches, ...figures } = await runSoak({
    minutes: MINUTES,
    seed: SEED,
    pauseMs: [500, 2000],
  });
  process.stdout.write(
    `npm run proof -- soak ${MINUTES} ${SEED}, with longer pauses: ${JSON.stringify(stretches)}\n`,
  );
  expect({ problems, stretches }).toEqual({ problems: [], stretches: expect.any(Array) });
  // The measurement was not empty.
  expect(Math.min(...stretches.map(({ answers }) => answers))).toBeGreaterThan(0);
  expect(figures.payments).toBeGreaterThan(0);
  expect(figures.keys).toBeGreaterThan(0);
  expect(figures.schedules).toBeGreaterThan(0);
});
