// Compares the product with the plain limit in a minute, for developers who change the webhook path. `npm run bench -- quick`, with arguments: [notifications a round] [rounds] [old notifications]

import { onStage } from '../stage';
import { countCommits, createNotices, measure, medians, peakMemoryMb, type Round } from './measure';
import { startProgram, startService, type Program } from './start-programs';

type Comparison = {
  plain: { busy: Round; alone: Round };
  /** `commits`: transactions per notification, over both rounds. */
  product: { busy: Round; alone: Round; memoryMb: number; commits: number };
};
type Sizes = { each: number; rounds: number; old: number };
/** Notifications before the first round. */
const WARM_UP = 4_000;

function compareWithPlainLimit({ each, rounds, old }: Sizes): Promise<Comparison> {
  return onStage(async (stage) => {
    const alone = Math.ceil(each / 10);
    const books = { orders: WARM_UP + rounds * (each + alone), old };
    const serviceUrl = await startService(stage);
    const plain = await startProgram(stage, 'plain limit', serviceUrl, books);
    const product = await startProgram(stage, 'product', serviceUrl, books);
    const take = createNotices();
    const run = (program: Program, count: number, connections: number) =>
      measure(program, take(program, count), connections);
    const programs = { plain, product };
    const seen = { plain: { busy: [], alone: [] }, product: { busy: [], alone: [] } } as Seen;
    for (const program of [plain, product]) await run(program, WARM_UP, 64);
    const before = await countCommits(product);
    for (let round = 0; round < rounds; round += 1) {
      for (const name of NAMES) seen[name].busy.push(await run(programs[name], each, 64));
      for (const name of NAMES) seen[name].alone.push(await run(programs[name], alone, 1));
    }
    const commits = ((await countCommits(product)) - before) / (rounds * (each + alone));
    const of = (name: Name) => ({ busy: medians(seen[name].busy), alone: medians(seen[name].alone) });
    return {
      plain: of('plain'),
      product: { ...of('product'), memoryMb: peakMemoryMb(product.pid), commits },
    };
  });
}

const NAMES = ['plain', 'product'] as const;
type Name = (typeof NAMES)[number];
type Seen = Record<Name, { busy: Round[]; alone: Round[] }>;

if (require.main === module) {
  const [each = 3_000, rounds = 3, old = 20_000] = process.argv.slice(2).map(Number);
  void compareWithPlainLimit({ each, rounds, old }).then(({ plain, product }) => {
    const row = (what: string, pick: (round: Round) => number, of: 'busy' | 'alone') => {
      const [ours, theirs] = [pick(product[of]), pick(plain[of])];
      const figures = [ours.toFixed(3), theirs.toFixed(3), (ours / theirs).toFixed(2)];
      process.stdout.write(`${what.padEnd(34)}${figures.map((figure) => figure.padStart(10)).join('')}\n`);
    };
    process.stdout.write(`${' '.repeat(34)}   product     plain     ratio\n`);
    row('64 connections: CPU ms', ({ cpu }) => cpu, 'busy');
    row('64 connections: PostgreSQL CPU ms', ({ databaseCpu }) => databaseCpu, 'busy');
    row('64 connections: notifications/s', ({ perSecond }) => perSecond, 'busy');
    row('64 connections: p99 ms', ({ p99 }) => p99, 'busy');
    row('1 connection: p50 ms', ({ p50 }) => p50, 'alone');
    row('1 connection: CPU ms', ({ cpu }) => cpu, 'alone');
    row('1 connection: PostgreSQL CPU ms', ({ databaseCpu }) => databaseCpu, 'alone');
    process.stdout.write(
      `transactions for each: ${product.commits.toFixed(2)}; most memory of the product: ${product.memoryMb.toFixed(0)} MB\n`,
    );
  });
}
