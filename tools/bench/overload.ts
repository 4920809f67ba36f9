// Offers one merchant process more notifications than it can check, at a fixed rate, whether it answers or not. Meanwhile the card form
// and /readyz are requested twice a second. Writes docs/project/performance/overload.md.
// Run: npm run bench -- overload [notifications a second, default 2000] [seconds, default 30]

import { Agent, get, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { createNotices, peakMemoryMb } from './intake/measure';
import { startProgram, startService, type Program } from './intake/start-programs';
import { median } from './load';
import { onStage } from './stage';
import { writeFigures } from './write-figures';

const [RATE = 2_000, SECONDS = 30] = process.argv.slice(2).map(Number);
const WARM_UP = 6_000;
const TICK_MS = 20;
/** As a reverse proxy limits them. Node.js accepts one new connection in each turn of its event loop, so a thousand at once would
 * make all new ones wait. */
const MOST_CONNECTIONS = 256;
const LONGEST_ANSWER_MS = 25_000;
const LONGEST_PROBE_MS = 1_000;
const MOST_MEMORY_MB = 400;

type Answer = { status: number; outcome: string; ms: number; retryAfter: string | undefined };

void onStage(async (stage) => {
  const service = await startService(stage);
  const count = RATE * SECONDS;
  const program = await startProgram(stage, 'product', service, { orders: WARM_UP + count, old: 0 });
  const take = createNotices();
  await offer(program, take(program, WARM_UP), RATE / 4);
  const warmMb = peakMemoryMb(program.pid);
  const notices = take(program, count);
  const probes = startProbes(program);
  const answers = await offer(program, notices, RATE);
  const probed = await probes.stop();
  const acknowledged = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  const checkedAfterS = await untilChecked(program.database);
  const paid = await countPaid(program.database);
  const missing = acknowledged.length + WARM_UP - paid;
  const longest = Math.max(...answers.map(({ ms }) => ms));
  const memory = peakMemoryMb(program.pid);
  const others = count - acknowledged.length - refused.length;
  const withoutRetryAfter = refused.filter(({ retryAfter }) => retryAfter === undefined).length;
  const slowest = (path: string) =>
    Math.max(...probed.filter((each) => each.path === path).map(({ ms }) => ms));
  const failedProbes = probed.filter(({ status }) => status !== 200).length;
  writeFigures('overload.md', {
    title: 'More notifications than one process can check',
    command: `npm run bench -- overload ${RATE} ${SECONDS}`,
    about: ABOUT,
    figures: [
      ['offered', `${count} in ${SECONDS} s`, ''],
      [
        'answered `recorded`',
        String(acknowledged.filter(({ outcome }) => outcome === 'recorded').length),
        '',
      ],
      ['answered `queued`', String(acknowledged.filter(({ outcome }) => outcome === 'queued').length), ''],
      ['answered 503', String(refused.length), ''],
      ['of these without Retry-After', String(withoutRetryAfter), '0'],
      ['another answer, or none', String(others), '0'],
      ['answered: p50', ms(median(answers.map((each) => each.ms))), ''],
      ['answered: longest', ms(longest), `under ${LONGEST_ANSWER_MS} ms`],
      ['all checked after', `${checkedAfterS.toFixed(0)} s`, ''],
      ['acknowledged and not paid', String(missing), '0'],
      ['/readyz: longest', ms(slowest('/readyz')), `under ${LONGEST_PROBE_MS} ms`],
      ['card form: longest', ms(slowest(FORM)), `under ${LONGEST_PROBE_MS} ms`],
      ['of these not 200', String(failedProbes), '0'],
      ['memory (RSS) before', `${warmMb.toFixed(0)} MB`, ''],
      ['memory: most', `${memory.toFixed(0)} MB`, `under ${MOST_MEMORY_MB} MB`],
    ],
  });
  const isGood =
    withoutRetryAfter + others + missing + failedProbes === 0 &&
    longest < LONGEST_ANSWER_MS &&
    Math.max(slowest('/readyz'), slowest(FORM)) < LONGEST_PROBE_MS &&
    memory < MOST_MEMORY_MB;
  if (!isGood) process.exitCode = 1;
});

const ABOUT = `Notifications of distinct payments are sent at this rate, whether the earlier ones are answered or not, to a warm process.
Sender, service, PostgreSQL and merchant share the machine.`;

const FORM = '/cards/new';
const ms = (value: number) => `${Math.round(value)} ms`;

/** Resolves when each was answered. */
async function offer(
  { port }: Program,
  notices: readonly { svc_uid: string; merchant_uid: string }[],
  perSecond: number,
): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  const answers: Promise<Answer>[] = [];
  const started = performance.now();
  while (answers.length < notices.length) {
    const due = Math.floor(((performance.now() - started) / 1_000) * perSecond);
    for (const notice of notices.slice(answers.length, due)) answers.push(notify(agent, port, notice));
    await pause(TICK_MS);
  }
  const all = await Promise.all(answers);
  agent.destroy();
  return all;
}

function notify(agent: Agent, port: number, ids: object): Promise<Answer> {
  const body = JSON.stringify({ ...ids, status: 'paid' });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-forwarded-for': '52.78.100.19',
  };
  const sent = performance.now();
  return new Promise((resolve) => {
    const done = (status: number, outcome: string, retryAfter?: string) =>
      resolve({ status, outcome, retryAfter, ms: performance.now() - sent });
    const outgoing = request(
      { port, host: '127.0.0.1', path: '/webhooks/payments', method: 'POST', agent, headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          const { outcome } = (text === '' ? {} : JSON.parse(text)) as { outcome?: string };
          done(answer.statusCode ?? 0, outcome ?? 'none', answer.headers['retry-after']);
        });
      },
    );
    outgoing.on('error', () => done(0, 'broken')).end(body);
  });
}

type Probe = { path: string; status: number; ms: number };

function startProbes({ port }: Program) {
  const stopping = new AbortController();
  const probed: Promise<Probe>[] = [];
  const running = (async () => {
    while (!stopping.signal.aborted) {
      for (const path of ['/readyz', FORM]) probed.push(probe(port, path));
      await pause(500);
    }
  })();
  return {
    async stop(): Promise<Probe[]> {
      stopping.abort();
      await running;
      return Promise.all(probed);
    },
  };
}

function probe(port: number, path: string): Promise<Probe> {
  const sent = performance.now();
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path, agent: false }, (answer) => {
      answer.resume().on('end', () => {
        resolve({ path, status: answer.statusCode ?? 0, ms: performance.now() - sent });
      });
    }).on('error', () => resolve({ path, status: 0, ms: performance.now() - sent }));
  });
}

async function untilChecked(database: Client): Promise<number> {
  const started = performance.now();
  const open = `select from notifications where next_attempt_at is not null limit 1`;
  while ((await database.query(open)).rowCount) await pause(500);
  return (performance.now() - started) / 1_000;
}

async function countPaid(database: Client): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from orders where status = 'paid'`,
  );
  return rows[0]?.count ?? 0;
}
