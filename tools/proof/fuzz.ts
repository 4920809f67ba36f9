// `npm run proof -- fuzz <requests> [seed] [first]` sends hostile requests to both programs on a throw-away database. It exits
// with 1 if a request causes a 5xx other than 503, hangs, changes protected data, or makes memory grow.

import { startTestCluster } from '../../test/support/postgres';
import { fuzzProblems, runFuzz } from './fuzz/run-fuzz';

async function main(): Promise<void> {
  const [requests = 20_000, seed = Math.floor(Math.random() * 2 ** 31), first = 0] = process.argv
    .slice(2)
    .map(Number);
  console.log(`npm run proof -- fuzz ${requests} ${seed} ${first}`);
  const cluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = cluster.templateUrl;
  try {
    const report = await runFuzz({ requests, seed, first, onProgress: (text) => console.log(text) });
    console.log(JSON.stringify(report, null, 2));
    const problems = fuzzProblems(report);
    console.log(problems.length === 0 ? 'nothing found' : problems.join('\n'));
    process.exitCode = problems.length === 0 ? 0 : 1;
  } finally {
    await cluster.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
