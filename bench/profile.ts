// `npm run bench:profile`: where the server spends its time while notifications come, by file and by function, as V8's
// sampling profiler (`--cpu-prof`) sees it, and which statements PostgreSQL executes for each.
// Arguments: [notifications] [connections]

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { createNotices, measure } from './intake/measure';
import { startProgram, startService } from './intake/start-programs';
import { onStage } from './stage';

const [COUNT = 20_000, CONNECTIONS = 64] = process.argv.slice(2).map(Number);
const WARM_UP = 3_000;

type Frame = { functionName: string; url: string; lineNumber: number };
type CpuProfile = {
  nodes: { id: number; callFrame: Frame }[];
  /** Microseconds of the monotonic clock. */
  startTime: number;
  samples: number[];
  timeDeltas: number[];
};

const settings = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_utility=off'];

void onStage(
  async (stage) => {
    const profiles = join(stage.folder, 'profiles');
    mkdirSync(profiles);
    const flags = ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
    const service = await startService(stage);
    const program = await startProgram(
      stage,
      'product',
      service,
      { orders: WARM_UP + COUNT, old: 20_000 },
      flags,
    );
    const take = createNotices();
    const run = (count: number, connections: number) => measure(program, take(program, count), connections);
    await run(WARM_UP, 64);
    await program.database.query('create extension pg_stat_statements');
    await program.database.query('select pg_stat_statements_reset()');
    const from = monotonicMicroseconds();
    const load = await run(COUNT, CONNECTIONS);
    const to = monotonicMicroseconds();
    const statements = await readStatements(program.database);
    await program.stop();
    const [file = ''] = readdirSync(profiles).filter((name) => name.includes(`.${program.pid}.`));
    const profile = JSON.parse(readFileSync(join(profiles, file), 'utf8')) as CpuProfile;
    const busy = timesBetween(profile, from, to);
    process.stdout.write(
      `${COUNT} notifications over ${CONNECTIONS} connections: ${load.perSecond.toFixed(0)}/s, ${load.cpu.toFixed(3)} ms CPU each\n\n`,
    );
    print(busy, placeOf, 25);
    print(
      busy,
      (frame) => `${frame.functionName || '(anonymous)'} ${placeOf(frame)}:${frame.lineNumber + 1}`,
      45,
    );
    for (const { calls, ms, text } of statements)
      process.stdout.write(
        `${(calls / COUNT).toFixed(3).padStart(8)} each, ${(ms / calls).toFixed(3).padStart(8)} ms  ${text}\n`,
      );
  },
  { settings },
);

function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

type StatementCost = { calls: number; ms: number; text: string };

/** Of this database, those that took longest in all. */
async function readStatements(database: Client): Promise<StatementCost[]> {
  const { rows } = await database.query<StatementCost>(
    `select calls::int, total_exec_time + total_plan_time as ms, regexp_replace(left(query, 400), '\\s+', ' ', 'g') as text
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     order by 2 desc limit 20`,
  );
  return rows.map((row) => ({ ...row, text: row.text.trim().slice(0, 110) }));
}

/** Self time in microseconds by frame, while the server was not idle. */
function timesBetween(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  from: number,
  to: number,
): Map<Frame, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<Frame, number>();
  let at = startTime;
  samples.forEach((id, index) => {
    const spent = timeDeltas[index] ?? 0;
    at += spent;
    const frame = frames.get(id);
    if (!frame || at < from || at > to || frame.functionName === '(idle)') return;
    times.set(frame, (times.get(frame) ?? 0) + spent);
  });
  return times;
}

/** The package, the folder of ours, or the part of Node. */
function placeOf({ functionName, url }: Frame): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (name !== undefined) return name;
  const [, own] = /\/src\/(.+?)(?:\?|$)/.exec(url) ?? [];
  if (own !== undefined) return own.startsWith('generated') ? 'prisma client' : own;
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  return functionName.startsWith('(') ? functionName : 'V8 and native';
}

function print(times: Map<Frame, number>, keyOf: (frame: Frame) => string, most: number): void {
  const sums = new Map<string, number>();
  let total = 0;
  for (const [frame, time] of times) {
    total += time;
    sums.set(keyOf(frame), (sums.get(keyOf(frame)) ?? 0) + time);
  }
  for (const [key, time] of [...sums].sort(([, one], [, other]) => other - one).slice(0, most))
    process.stdout.write(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${key}\n`);
  process.stdout.write('\n');
}
