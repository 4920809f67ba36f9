// A mixed load on two merchants for hours. Nothing may grow, and nothing may be lost.
// Run: npm run proof -- soak [minutes, default 120] [seed, default 1]

import { runSoak } from './load/run-soak';

const minutes = Number(process.argv[2] ?? 120);
const seed = Number(process.argv[3] ?? 1);
const PAUSE_MS = [200, 800] as const;

void main();

async function main(): Promise<void> {
  let answers = 0;
  const { problems, stretches, ...figures } = await runSoak({
    minutes,
    seed,
    pauseMs: PAUSE_MS,
    onSample: ({ durationsMs, memoryMb }) => {
      answers += durationsMs.length;
      process.stderr.write(`\r${answers} answers, ${Math.round(memoryMb)} MB `);
    },
  });
  process.stdout.write(`\n${JSON.stringify(figures, null, 2)}\n`);
  console.table(stretches);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    problems.length === 0
      ? `Nothing grew and nothing was lost in ${minutes} minutes.\n`
      : `Again: npm run proof -- soak ${minutes} ${seed}\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
