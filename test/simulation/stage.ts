// Where stories happen: a database, a sandbox and a clock, used for one story after the other.

import type { Context } from '../../src/merchant/context';
import { createHttp } from '../../src/merchant/payment-service/transport/http';
import type { ManualClock } from '../support/clock';
import { startContext } from '../support/context';
import type { RecordedLog } from '../support/log';
import type { Rows } from '../support/rows';
import type { SandboxControls } from '../support/sandbox-controls';
import { createNetwork } from './network';
import type { Random } from './random';
import type { Outside } from './simulated-process';
import { createWaitingJobs } from './waiting-jobs';

export type Stage = Outside & {
  /** A Context without steps, for what comes before a story and after it. */
  outside: Context;
  clock: ManualClock;
  log: RecordedLog;
  rows: Rows;
  sandbox: SandboxControls;
};

export async function openStage() {
  const running = await startContext();
  const { context, clock, rows, sandbox, log } = running;
  const http = createHttp(64);
  return {
    /** Everything is empty again. */
    async clear(random: Random): Promise<Stage> {
      log.clear();
      await rows.query(EMPTY_TABLES);
      await sandbox.call('POST', '/reset');
      const { config, database } = context;
      const network = createNetwork(http, random, clock);
      const shared = { config, database, clock, logger: log.logger };
      return { ...shared, network, jobs: createWaitingJobs(), outside: context, log, rows, sandbox };
    },
    close: () => running.close(),
  };
}

const EMPTY_TABLES = `do $$ begin execute (
  select 'truncate ' || string_agg(format('%I', tablename), ', ') || ' restart identity cascade'
  from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'); end $$`;
