// Sends hostile requests to both programs as real processes, and reports answers, hangs, changed rows and memory.

import { randomUUID } from 'node:crypto';
import { merchantRoutes, sandboxRoutes } from '../../../test/support/all-routes';
import { callApi } from '../../../test/support/calls';
import { CARD } from '../../../test/support/cards';
import { API_KEY } from '../../../test/support/config';
import { createTestDatabase } from '../../../test/support/postgres';
import { openRows, type Rows } from '../../../test/support/rows';
import { createSandboxControls } from '../../../test/support/sandbox-controls';
import { startCapturedProcess, type CapturedProcess } from '../captured-process';
import { hostileRequest, type Openapi, type Target } from './hostile-requests';
import { createRawClient, HANG_MS, type Exchange } from './raw-exchange';

export type FuzzOptions = {
  requests: number;
  seed: number;
  /** The number of the first request. */
  first?: number;
  connections?: number;
  /** No request is started after this time. */
  withinMs?: number;
  onProgress?: (text: string) => void;
};
type Measures = Record<'merchant' | 'sandbox', { heapBytes: number; descriptors: number }>;
export type FuzzReport = {
  sent: number;
  seconds: number;
  /** Counts by program and status; status 0 means that the connection was closed without an answer. */
  statuses: Record<string, number>;
  slowestMs: number;
  /** 5xx other than 503, and hangs, each with its number. */
  failures: string[];
  /** Protected rows and records that have changed. */
  changed: string[];
  /** After the first fifth, and at the end. */
  measures: Measures[];
  /** Processes that have ended. */
  ended: string[];
};

/** Tables that notifications, requests or jobs may write. All other tables must not change. */
const MAY_CHANGE =
  /^(graphile_worker\.|public\.(notifications|discrepancies|card_limits|service_pauses?|reconciliation_\w+|_prisma_migrations) )/;
/** The wait for incomplete requests. Some of them wait for the full time. */
const PATIENCE_MS = 400;
const WAITED_OUT = 400;
/** Allowance for caches and the sandbox's request log. */
const MOST_GROWTH_BYTES = 16_000_000;
/** Allowance for connection pools to the database and the service. */
const MOST_GROWTH_DESCRIPTORS = 40;

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const database = await createTestDatabase();
  const rows = openRows(database.url);
  const sandbox = await startCapturedProcess('sandbox', { LOG_LEVEL: 'silent' });
  const merchant = await startCapturedProcess('merchant', {
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: sandbox.url,
    SERVICE_V2_BASE_URL: sandbox.url,
    API_KEY,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'silent',
  });
  try {
    return await attack(options, { merchant, sandbox, rows });
  } finally {
    await merchant.kill('SIGKILL');
    await sandbox.kill('SIGKILL');
    merchant.clean();
    sandbox.clean();
    await rows.close();
    await database.drop();
  }
}

type Attacked = { merchant: CapturedProcess; sandbox: CapturedProcess; rows: Rows };

async function attack(options: FuzzOptions, { merchant, sandbox, rows }: Attacked): Promise<FuzzReport> {
  const {
    requests,
    seed,
    first = 0,
    connections = 32,
    withinMs = Number.POSITIVE_INFINITY,
    onProgress,
  } = options;
  const known = await prepare(merchant, sandbox);
  const targets: Target[] = [
    {
      name: 'merchant',
      routes: merchantRoutes(),
      authorization: `Bearer ${API_KEY}`,
      openapi: (await (await fetch(`${merchant.url}/openapi.json`)).json()) as Openapi,
      known: known.ids,
    },
    {
      name: 'sandbox',
      routes: sandboxRoutes(),
      authorization: `Bearer ${known.token}`,
      openapi: null,
      known: known.ids,
    },
  ];
  const clients = { merchant: createRawClient(merchant.url), sandbox: createRawClient(sandbox.url) };
  const report: FuzzReport = {
    sent: 0,
    seconds: 0,
    statuses: {},
    slowestMs: 0,
    failures: [],
    changed: [],
    measures: [],
    ended: [],
  };
  const before = await state(rows, sandbox, known);
  const startedMs = performance.now();

  const part = async (from: number, to: number): Promise<void> => {
    let next = from;
    const work = async () => {
      while (next < to && performance.now() - startedMs < withinMs) await sendOne(next++);
    };
    await Promise.all(Array.from({ length: connections }, work));
  };
  const sendOne = async (number: number): Promise<void> => {
    const request = hostileRequest(seed, first + number, targets);
    const isPatient = request.isWhole || number % WAITED_OUT === 0;
    const patienceMs = isPatient ? HANG_MS : PATIENCE_MS;
    const sent = { keep: request.isWhole, patienceMs, isHead: request.isHead };
    const exchange = await clients[request.target.name].exchange(request.bytes, sent);
    note(report, `${first + number}: ${request.what}`, request.target.name, exchange);
    if (report.sent % 50_000 === 0) onProgress?.(`${report.sent} sent, ${report.failures.length} failures`);
  };
  const measure = async (): Promise<void> => {
    clients.merchant.close();
    clients.sandbox.close();
    report.measures.push({ merchant: await merchant.measure(), sandbox: await sandbox.measure() });
  };

  await part(0, Math.ceil(requests / 5));
  await measure();
  await part(Math.ceil(requests / 5), requests);
  report.seconds = (performance.now() - startedMs) / 1000;
  await measure();
  for (const [name, { url }] of Object.entries({ merchant, sandbox }))
    await fetch(`${url}/healthz`).catch(() => report.ended.push(name));
  report.changed = difference(before, await state(rows, sandbox, known));
  return report;
}

function note(report: FuzzReport, what: string, program: string, { status, ms, kind }: Exchange): void {
  const key = `${program} ${status || kind}`;
  report.statuses[key] = (report.statuses[key] ?? 0) + 1;
  report.sent += 1;
  report.slowestMs = Math.max(report.slowestMs, ms);
  if (kind === 'hang' || (status >= 500 && status !== 503))
    report.failures.push(`${what}: ${status || kind}`);
}

type Known = { ids: string[]; svcUid: string; token: string };

/** Creates a paid order, its payment, a stored key and a scheduled payment, which no hostile request may change. */
async function prepare(merchant: CapturedProcess, sandbox: CapturedProcess): Promise<Known> {
  const controls = createSandboxControls(sandbox.url);
  const uid = `kept-${randomUUID().slice(0, 8)}`;
  const api = (path: string, body: object) => callApi(merchant.url, 'POST', path, body);
  const order = { merchant_uid: uid, name: 'Tea', amount: 1000, member_id: 'kept-member' };
  const { status } = await api('/api/onetime', { ...order, customer_uid: 'kept-key', ...CARD });
  if (status !== 200) throw new Error(`the order was not paid: ${status}`);
  await api('/api/orders', { ...order, merchant_uid: `${uid}-open` });
  const { body } = await callApi(merchant.url, 'GET', `/api/orders/${uid}`);
  const svcUid = String(body.payments[0].svc_uid);
  await controls.settings({ webhook_url: null });
  const answer = await fetch(`${sandbox.url}/users/getToken`, {
    method: 'POST',
    body: new URLSearchParams({ svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' }),
  });
  const { response } = (await answer.json()) as { response: { access_token: string } };
  return {
    ids: [uid, `${uid}-open`, svcUid, 'kept-key', 'kept-member'],
    svcUid,
    token: response.access_token,
  };
}

/** One line for each row and record that no hostile request may change. */
async function state(rows: Rows, sandbox: CapturedProcess, { svcUid, token }: Known): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const records = [
    `/payments/${svcUid}`,
    '/subscribe/customers/kept-key',
    '/_sandbox/settings',
    '/_sandbox/faults',
  ];
  const shown = await Promise.all(
    records.map(async (path) => `${path} ${await (await fetch(sandbox.url + path, { headers })).text()}`),
  );
  const kept = (await rows.dump()).split('\n').filter((line) => line !== '' && !MAY_CHANGE.test(line));
  return [...kept, ...shown];
}

function difference(before: readonly string[], after: readonly string[]): string[] {
  const old = new Set(before);
  const now = new Set(after);
  return [
    ...before.filter((line) => !now.has(line)).map((line) => `gone: ${line.slice(0, 300)}`),
    ...after.filter((line) => !old.has(line)).map((line) => `new: ${line.slice(0, 300)}`),
  ];
}

/** The problems of a report, one line each. */
export function fuzzProblems({ failures, changed, measures, ended }: FuzzReport): string[] {
  const [early, late] = measures;
  const growth = (['merchant', 'sandbox'] as const).flatMap((name) => {
    if (!early || !late) return [`${name}: not measured`];
    const bytes = late[name].heapBytes - early[name].heapBytes;
    const descriptors = late[name].descriptors - early[name].descriptors;
    return [
      ...(bytes > MOST_GROWTH_BYTES ? [`${name}: ${bytes} bytes more on the heap`] : []),
      ...(descriptors > MOST_GROWTH_DESCRIPTORS ? [`${name}: ${descriptors} descriptors more`] : []),
    ];
  });
  return [...failures, ...changed, ...growth, ...ended.map((name) => `${name} has ended`)];
}
