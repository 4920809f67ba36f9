// The way to production on one machine, as docs/04-going-live.md describes it: PostgreSQL with the role of the server, the service
// and two merchants behind TLS, the settings of `npm run secrets`, and the first payment with its refund. The sandbox plays the
// service. What runs are the sources of this copy with the shop's own files.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { settingsBlock } from '../../merchant/cli/settings-block';
import { migrateDatabase } from '../../merchant/platform/migrations';
import { SETTING_NAMES } from '../../merchant/settings';
import { startChildProgram, type Stop } from '../child-program';
import type { Part } from '../lifetime';
import { createDatabaseIfMissing } from '../postgres/databases';
import { freePorts } from '../postgres/free-port';
import { makeRoles } from '../postgres/roles';
import { startThrowawayPostgres } from '../postgres/throwaway-postgres';
import type { Screen } from '../screen';
import type { Environment } from '../settings';
import { askDoctor, bodyShown, type Diagnosis } from './ask-doctor';
import { KEPT_INSIDE, openHosts, type Hosts } from './hosts';

const SOURCES = join(__dirname, '..', '..');
const program = (name: string) => join(SOURCES, `${name}.ts`);
const STOP: Stop = { signal: 'SIGINT', killAfterMs: 10_000 };
/** Not those of the sandbox, which production refuses. */
const CREDENTIALS = { SERVICE_KEY: 'rehearsed-account', SERVICE_SECRET: 'rehearsed-account-9f3c1d' };
/** An account has a prefix of its own. */
const NAME_PREFIX = 'abc';
const DATABASE = 'merchant';
const MERCHANTS = 2;
const PAID_WITHIN_MS = 30_000;
const KEPT_LINES = 20;

type Rehearsal = {
  step: Screen['step'];
  add: (part: Part) => void;
  /** The settings of the developer. Only those that no program of ours reads are used: the shop's own files may. */
  environment: Environment;
  /** Gets the last lines of each program, for a failure. */
  lines: string[];
};

/** @returns what `doctor -- --live` says at the end */
export async function rehearse(rehearsal: Rehearsal): Promise<Diagnosis> {
  const { step } = rehearsal;
  const folder = openFolder(rehearsal);
  const urls = await step('PostgreSQL with two roles', () => openDatabase(rehearsal));
  const hosts = await step('Names and TLS for service and shop', () => openTls(rehearsal, folder));
  const [sandboxPort, ...ports] = await freePorts(1 + MERCHANTS);
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const settings: Record<string, string> = { ...settingsOf(hosts), DATABASE_URL: urls.runtime };
  const environment = {
    ...ofTheShop(rehearsal.environment),
    ...settings,
    ...hosts.finding,
    ...hosts.trusting,
  };

  await step('Migrations, as the owner', () => migrateDatabase(urls.owner));
  await step('The service (sandbox)', () => {
    hosts.service.leadTo(sandboxUrl);
    return startProgram(rehearsal, 'sandbox/server', folder, {
      ...CREDENTIALS,
      ...hosts.finding,
      ...hosts.trusting,
      SERVICE_NAME_PREFIX: NAME_PREFIX,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_WEBHOOK_URL: `${hosts.publicUrl}/webhooks/payments`,
    });
  });
  await step(`${MERCHANTS} merchants in production mode`, async () => {
    await Promise.all(
      ports.map((port) =>
        startProgram(rehearsal, 'merchant/server', folder, { ...environment, PORT: String(port) }),
      ),
    );
    hosts.shop.leadTo(...ports.map((port) => `http://127.0.0.1:${port}`));
  });

  const merchant = { url: `http://127.0.0.1:${ports[0]}`, apiKey: settings['API_KEY'] ?? '' };
  const diagnose = () =>
    askDoctor(nodeArguments('merchant/cli/doctor'), { ...environment, PORT: String(ports[0]) });
  const before = await step('doctor -- --live', diagnose);
  await step('The test button of the console', () =>
    call(sandboxUrl, 'POST', '/_sandbox/settings/test-webhook'),
  );
  const svcUid = await step('The first payment', () => pay(merchant, sandboxUrl, before));
  const paid = await step('doctor -- --live', diagnose);
  await step('Its refund', async () => {
    const path = `/api/payments/${svcUid}/cancel`;
    await call(merchant.url, 'POST', path, bodyShown(paid.item('first refund')?.fix, path), merchant.apiKey);
  });
  return step('doctor -- --live', diagnose);
}

/** The block of `npm run secrets`, filled in. */
function settingsOf({ serviceUrl, publicUrl }: Hosts): Record<string, string> {
  const block = settingsBlock().filter(({ isOff }) => !isOff);
  return {
    ...Object.fromEntries(block.map(({ name, value }) => [name, value])),
    ...CREDENTIALS,
    SERVICE_BASE_URL: serviceUrl,
    SERVICE_NAME_PREFIX: NAME_PREFIX,
    PUBLIC_URL: publicUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    HOST: '127.0.0.1',
  };
}

/** What belongs to no program of ours, such as SMTP_URL. */
function ofTheShop(environment: Environment): Environment {
  const isOurs = (name: string) =>
    SETTING_NAMES.includes(name) || /^(SANDBOX_|NODE_|npm_)|^(DATA_DIR|LOG_FORMAT)$/.test(name);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOurs(name)));
}

function openFolder({ add }: Rehearsal): string {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  const stop = () => Promise.resolve(rmSync(folder, { recursive: true, force: true }));
  add({ name: 'folder', exited: new Promise(() => undefined), stop });
  return folder;
}

async function openDatabase({ add }: Rehearsal): Promise<{ owner: string; runtime: string }> {
  const postgres = await startThrowawayPostgres();
  add({ name: 'database', ...postgres });
  await createDatabaseIfMissing(postgres.url('postgres'), DATABASE);
  const { ownerUrl, runtimeUrl } = await makeRoles(postgres.url(DATABASE));
  return { owner: ownerUrl, runtime: runtimeUrl };
}

async function openTls({ add }: Rehearsal, folder: string): Promise<Hosts> {
  const hosts = await openHosts(folder);
  hosts.shop.keepInside(KEPT_INSIDE);
  add({ name: 'TLS front', exited: new Promise(() => undefined), stop: hosts.close });
  return hosts;
}

/** Node's arguments to run a program from any folder. */
const nodeArguments = (name: string) => [
  '--import',
  pathToFileURL(require.resolve('tsx')).href,
  program(name),
];

async function startProgram(
  { add, lines }: Rehearsal,
  name: string,
  folder: string,
  environment: Environment,
): Promise<void> {
  const child = run(name, folder, environment, lines);
  add({ name, ...child });
  const ended = child.exited.then((code) => {
    throw new Error(`${name} has ended with ${code}.`);
  });
  await Promise.race([child.ready, ended]);
}

function run(name: string, folder: string, environment: Environment, lines: string[]) {
  const { PATH } = process.env;
  const options = { writes: 'into pipes', folder } as const;
  const child = startChildProgram(program(name), { PATH, ...environment }, STOP, options);
  for (const stream of [child.output?.log, child.output?.errors]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (line.includes('"level":30')) return;
      lines.push(`${name}: ${line}`);
      if (lines.length > KEPT_LINES) lines.shift();
    });
  }
  return child;
}

type Merchant = { url: string; apiKey: string };

/**
 * Registers the order that doctor shows, pays it in the service's window, and waits until the notification has made it paid.
 * @returns the payment's id
 */
async function pay({ url, apiKey }: Merchant, sandboxUrl: string, before: Diagnosis): Promise<string> {
  const order = bodyShown(before.item('first payment')?.fix, '/api/orders') as {
    merchant_uid: string;
    amount: number;
  };
  await call(url, 'POST', '/api/orders', order, apiKey);
  const { merchant_uid, amount } = order;
  const { svc_uid } = await call(sandboxUrl, 'POST', '/_sandbox/payments', { merchant_uid, amount });
  const until = performance.now() + PAID_WITHIN_MS;
  for (;;) {
    const { status } = await call(url, 'GET', `/api/orders/${merchant_uid}`, undefined, apiKey);
    if (status === 'paid') return String(svc_uid);
    if (performance.now() > until) {
      const { notifications } = await call(sandboxUrl, 'GET', '/_sandbox/notifications');
      throw new Error(
        `The first payment was not recorded. The notifications of the service: ${JSON.stringify(notifications)}`,
      );
    }
    await pause(100);
  }
}

/** @throws Error with the answer, if it is not a success */
async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  apiKey?: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
