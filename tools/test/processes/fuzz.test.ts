// Hostile requests to every route of both programs, as real processes: generated from the described schemas, and invalid HTTP.
// `npm run proof -- fuzz 1000000` sends more.

import { fuzzProblems, runFuzz } from '../../proof/fuzz/run-fuzz';

/** `FUZZ_SEED` replays a run. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1_500);

/** On a busy machine the requests that were sent by then are enough. */
const WITHIN_MS = 90_000;

jest.setTimeout(300_000);

test('no hostile request causes a 500, hangs, changes an order, a payment or a key, or leaks memory', async () => {
  const report = await runFuzz({ requests: REQUESTS, seed: SEED, withinMs: WITHIN_MS });
  process.stdout.write(`npm run proof -- fuzz ${REQUESTS} ${SEED}: ${report.sent} requests here\n`);
  // `toEqual` prints the finding with the command that repeats it.
  const replay = `npm run proof -- fuzz ${report.sent} ${SEED}`;
  expect({ replay, problems: fuzzProblems(report) }).toEqual({ replay, problems: [] });
  expect(report.sent).toBeGreaterThan(1_000);
  // Both kinds reach the routes: some are served, some refused, some cut off.
  for (const key of [
    'merchant 200',
    'merchant 400',
    'merchant 401',
    'merchant 404',
    'sandbox 200',
    'sandbox 401',
  ])
    expect(report.statuses[key]).toBeGreaterThan(10);
});
