import { simulate } from './simulate';
test('try', async () => {
  const t = performance.now();
  const { failures, tally } = await simulate({
    from: Number(process.env['SEED'] ?? 1),
    count: Number(process.env['COUNT'] ?? 40),
    atOnce: Number(process.env['AT_ONCE'] ?? 2),
  });
  for (const f of failures) console.log(f.seed, f.trace.join(' | '), '\n   ' + f.problems.join('\n   '));
  console.log(failures.length, performance.now() - t, JSON.stringify(tally.toObject(), null, 1));
}, 600000);
