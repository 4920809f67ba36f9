// Reconciliation and the commands beside a world's own merchant. The host's clock can be set apart from the service's.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/merchant/config';
import { createContext, type Context } from '../../src/merchant/context';
import { API_KEY, NAME_PREFIX } from './config';
import type { World } from './world';

/** The settings of the commands and of a second merchant in the world. */
export function environmentOf(world: World): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: world.databaseUrl,
    SERVICE_BASE_URL: world.sandbox.url,
    SERVICE_V2_BASE_URL: world.sandbox.url,
    SERVICE_NAME_PREFIX: NAME_PREFIX,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    FORM_SECRET: 'form-secret-of-the-tests-0123',
    API_KEY,
  };
}

/** A Context beside the world's merchant; `closeContext` ends it. */
export function openContext(world: World, { hostOffBySeconds = 0 } = {}): Context {
  const now = () => new Date(world.clock.nowMs() + hostOffBySeconds * 1000);
  return createContext({
    config: loadConfig(environmentOf(world)),
    clock: { ...world.clock, now },
    logger: world.log.logger,
  });
}

/** The job, as the engine runs it every five minutes. */
export async function runReconcileJob(world: World): Promise<void> {
  await world.rows.query(`select graphile_worker.add_job('reconcile', run_at := 'epoch')`);
  await world.advance(0);
}

/** Orders as they are after `POST /api/orders`, many at once. */
export async function registerOrders(
  world: World,
  merchantUids: readonly string[],
  amount = 1000,
): Promise<void> {
  await world.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select uid, 'Tea', $2, 'KRW', $3, $3 from jsonb_array_elements_text($1::jsonb) as uids (uid)`,
    [JSON.stringify(merchantUids), amount, world.clock.now()],
  );
}

/** A world as it was at the beginning, in less time than a new one takes. */
export async function beginAnew(world: World): Promise<void> {
  await world.sandbox.call('POST', '/reset');
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
  await world.rows.query(
    `truncate orders, payments, notifications, discrepancies, reconciliation_positions, reconciliation_differences
     cascade`,
  );
}

type ListPage = { response: { list: Record<string, unknown>[]; next: number } };

/** Every payment as the service and as the books have it, one line each, read past the merchant's own code. */
export async function bothSides({ sandbox, rows }: World): Promise<{ service: string[]; books: string[] }> {
  const ask = async (path: string, init: RequestInit): Promise<any> =>
    (await fetch(`${sandbox.url}${path}`, init)).json();
  const credentials = { [`${NAME_PREFIX}_key`]: 'sandbox_key', [`${NAME_PREFIX}_secret`]: 'sandbox_secret' };
  const { response } = await ask('/users/getToken', {
    method: 'POST',
    body: new URLSearchParams(credentials),
  });
  const headers = { authorization: `Bearer ${response.access_token}` };
  const service: string[] = [];
  for (let page = 1; page > 0;) {
    const answer: ListPage = await ask(`/payments/status/all?limit=1000&page=${page}`, { headers });
    for (const each of answer.response.list)
      service.push(
        [
          each[`${NAME_PREFIX}_uid`],
          each['merchant_uid'],
          each['status'],
          each['amount'],
          each['cancel_amount'],
        ].join(' '),
      );
    page = answer.response.next;
  }
  const stored = await rows.query<{ line: string }>(
    `select concat_ws(' ', svc_uid, merchant_uid, status, amount, cancel_amount) as line from payments`,
  );
  return { service: service.sort(), books: stored.map(({ line }) => line).sort() };
}

/** One of the commands as a real process beside the world. */
export function runCommandOf(
  world: World,
  name: string,
  args: readonly string[] = [],
  changes: Record<string, string> = {},
) {
  const child = spawn(process.execPath, ['--import', 'tsx', join(COMMANDS, `${name}.ts`), ...args], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(tmpdir(), 'no-such-folder'),
      ...environmentOf(world),
      ...changes,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const ended = once(child, 'close').then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    output,
    errors,
  }));
  return { child, ended };
}
const COMMANDS = join(__dirname, '..', '..', 'src', 'merchant', 'cli');
