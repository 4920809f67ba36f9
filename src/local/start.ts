// `npm start` on one machine: an embedded PostgreSQL, the sandbox and the merchant, each in its own process. If the settings
// name a database or a service, that part is not started.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { columnsOf, terminalOf } from '../merchant/cli/terminal';
import { ownerDatabaseUrl } from '../merchant/platform/config';
import { fileProblem } from '../merchant/platform/file-problem';
import { migrateDatabase } from '../merchant/platform/migrations';
import { developmentSecret } from '../merchant/platform/secrets';
import { createSignInLink } from '../merchant/platform/sign-in-link';
import { defaultConfig as sandboxDefaults } from '../sandbox/config';
import { FolderInUse, lockFolder } from '../sandbox/state/folder-lock';
import { banner } from './banner';
import { checkPorts } from './check-ports';
import { startChildProgram, type Stop } from './child-program';
import { onStopRequest, runToEnd, type Part } from './lifetime';
import { formatLogLine, type Program } from './log/log-lines';
import { createDatabaseIfMissing } from './postgres/databases';
import { startEmbeddedPostgres } from './postgres/embedded-postgres';
import { restartOnChange } from './restart-on-change';
import { createScreen, type Screen } from './screen';
import {
  activeValue,
  isProduction,
  loadEnvironment,
  readLocalSettings,
  readLogFormat,
  readWrittenSettings,
  writeLocalSettings,
  type Environment,
  type LocalSettings,
  type LogFormat,
} from './settings';

const SOURCES = join(__dirname, '..');
const VIEWS = join(SOURCES, '..', 'views');
const MERCHANT = join(SOURCES, 'merchant', 'server.ts');
const SANDBOX = join(SOURCES, 'sandbox', 'server.ts');
const POSTGRES_PORTS = [5651, 5652, 5653, 5654, 5655, 5656, 5657, 5658, 5659, 5660];
const DATABASE = 'merchant';
/** Passed to both programs, so that the sandbox accepts the merchant's credentials. */
const SANDBOX_CREDENTIALS = {
  SERVICE_KEY: sandboxDefaults.serviceKey,
  SERVICE_SECRET: sandboxDefaults.serviceSecret,
  SERVICE_API_KEY: sandboxDefaults.apiKey,
  WEBHOOK_SECRET: sandboxDefaults.webhookSecret,
};
const LOCAL_STOP: Stop = { signal: 'SIGINT', killAfterMs: 4_000 };
const DEPLOYED_STOP: Stop = { signal: 'SIGTERM', killAfterMs: 30_000 };

async function runMerchantAlone(environment: Environment): Promise<number> {
  const merchant = startChildProgram(MERCHANT, environment, DEPLOYED_STOP);
  onStopRequest(() => void merchant.stop());
  return merchant.exited;
}

type Start = {
  environment: Environment;
  settings: LocalSettings;
  screen: Screen;
  logFormat: LogFormat;
  /** `npm run dev`: whether a program starts again when its sources or templates change. */
  reloads: boolean;
  add: (part: Part) => void;
};

/** Merchant and sandbox start at the same time: the merchant needs the service for its first call only. */
async function startEverything(start: Start): Promise<void> {
  const { environment, settings, screen } = start;
  const databaseUrl = settings.databaseUrl ?? (await screen.step('PostgreSQL', () => startDatabase(start)));
  // The embedded database has one role only.
  const migratedUrl =
    settings.databaseUrl === null ? databaseUrl : (ownerDatabaseUrl(environment) ?? databaseUrl);
  const localSettings = {
    ...(settings.sandboxPort !== null && sandboxAsService(settings.sandboxPort)),
    ...(settings.databaseUrl === null && { DATABASE_URL: databaseUrl }),
    PORT: String(settings.merchantPort),
  };
  const merchantEnvironment = {
    ...shownSecrets(settings.dataDir),
    DATABASE_URL: databaseUrl,
    ...localSettings,
    ...environment,
  };
  writeLocalSettings(settings.dataDir, localSettings);
  await Promise.all([
    settings.sandboxPort !== null &&
      startSandbox(start, settings.sandboxPort, activeValue(merchantEnvironment.API_KEY)),
    screen
      .step('Migrations of the database', () => migrateDatabase(migratedUrl))
      .then(() => startProgram(start, 'merchant', MERCHANT, merchantEnvironment)),
  ]);
  showBanner(settings, merchantEnvironment);
}

/** The link that signs an operator in is shown on a terminal only, and not where output is kept as a log. */
function showBanner(settings: LocalSettings, environment: Environment): void {
  const password = activeValue(environment['OPERATOR_PASSWORD']);
  const isShown = process.stdout.isTTY && settings.sandboxPort !== null && password !== '';
  const link = isShown ? createSignInLink(password, new Date()) : null;
  console.log(banner(settings, environment, columnsOf(process.stdout), link));
}

/** The secrets that are shown, as the merchant makes them if they are not set. It makes its others itself. */
function shownSecrets(dataDir: string) {
  return {
    API_KEY: developmentSecret(dataDir, 'API_KEY'),
    OPERATOR_PASSWORD: developmentSecret(dataDir, 'OPERATOR_PASSWORD'),
  };
}

/** Shows the addresses of the running instance, which may still be starting. */
function showRunning(pid: number, settings: LocalSettings, environment: Environment): void {
  console.log(
    `Already running, as process ${pid}. Nothing was started; to stop it, press Ctrl-C in its terminal.`,
  );
  const given = {
    ...shownSecrets(settings.dataDir),
    // Nothing while it is starting: the banner then has no database address.
    ...readWrittenSettings(settings.dataDir),
    ...environment,
  };
  showBanner(settings, given);
}

async function startDatabase({ settings: { dataDir }, add }: Start): Promise<string> {
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

function startSandbox(start: Start, port: number, apiKey: string): Promise<void> {
  const { environment, settings, logFormat } = start;
  const sandboxEnvironment = {
    ...SANDBOX_CREDENTIALS,
    SANDBOX_DATA_DIR: join(settings.dataDir, 'sandbox'),
    SANDBOX_WEBHOOK_URL: `http://localhost:${settings.merchantPort}${environment['PATH_PREFIX'] ?? ''}/webhooks/payments`,
    // With it the sandbox's console registers orders.
    SANDBOX_MERCHANT_API_KEY: apiKey,
    // At this level the sandbox logs each call.
    ...(logFormat === 'pretty' && { LOG_LEVEL: 'debug' }),
    ...environment,
    SANDBOX_PORT: String(port),
  };
  return startProgram(start, 'sandbox', SANDBOX, sandboxEnvironment);
}

async function startProgram(
  { screen, logFormat, reloads, add }: Start,
  name: Program,
  script: string,
  environment: Environment,
): Promise<void> {
  const launch = () => {
    const program = startChildProgram(script, environment, LOCAL_STOP, {
      writes: logFormat === 'pretty' ? 'into pipes' : 'to ours',
    });
    if (program.output) {
      // The width may change meanwhile.
      screen.follow(program.output.log, (line) =>
        formatLogLine(name, line, terminalOf(process.stdout, process.env)),
      );
      screen.follow(program.output.errors, (line) => `${line}\n`, 'progress');
    }
    return program;
  };
  const program = reloads
    ? restartOnChange(launch, foldersOf(name), (file) =>
        console.error(`The ${name} starts again: ${file} has changed.`),
      )
    : launch();
  add({ name, ...program });
  await screen.step(name === 'merchant' ? 'Merchant' : 'Sandbox', () => program.ready);
}

function foldersOf(name: Program): string[] {
  return [join(SOURCES, name), join(VIEWS, name), join(VIEWS, 'shared')];
}

/** Only a request to stop, or the end of a part, ends `npm start`. */
const untilStopped = new Promise<never>(() => undefined);

async function startAndStop(environment: Environment): Promise<void> {
  const settings = readLocalSettings(environment);
  const logFormat = readLogFormat(environment, process.stdout);
  const where = addressesOf(settings);
  mkdirSync(settings.dataDir, { recursive: true });
  const lock = { folder: settings.dataDir, where, setting: 'DATA_DIR', patienceMs: 0 };
  const release = await lockFolder(lock).catch((error: unknown) => {
    const isTheSame = error instanceof FolderInUse && error.isHere && error.holder.where === where;
    if (!isTheSame) throw error;
    showRunning(error.holder.pid, settings, environment);
    return null;
  });
  if (release === null) return;
  const screen = createScreen(process.stdout, process.stderr);
  try {
    await checkPorts(settings);
    await runToEnd(
      async (add) => {
        const reloads = process.argv.includes('--watch');
        await startEverything({ environment, settings, screen, logFormat, reloads, add });
        screen.release();
        await untilStopped;
      },
      () => {
        screen.release();
        console.log('\nStopping …');
      },
    );
    console.log('Stopped.');
  } finally {
    screen.release();
    release();
  }
}

function addressesOf({ merchantPort, sandboxPort }: LocalSettings): string {
  const merchant = `http://localhost:${merchantPort}`;
  return sandboxPort === null ? merchant : `${merchant} and http://localhost:${sandboxPort} (sandbox)`;
}

async function main(): Promise<void> {
  // The terminal may have been closed; a failed write must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const environment = loadEnvironment(process.cwd());
  if (isProduction(environment)) process.exit(await runMerchantAlone(environment));
  await startAndStop(environment);
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(fileProblem(error) ?? error.message);
    process.exit(1);
  },
);
