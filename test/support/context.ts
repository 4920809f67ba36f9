// A Context for tests that call a use case by itself. It has a database of its own, a real sandbox and one clock, and
// no HTTP server.

import { closeContext, createContext, type Context } from '../../src/merchant/context';
import { startSandbox } from '../../src/sandbox/start-sandbox';
import { createManualClock, type ManualClock } from './clock';
import { NAME_PREFIX, testConfig } from './config';
import { createRecordedLog, type RecordedLog } from './log';
import { openBetween } from './open-between';
import { createTestDatabase, type TestDatabase } from './postgres';
import { openRows, type Rows } from './rows';
import { createSandboxControls, type SandboxControls } from './sandbox-controls';

export type RunningContext = {
  context: Context;
  sandbox: SandboxControls;
  clock: ManualClock;
  log: RecordedLog;
  rows: Rows;
  database: TestDatabase;
  close(): Promise<void>;
};

/** One for all tests of a file. */
export function useRunningContext(environment?: Record<string, string>): RunningContext {
  return openBetween(
    beforeAll,
    afterAll,
    () => startContext(environment),
    (running) => running.close(),
  );
}

export async function startContext(environment: Record<string, string> = {}): Promise<RunningContext> {
  const clock = createManualClock();
  const log = createRecordedLog();
  const database = await createTestDatabase();
  const rows = openRows(database.url);
  const sandbox = await startSandbox({ config: { port: 0, namePrefix: NAME_PREFIX }, clock: clock.nowMs });
  const config = testConfig({
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: sandbox.url,
    SERVICE_V2_BASE_URL: sandbox.url,
    ...environment,
  });
  const context = createContext({ config, clock, logger: log.logger });
  return {
    context,
    sandbox: createSandboxControls(sandbox.url),
    clock,
    log,
    rows,
    database,
    async close() {
      await closeContext(context);
      await sandbox.close();
      await rows.close();
      await database.drop();
    },
  };
}
