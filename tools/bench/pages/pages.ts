// `npm run bench -- pages`: the cost of everything other than notifications: pages, a card registration compared with a bare
// Express route, lists, probes, a start, and memory. Prints a table and writes it to docs/08-scaling.md.
// Arguments: [requests of each page] [registrations a round] [rounds] [starts]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { administer } from '../../../src/local/postgres/databases';
import {
  builtMerchant,
  connectTo,
  createMerchantDatabase,
  keepFromReconciling,
  onStage,
  startMerchant,
  startSandbox,
  type Stage,
} from '../stage';
import { bareForms, openForm, openForms } from './registrations';
import { report, type PageCost, type RegistrationCost } from './report';
import { addRows } from './rows';
import { measure, sendAll, type Figures, type Program, type Sent } from './send-requests';
import { measureStarts, memoryMb } from './start-up';

const [REQUESTS = 400, REGISTRATIONS = 150, ROUNDS = 3, STARTS = 10] = process.argv.slice(2).map(Number);
const MANY = 16;
/** Mixed requests before memory is read. */
const MIXED = 2_000;
const API_KEY = 'key-of-the-measurement-0123456789';
const SECRET = 'secret-of-the-measurement-0123456789';
/** The sandbox's credentials. */
const CREDENTIALS = { SERVICE_KEY: 'sandbox_key', SERVICE_SECRET: 'sandbox_secret' };

const LISTS = ['orders', 'charges', 'refunds', 'issuances', 'events', 'notifications', 'discrepancies'];
const OPEN = ['/docs', '/openapi.json', '/metrics', '/healthz', '/readyz'];

void onStage(main);

async function main(stage: Stage): Promise<void> {
  const database = await createMerchantDatabase(stage);
  await addRows(database);
  await keepFromReconciling(database);
  const sandbox = await startSandbox(stage);
  const secrets = { API_KEY, FORM_SECRET: SECRET, MEMBER_SECRET: SECRET, OPERATOR_PASSWORD: SECRET };
  const settings = { ...secrets, ...CREDENTIALS };
  const environment = {
    ...settings,
    DATA_DIR: stage.folder,
    DATABASE_URL: stage.databaseUrl('merchant'),
    SERVICE_BASE_URL: sandbox.url,
    SERVICE_V2_BASE_URL: sandbox.url,
  };
  const starts = await measureStarts(builtMerchant(stage), STARTS, environment);
  const product = await startMerchant(stage, sandbox, settings);
  const bare = await startBare(stage, sandbox.url);
  const idleMb = memoryMb(product.pid);
  const pages = await measurePages(product);
  const registrations = await measureRegistrations(product, bare);
  await mixedRequests(product);
  const bareForm = await measure(bare, repeat(openForm(), REQUESTS), 1);
  const memory = { idleMb, afterMb: memoryMb(product.pid), requests: MIXED };
  report({ pages, bareForm, registrations, starts, memory }, [REQUESTS, REGISTRATIONS, ROUNDS, STARTS]);
}

async function measurePages(product: Program): Promise<PageCost[]> {
  const requests: [name: string, request: Sent][] = [
    ['GET /cards/new', openForm(await cookieOf(product))],
    ...OPEN.map((path): [string, Sent] => [`GET ${path}`, { method: 'GET', path, headers: {} }]),
    ...LISTS.map((list): [string, Sent] => [`GET /api/${list}`, listOf(list)]),
  ];
  const costs: PageCost[] = [];
  for (const [name, request] of requests) {
    await measure(product, repeat(request, Math.ceil(REQUESTS / 2)), MANY); // it warms up
    const alone = await measure(product, repeat(request, REQUESTS), 1);
    const busy = await measure(product, repeat(request, REQUESTS), MANY);
    costs.push({ name, alone, busy });
  }
  return costs;
}

/** Product and bare route alternate; the first round is the warm-up. */
async function measureRegistrations(product: Program, bare: Program): Promise<RegistrationCost> {
  const seen = {
    product: [] as Figures[],
    bare: [] as Figures[],
    productAlone: [] as Figures[],
    bareAlone: [] as Figures[],
  };
  const few = Math.ceil(REGISTRATIONS / 3);
  for (let round = 0; round <= ROUNDS; round += 1) {
    const figures = {
      product: await measure(product, await openForms(product, REGISTRATIONS), MANY, 303),
      bare: await measure(bare, bareForms(REGISTRATIONS), MANY, 303),
      productAlone: await measure(product, await openForms(product, few), 1, 303),
      bareAlone: await measure(bare, bareForms(few), 1, 303),
    };
    if (round === 0) continue;
    for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name].push(figures[name]);
  }
  return seen;
}

async function mixedRequests(product: Program): Promise<void> {
  const cookie = await cookieOf(product);
  const get = (path: string): Sent => ({ method: 'GET', path, headers: { cookie } });
  const kinds = [
    openForm(cookie),
    get('/cards'),
    get('/docs'),
    get('/terms'),
    get('/metrics'),
    ...LISTS.map(listOf),
  ];
  const mixed = Array.from({ length: MIXED }, (_, index) => kinds[index % kinds.length] as Sent);
  await measure(product, mixed, MANY);
}

async function cookieOf({ port }: Program): Promise<string> {
  let cookie = '';
  await sendAll(port, [openForm()], 1, ({ headers }) => {
    cookie = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  });
  return cookie;
}

function listOf(list: string): Sent {
  return { method: 'GET', path: `/api/${list}`, headers: { authorization: `Bearer ${API_KEY}` } };
}

function repeat(request: Sent, count: number): Sent[] {
  return Array.from({ length: count }, () => request);
}

async function startBare(stage: Stage, serviceUrl: string): Promise<Program> {
  await administer(stage.databaseUrl('postgres'), 'create database bare');
  const database = await connectTo(stage, 'bare');
  await database.query(
    'create table keys (customer_uid text primary key, card_name text, card_number text, created_at timestamptz)',
  );
  const file = join(__dirname, 'programs', 'bare-express.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: stage.databaseUrl('bare'),
      SERVICE_BASE_URL: serviceUrl,
      ...CREDENTIALS,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  stage.onEnd(() => child.kill('SIGTERM'));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { port, pid: child.pid ?? 0 };
}
