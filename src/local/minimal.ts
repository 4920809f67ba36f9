// `npm run minimal`: examples/minimal beside the sandbox, on an embedded PostgreSQL. Its data is in a folder of its own.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { table } from '../merchant/cli/terminal';
import { migrateDatabase } from '../merchant/platform/migrations';
import { developmentSecret } from '../merchant/platform/secrets';
import { defaultConfig as sandboxDefaults } from '../sandbox/config';
import { lockFolder } from '../sandbox/state/folder-lock';
import { checkPorts } from './check-ports';
import { startChildProgram, type Stop } from './child-program';
import { runToEnd, type Part } from './lifetime';
import { createDatabaseIfMissing } from './postgres/databases';
import { startEmbeddedPostgres } from './postgres/embedded-postgres';
import {
  activeValue,
  loadEnvironment,
  minimalDataDir,
  readLocalSettings,
  writeLocalSettings,
  type Environment,
} from './settings';

const SOURCES = join(__dirname, '..');
const MINIMAL = join(SOURCES, '..', 'examples', 'minimal');
const SANDBOX = join(SOURCES, 'sandbox', 'server.ts');
const POSTGRES_PORTS = [5661, 5662, 5663, 5664, 5665];
const DATABASE = 'minimal';
const STOP: Stop = { signal: 'SIGINT', killAfterMs: 4_000 };

async function startMinimal(environment: Environment, add: (part: Part) => void): Promise<void> {
  const dataDir = minimalDataDir(environment);
  const settings = readLocalSettings({ ...environment, DATA_DIR: dataDir });
  const { merchantPort, sandboxPort } = settings;
  if (sandboxPort === null) throw new Error('SERVICE_BASE_URL is set: "npm run minimal" needs the sandbox.');
  const url = `http://localhost:${merchantPort}`;
  mkdirSync(dataDir, { recursive: true });
  const where = `${url} and http://localhost:${sandboxPort} (sandbox)`;
  const release = await lockFolder({ folder: dataDir, where, setting: 'DATA_DIR', patienceMs: 0 });
  process.on('exit', release);
  await checkPorts(settings);
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), ports: POSTGRES_PORTS });
  add({ name: 'database', ...postgres });
  await createDatabaseIfMissing(postgres.url('postgres'), DATABASE);
  const databaseUrl = postgres.url(DATABASE);
  const folder = join(MINIMAL, 'prisma', 'migrations');
  await migrateDatabase(databaseUrl, { folder, alsoJobEngine: false });

  const credentials = {
    SERVICE_KEY: sandboxDefaults.serviceKey,
    SERVICE_SECRET: sandboxDefaults.serviceSecret,
  };
  const apiKey = activeValue(developmentSecret(dataDir, 'API_KEY'));
  const local = {
    PORT: String(merchantPort),
    DATABASE_URL: databaseUrl,
    SERVICE_BASE_URL: `http://127.0.0.1:${sandboxPort}`,
  };
  writeLocalSettings(dataDir, local);
  const sandbox = startChildProgram(
    SANDBOX,
    {
      ...credentials,
      ...environment,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_DATA_DIR: join(dataDir, 'sandbox'),
      SANDBOX_WEBHOOK_URL: `${url}/webhooks/payments`,
      SANDBOX_MERCHANT_API_KEY: apiKey,
    },
    STOP,
  );
  add({ name: 'sandbox', ...sandbox });
  const merchant = startChildProgram(
    join(MINIMAL, 'server.ts'),
    { ...environment, ...credentials, ...local, API_KEY: apiKey, TRUSTED_PROXIES: '127.0.0.1,::1' },
    STOP,
  );
  add({ name: 'merchant', ...merchant });
  await sandbox.ready;
  await untilAnswered(`${url}/cards/new`);
  const rows: [string, string][] = [
    ['Card form', `${url}/cards/new`],
    ['API key', apiKey],
    ['Console of the sandbox', `http://localhost:${sandboxPort}/console`],
    ['PostgreSQL', databaseUrl],
    ['Code', 'examples/minimal/README.md'],
    ['What it does not survive', 'npm run story -- all --minimal'],
  ];
  console.log(`\n${table(rows)}\n\nCtrl-C stops everything.\n`);
}

/** The example reports to nobody that it listens. If it ends before, everything is stopped. */
async function untilAnswered(url: string): Promise<void> {
  while (!(await fetch(url).catch(() => null))?.ok) await pause(100);
}

runToEnd<never>(
  async (add) => {
    await startMinimal(loadEnvironment(process.cwd()), add);
    return new Promise<never>(() => undefined);
  },
  () => console.log('\nStopping …'),
).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
