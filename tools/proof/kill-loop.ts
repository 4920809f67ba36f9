// Kills the merchant and PostgreSQL and cuts the line to the service under load, and compares the books afterwards.
// Run: npm run proof -- kill-loop [kills, default 1000] [seed, default the time]

import { runKillLoop } from './load/run-kill-loop';

const kills = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
/** Long enough for a queued notification to reach its longer retry gaps. */
const LONGEST_AWAY_MS = 20_000;
const KILLS_PER_OUTAGE = { service: 10, database: 7 };

void main();

async function main(): Promise<void> {
  const replay = `npm run proof -- kill-loop ${kills} ${seed}`;
  process.stdout.write(`${replay}\n`);
  const started = performance.now();
  const report = await runKillLoop({
    kills,
    seed,
    killsPerOutage: KILLS_PER_OUTAGE,
    longestAwayMs: LONGEST_AWAY_MS,
    onProgress: (done) => void process.stderr.write(`\r${done} kills`),
  });
  const { problems, ...figures } = report;
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`${JSON.stringify({ ...figures, seconds }, null, 2)}\n`);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    problems.length === 0 ? 'Nothing lost, doubled or left behind.\n' : `Again: ${replay}\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
