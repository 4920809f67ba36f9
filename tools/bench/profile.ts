// `npm run bench -- profile`: a CPU profile of the server under notifications, by file and function, by V8's sampling profiler
// (`--cpu-prof`), and the statements that PostgreSQL executes per notification.
// Arguments: [notifications] [connections]

import type { Client } from 'pg';
import { createProfiler } from './cpu-profile';
import { createNotices, measure } from './intake/measure';
import { startProgram, startService } from './intake/start-programs';
import { onStage } from './stage';

const [COUNT = 20_000, CONNECTIONS = 64] = process.argv.slice(2).map(Number);
const WARM_UP = 3_000;

const settings = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_utility=off'];

void onStage(
  async (stage) => {
    const profiler = createProfiler(stage);
    const service = await startService(stage);
    const program = await startProgram(
      stage,
      'product',
      service,
      { orders: WARM_UP + COUNT, old: 20_000 },
      profiler.nodeFlags,
    );
    const take = createNotices();
    const run = (count: number, connections: number) => measure(program, take(program, count), connections);
    await run(WARM_UP, 64);
    await program.database.query('create extension pg_stat_statements');
    await program.database.query('select pg_stat_statements_reset()');
    const load = await profiler.during(() => run(COUNT, CONNECTIONS));
    const statements = await readStatements(program.database);
    await program.stop();
    process.stdout.write(
      `${COUNT} notifications over ${CONNECTIONS} connections: ${load.perSecond.toFixed(0)}/s, ${load.cpu.toFixed(3)} ms CPU each\n\n`,
    );
    profiler.print(program.pid);
    for (const { calls, ms, text } of statements)
      process.stdout.write(
        `${(calls / COUNT).toFixed(3).padStart(8)} each, ${(ms / calls).toFixed(3).padStart(8)} ms  ${text}\n`,
      );
  },
  { settings },
);

type StatementCost = { calls: number; ms: number; text: string };

/** The statements of this database with the longest total time. */
async function readStatements(database: Client): Promise<StatementCost[]> {
  const { rows } = await database.query<StatementCost>(
    `select calls::int, total_exec_time + total_plan_time as ms, regexp_replace(left(query, 400), '\\s+', ' ', 'g') as text
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     order by 2 desc limit 20`,
  );
  return rows.map((row) => ({ ...row, text: row.text.trim().slice(0, 110) }));
}
