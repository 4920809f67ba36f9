// `npm start` on one machine: an embedded PostgreSQL, the sandbox and the merchant, each as a process of its own. Where the
// settings name a database or a service, that part is not started.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { developmentSecrets } from '../merchant/development-secrets';
import { applyMigrations } from '../merchant/migrations';
import { defaultConfig as sandboxDefaults } from '../sandbox/config';
import { banner } from './banner';
import { startChildProgram, type Stop } from './child-program';
import { onStopRequest, runUntilStopped, type Part } from './lifetime';
import { createDatabaseIfMissing } from './postgres/databases';
import { startEmbeddedPostgres } from './postgres/embedded-postgres';
import { freePort } from './postgres/free-port';
import {
  isProduction,
  loadEnvironment,
  readLocalSettings,
  type Environment,
  type LocalSettings,
} from './settings';

const SOURCES = join(__dirname, '..');
const MERCHANT = join(SOURCES, 'merchant', 'server.ts');
const SANDBOX = join(SOURCES, 'sandbox', 'server.ts');
const POSTGRES_PORTS = [5651, 5652, 5653, 5654, 5655, 5656, 5657, 5658, 5659, 5660];
const DATABASE = 'merchant';
/** Both programs receive these, so that the sandbox accepts what the merchant sends. */
const SANDBOX_CREDENTIALS = {
  SERVICE_KEY: sandboxDefaults.serviceKey,
  SERVICE_SECRET: sandboxDefaults.serviceSecret,
  SERVICE_API_KEY: sandboxDefaults.apiKey,
};
const LOCAL_STOP: Stop = { signal: 'SIGINT', killAfterMs: 4_000 };
const DEPLOYED_STOP: Stop = { signal: 'SIGTERM', killAfterMs: 30_000 };

async function runMerchantAlone(environment: Environment): Promise<number> {
  const merchant = startChildProgram(MERCHANT, environment, DEPLOYED_STOP);
  onStopRequest(() => void merchant.stop());
  return merchant.exited;
}

/** Merchant and sandbox start at the same time: the merchant needs the service for its first call only. */
async function startEverything(environment: Environment, add: (part: Part) => void): Promise<void> {
  const settings = readLocalSettings(environment);
  await checkPorts(settings);
  const databaseUrl = settings.databaseUrl ?? (await startDatabase(settings, add));
  const localSettings = {
    ...(settings.sandboxPort !== null && sandboxAsService(settings.sandboxPort)),
    ...(settings.databaseUrl === null && { DATABASE_URL: databaseUrl }),
    PORT: String(settings.merchantPort),
  };
  const merchantEnvironment = {
    ...developmentSecrets(settings.dataDir),
    DATABASE_URL: databaseUrl,
    ...localSettings,
    ...environment,
  };
  writeLocalSettings(settings.dataDir, localSettings);
  await Promise.all([
    settings.sandboxPort !== null &&
      startSandbox(
        { SANDBOX_MERCHANT_API_KEY: firstKey(merchantEnvironment), ...environment },
        settings,
        settings.sandboxPort,
        add,
      ),
    applyMigrations(databaseUrl).then(() => startProgram('merchant', MERCHANT, merchantEnvironment, add)),
  ]);
  console.log(banner(settings, merchantEnvironment));
}

/** With it the console of the sandbox registers orders. Of several keys the first is in use. */
const firstKey = (environment: Environment) => environment['API_KEY']?.split(',', 1)[0]?.trim();

/** Commands such as `npm run reconcile` read this file to work on the same database and service as the server. */
function writeLocalSettings(dataDir: string, settings: Environment): void {
  writeFileSync(join(dataDir, 'local.json'), JSON.stringify(settings, null, 2), { mode: 0o600 });
}

/** Runs before any part is started, so that its message is the only output. */
async function checkPorts({ merchantPort, sandboxPort }: LocalSettings): Promise<void> {
  const wanted = { PORT: merchantPort, ...(sandboxPort && { SANDBOX_PORT: sandboxPort }) };
  for (const [name, port] of Object.entries(wanted)) {
    // Some systems let one program listen on 127.0.0.1 while another listens on all addresses, so both are tried.
    for (const host of ['0.0.0.0', '127.0.0.1'])
      if ((await freePort(port, host)) === null)
        throw new Error(`Port ${port} is in use: stop what listens there, or set ${name} to another port.`);
  }
}

async function startDatabase({ dataDir }: LocalSettings, add: (part: Part) => void): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), ports: POSTGRES_PORTS });
  add({ name: 'database', ...postgres });
  await createDatabaseIfMissing(postgres.url('postgres'), DATABASE);
  return postgres.url(DATABASE);
}

/** Settings that make the sandbox the merchant's service. It also acts as the reverse proxy, hence TRUSTED_PROXIES. */
function sandboxAsService(port: number): Environment {
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    ...SANDBOX_CREDENTIALS,
    SERVICE_BASE_URL: baseUrl,
    SERVICE_V2_BASE_URL: baseUrl,
    TRUSTED_PROXIES: '127.0.0.1,::1',
  };
}

function startSandbox(
  environment: Environment,
  { dataDir, merchantPort }: LocalSettings,
  port: number,
  add: (part: Part) => void,
): Promise<void> {
  const sandboxEnvironment = {
    ...SANDBOX_CREDENTIALS,
    SANDBOX_DATA_DIR: join(dataDir, 'sandbox'),
    SANDBOX_WEBHOOK_URL: `http://localhost:${merchantPort}/webhooks/payments`,
    ...environment,
    SANDBOX_PORT: String(port),
  };
  return startProgram('sandbox', SANDBOX, sandboxEnvironment, add);
}

async function startProgram(
  name: string,
  script: string,
  environment: Environment,
  add: (part: Part) => void,
): Promise<void> {
  const program = startChildProgram(script, environment, LOCAL_STOP);
  add({ name, ...program });
  await program.ready;
}

async function main(): Promise<void> {
  const environment = loadEnvironment(process.cwd());
  if (isProduction(environment)) process.exit(await runMerchantAlone(environment));
  await runUntilStopped((add) => startEverything(environment, add));
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
