// Randomised simulation: runs random stories of a shop, and compares the books with the service after each
// (docs/project/proofs.md, "Simulation").
// Run: npm run proof -- simulate [stories, default 1000000] [first seed, default 1]

import { startTestCluster } from '../../test/support/postgres';
import { simulate, type Failure } from './simulation/simulate';

const count = Number(process.argv[2] ?? 1_000_000);
const from = Number(process.argv[3] ?? 1);
/** Stories in parallel: while one waits for the database, another continues. */
const AT_ONCE = 4;

void main();

async function main(): Promise<void> {
  const cluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = cluster.templateUrl;
  const started = performance.now();
  try {
    const { failures, tally } = await simulate({ from, count, atOnce: AT_ONCE }, (done, failure) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${count}`);
      if (failure) report(failure);
    });
    if (process.stderr.isTTY) process.stderr.write('\n');
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stdout.write(`${JSON.stringify(tally.toObject(), null, 2)}\n`);
    process.stdout.write(
      `${count} stories from seed ${from} in ${seconds} s: ${failures.length === 0 ? 'no problem' : `${failures.length} with a problem`}.\n`,
    );
    if (failures.length > 0) process.exitCode = 1;
  } finally {
    await cluster.stop();
  }
}

function report({ seed, problems, trace }: Failure): void {
  process.stdout.write(`\nseed ${seed}\n  ${problems.join('\n  ')}\n`);
  if (count === 1) process.stdout.write(`  ${trace.join('\n  ')}\n`);
  else process.stdout.write(`  ${trace.filter((line) => line.startsWith('[')).join(' ')}\n`);
  process.stdout.write(`Again, step by step: npm run proof -- simulate 1 ${seed}\n`);
}
