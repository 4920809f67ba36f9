// The stage of stories: a database, a sandbox and a clock, reused for one story after the other.

import { FEATURES } from '../../../src/merchant/features';
import { createPaymentService } from '../../../src/merchant/payment-service/payment-service';
import type { Context } from '../../../src/merchant/platform/context';
import { openDatabase } from '../../../src/merchant/platform/database';
import { createMetrics } from '../../../src/merchant/platform/metrics';
import { createSandbox, type Sandbox } from '../../../src/sandbox/app';
import { NAME_PREFIX, testConfig } from '../../../test/support/config';
import { createRecordedLog } from '../../../test/support/log';
import { createTestDatabase } from '../../../test/support/postgres';
import { seededRandom, type Random } from '../seeded-random';
import { createInProcessService, IN_PROCESS_URL, toAdapter } from './in-process-service';
import { createNetwork } from './network';
import { openPreparedRows, type PreparedRows } from './prepared-rows';
import { createSimulatedClock } from './simulated-clock';
import { jobsThrough, type Outside } from './simulated-process';
import { createStoreFaults, createStores } from './store';
import type { Tally } from './tally';
import { createWaitingJobs } from './waiting-jobs';

export type Stage = Outside & {
  /** A Context without steps, for work before and after a story. */
  outside: Context;
  log: ReturnType<typeof createRecordedLog>;
  rows: PreparedRows;
  /** Calls a control of the sandbox (docs/11-sandbox.md). */
  control(path: string, fields: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Runs the due events of the service. */
  passTimeAtService(): Promise<void>;
  /** The service's stores, to be read without its endpoints. */
  atService: Pick<Sandbox['service'], 'billingKeys' | 'payments' | 'schedules'>;
  tally: Tally;
};

export async function openStage(tally: Tally) {
  const testDatabase = await createTestDatabase();
  const database = openDatabase(testDatabase.url);
  const rows = await openPreparedRows(testDatabase.url);
  const clock = createSimulatedClock();
  let chance: Random = seededRandom(0);
  const sandbox = createSandbox({
    config: { namePrefix: NAME_PREFIX },
    clock: clock.nowMs,
    random: () => chance.next(),
    newDigits: () => 1e11 + chance.int(9e11),
  });
  const { send, control } = createInProcessService(sandbox);
  const log = createRecordedLog();
  const config = testConfig({
    DATABASE_URL: testDatabase.url,
    SERVICE_BASE_URL: IN_PROCESS_URL,
    SERVICE_V2_BASE_URL: IN_PROCESS_URL,
  });
  const stores = createStores(database);
  const shared = { config, clock, logger: log.logger, metrics: createMetrics(FEATURES) };
  return {
    /** Deletes all data. */
    async clear(random: Random): Promise<Stage> {
      chance = random;
      stores.release();
      log.clear();
      clock.reset();
      sandbox.service.reset();
      await rows.empty();
      const jobs = createWaitingJobs();
      const outsideClock = { ...clock, wait: () => Promise.resolve() };
      const outside: Context = {
        ...shared,
        features: FEATURES,
        state: new Map(),
        database,
        clock: outsideClock,
        realClock: outsideClock,
        jobs: jobsThrough(jobs, outsideClock, (_name, act) => act()),
        service: createPaymentService({
          service: config.service,
          clock: outsideClock,
          includeTestChannel: true,
          openAdapter: () => toAdapter(send),
        }),
      };
      return {
        ...shared,
        network: createNetwork(send, random, clock, tally),
        stores,
        storeFaults: createStoreFaults(random, tally),
        jobs,
        outside,
        log,
        rows,
        control,
        passTimeAtService: () => sandbox.service.advance(0),
        atService: sandbox.service,
        tally,
      };
    },
    async close() {
      await database.$disconnect();
      await sandbox.close();
      await rows.close();
      await testDatabase.drop();
    },
  };
}
