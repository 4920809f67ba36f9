// Shared by the tests of a file: a world, a second context beside it, or a context alone.

import { FEATURES } from '../../src/merchant/features';
import { closeContext, createContext, type Context } from '../../src/merchant/platform/context';
import { openDatabase } from '../../src/merchant/platform/database';
import { startSandbox } from '../../src/sandbox/start-sandbox';
import { openContext } from './beside-world';
import { createManualClock } from './clock';
import { NAME_PREFIX, testConfig } from './config';
import { startStatementProxy, type StatementProxy } from './database-proxies';
import { createRecordedLog } from './log';
import { openBetween, openForAll, openForEach } from './open-between';
import { createTestDatabase } from './postgres';
import { openRows } from './rows';
import { createSandboxControls } from './sandbox-controls';
import { EVENTS_SECRET, startEventsReceiver } from './shop-events';
import { startWorld, type World, type WorldOptions } from './world';

/** One world for all tests of a file. */
export function useWorld(options?: WorldOptions): World {
  return openForAll(() => startWorld(options));
}

/** A world for each test. */
export function useFreshWorld(options?: WorldOptions): World {
  return openForEach(() => startWorld(options));
}

/** A world that posts its events to a receiver. */
export function useWorldWithReceiver() {
  const receiver = openForAll(() => startEventsReceiver(EVENTS_SECRET, () => world.clock.nowMs()));
  const world: World = openForAll(() =>
    startWorld({ environment: { ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET } }),
  );
  return { world, receiver };
}

/** A world whose merchant reaches the database through a proxy that can lose a statement or its answer. */
export function useWorldWithProxy() {
  let started: StatementProxy;
  const world = useWorld({
    async databaseThrough(url) {
      started = await startStatementProxy(url);
      return started.url;
    },
  });
  // After the world, which still uses it while it closes.
  afterAll(() => started.close());
  return { world, proxy: () => started };
}

/** A database without a world, for all tests of a file. */
export function useDatabase() {
  return openForAll(async () => {
    const { url, drop } = await createTestDatabase();
    const database = openDatabase(url);
    return {
      url,
      database,
      async close(): Promise<void> {
        await database.$disconnect();
        await drop();
      },
    };
  });
}

/** Another process on the database of a world, for all tests of a file. */
export function useContext(world: World): Context {
  return openBetween(beforeAll, afterAll, () => openContext(world), closeContext);
}

export type RunningContext = Awaited<ReturnType<typeof startContext>>;

/** One for all tests of a file. */
export function useRunningContext(environment?: Record<string, string>): RunningContext {
  return openForAll(() => startContext(environment));
}

export async function startContext(environment: Record<string, string> = {}) {
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
  const context = createContext({ config, clock, logger: log.logger, features: FEATURES });
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
