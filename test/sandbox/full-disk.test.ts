// The sandbox as a process whose data folder has no room left, on a real file system: a small one, which takes root, and a
// limit on the size of files, which every user can set. It says so once, refuses what it would have to write, and goes on
// when there is room again.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CARD } from '../support/cards';
import { eventually } from '../support/eventually';

const SERVER = join(__dirname, '../../src/sandbox/server.ts');
const NODE = [process.execPath, '--import', 'tsx', SERVER];
const LIMIT_KB = 24;

type Place = {
  /** Null where it can be done here, else why not. */
  whyNot(): string | null;
  prepare(folder: string): void;
  command: string[];
  makeRoom(folder: string, pid: number): void;
  remove(folder: string): void;
};

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' });
const must = (command: string, ...args: string[]) => {
  const { status, stderr, error } = run(command, ...args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
};

const smallDisk: Place = {
  whyNot() {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux';
    const { status, stderr } = run('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir());
    return status === 0 ? null : `this machine does not allow it: ${stderr}`;
  },
  prepare: (folder) => must('mount', '-t', 'tmpfs', '-o', `size=${4 * LIMIT_KB}k`, 'tmpfs', folder),
  command: NODE,
  makeRoom: (folder) => must('mount', '-o', 'remount,size=8m', folder),
  remove: (folder) => must('umount', folder),
};

const smallFiles: Place = {
  whyNot: () =>
    process.platform === 'linux' && run('prlimit', '--version').status === 0 ? null : 'it takes prlimit',
  prepare: () => undefined,
  // In blocks of 512 bytes. Only the soft limit, so that it can be raised again.
  command: ['sh', '-c', `ulimit -S -f ${2 * LIMIT_KB}; exec "$0" "$@"`, ...NODE],
  makeRoom: (_, pid) => must('prlimit', '--pid', String(pid), '--fsize=unlimited'),
  remove: () => undefined,
};

const started: ChildProcess[] = [];
/** None may hold the folder when it is unmounted. */
async function killAll() {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

describe.each([
  ['a small file system', smallDisk, 'is full'],
  ['a limit on the size of files', smallFiles, 'cannot be written'],
])('%s', (_, place, said) => {
  const whyNot = place.whyNot();
  const test_ = whyNot === null ? test : test.skip;

  test_(
    `says once that the data folder ${said}, refuses with a 507, and goes on when there is room again; nothing is half-written${whyNot === null ? '' : ` (skipped: ${whyNot})`}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sandbox-full-'));
      place.prepare(folder);
      try {
        const full = start(place.command, folder);
        const { call, pay } = clientOf(await full.ready);
        await call('/subscribe/customers/card-1', CARD);
        const paid: string[] = [];
        let refusal;
        for (let number = 0; refusal === undefined; number += 1) {
          const answer = await pay(`order-${number}`);
          if (answer.status === 200) paid.push(answer.body.svc_uid);
          else refusal = answer;
        }
        expect(paid.length).toBeGreaterThan(10);
        expect([refusal.status, refusal.body]).toEqual([
          507,
          {
            code: -1,
            message: expect.stringContaining(`the data folder of the sandbox ${said}`),
            response: null,
          },
        ]);

        // What needs no room is served, of the service too; what was refused has not happened.
        for (let number = 0; number < 40; number += 1) await pay(`refused-${number}`);
        const total = async (api: typeof call) =>
          (await api('/payments/status/all?limit=1')).body.response.total;
        const made = await total(call);
        const last = await call(`/payments/${paid.at(-1)}`);
        expect(last.body.response.svc_uid).toBe(paid.at(-1));
        while ((await call('/subscribe/payments/schedule', scheduleOf(`${Math.random()}`))).status !== 507);
        const planned = await schedulesOf(call);
        // Longer than the notifications wait to be saved.
        await new Promise((resolve) => setTimeout(resolve, 2_500));
        expect(full.child.exitCode).toBeNull();
        expect(full.output().match(/the data folder /g)).toHaveLength(1);
        expect(full.output()).not.toContain(' at ');
        expect(readFileSync(join(folder, 'journal.jsonl'), 'utf8')).toMatch(/\n$/);

        place.makeRoom(folder, full.child.pid ?? 0);
        await eventually(async () => (await pay('after')).status === 200);
        full.child.kill('SIGKILL');
        await full.exited;
        const again = start(NODE, folder);
        const { call: callAgain } = clientOf(await again.ready);
        expect(await total(callAgain)).toBe(made + 1);
        for (const svcUid of paid) expect((await callAgain(`/payments/${svcUid}`)).status).toBe(200);
        expect(await schedulesOf(callAgain)).toEqual(planned);
      } finally {
        await killAll();
        place.remove(folder);
        rmSync(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});

/** Two payments, of which both are planned or none. */
const scheduleOf = (order: string) => ({
  customer_uid: 'card-1',
  schedules: [1, 2].map((each) => ({
    merchant_uid: `${order}-${each}`,
    schedule_at: 4_000_000_000,
    amount: 10,
  })),
});

async function schedulesOf(call: ReturnType<typeof clientOf>['call']) {
  const { body } = await call(
    '/subscribe/payments/schedule?schedule_from=0&schedule_to=4100000000&limit=1000',
  );
  const orders = body.response.map(({ merchant_uid }: { merchant_uid: string }) => merchant_uid);
  expect(orders.length % 2).toBe(0);
  return orders;
}

function start([command = '', ...args]: string[], folder: string) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0', SANDBOX_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    output: () => output,
    exited: new Promise((resolve) => child.once('exit', resolve)),
    ready: new Promise<string>((resolve) =>
      child.once('message', ({ port }: { port: number }) => resolve(`http://127.0.0.1:${port}`)),
    ),
  };
}

function clientOf(url: string) {
  let token: Promise<string> | undefined;
  async function ask(path: string, body?: object, authorization?: string) {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as any };
  }
  return {
    async call(path: string, body?: object) {
      token ??= ask('/users/getToken', { svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' }).then(
        (answer) => String(answer.body.response.access_token),
      );
      return ask(path, body, `Bearer ${await token}`);
    },
    pay: (order: string) => ask('/_sandbox/payments', { merchant_uid: order, amount: 1000 }),
  };
}
