// Runs the programs as processes, compiled once per run, with settings from the environment and the log from standard output.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformFileSync, type Options } from '@swc/core';

const ROOT = join(__dirname, '..', '..');
/** The files of `src/merchant/shop` that a shop changes, as shipped. Their imports lead to the same files from there. */
export const SHIPPED = join(__dirname, 'shop');
const COMPILED = ['src/merchant', 'src/sandbox', 'src/generated'];
const BESIDE = ['package.json', 'prisma', 'views'];
const OPTIONS: Options = {
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/** The folder of the programs: compiled in the project `processes` (processes-setup.ts), elsewhere our sources. */
export const programsFolder = (): string => process.env['TEST_PROGRAMS'] ?? ROOT;

/** Node's arguments to run a program, such as `merchant/server`: compiled if available, otherwise from source. */
export function programArguments(program: string, root = programsFolder()): string[] {
  const compiled = join(root, 'src', `${program}.js`);
  if (existsSync(compiled)) return [compiled];
  return ['--require', require.resolve('tsx/cjs'), join(root, 'src', `${program}.ts`)];
}

/** Compiles the programs into a new folder, which the caller removes. */
export function compilePrograms(): string {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-programs-'));
  for (const part of COMPILED) compileFolder(join(ROOT, part), join(folder, part));
  compileFolder(SHIPPED, join(folder, 'src/merchant/shop'));
  for (const path of BESIDE) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Compiles every source of a folder into another one. */
export function compileFolder(from: string, to: string): void {
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const compiled = join(to, name.replace(/ts$/, 'js'));
    mkdirSync(dirname(compiled), { recursive: true });
    writeFileSync(compiled, transformFileSync(join(from, name), OPTIONS).code);
  }
}

/** With it, a process ends when this one ends, even if it is killed. */
const FOLLOW_PARENT = join(ROOT, 'src', 'local', 'follow-parent.cjs');

/** A process uses the host's clock, and accepts no card form sooner (`formMinAgeMs` of options/card-form/card-limits.ts). */
export const FILL_IN_MS = 2_050;

/** More than a start takes on a busy machine, and less than the limit of a test, whose error does not show the log. */
const START_LIMIT_MS = 120_000;

export type MerchantProcess = Awaited<ReturnType<typeof startMerchantProcess>>;

/**
 * @param options `dotEnv`: the content of `.env` in the process's folder; `root`: the folder of other sources or compiled programs;
 * `nodeFlags`: additional flags; `args`: arguments of the server; `stdout`: an open file for its log, which is then not read
 */
export async function startMerchantProcess(
  environment: Record<string, string>,
  {
    dotEnv,
    root = programsFolder(),
    nodeFlags = [],
    args = [],
    stdout = 'pipe',
  }: { dotEnv?: string; root?: string; nodeFlags?: string[]; args?: string[]; stdout?: 'pipe' | number } = {},
) {
  // In its own folder it does not read a developer's .env.
  const folder = mkdtempSync(join(tmpdir(), 'merchant-process-'));
  if (dotEnv !== undefined) writeFileSync(join(folder, '.env'), dotEnv);
  const flags = ['--require', FOLLOW_PARENT, ...nodeFlags];
  const child = spawn(process.execPath, [...flags, ...programArguments('merchant/server', root), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, ...environment },
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
  });
  let log = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (log += text));
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    process.stderr.write(text);
  });
  const closed = once(child, 'close');
  const exited = once(child, 'exit').then(([code]) => {
    rmSync(folder, { recursive: true, force: true });
    return code as number | null;
  });
  const ready = once(child, 'message') as Promise<[{ port: number }]>;
  const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  const message = await Promise.race([ready, exited.then(() => null)]);
  clearTimeout(limit);
  if (message === null || child.pid === undefined) {
    await closed;
    throw new Error(`the merchant did not start: ${log}${errors}`);
  }
  return {
    pid: child.pid,
    port: message[0].port,
    /** Log lines of an event. */
    events: (name: string) =>
      log
        .split('\n')
        .filter((line) => line.includes(`"event":"${name}"`))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    /** Sends a message to a preloaded script, such as inside-process.cjs. Resolves like `kill`. */
    send(message: object) {
      child.send(message);
      return exited;
    },
    /** Closes our end of its standard output, so that its log can no longer be written. */
    closeOutput: () => void child.stdout?.destroy(),
    /**
     * Resolves with the exit code, or with null if the signal ended it. After SIGTERM it accepts requests for some more seconds,
     * after SIGINT it does not.
     */
    async kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') {
      child.kill(signal);
      return exited;
    },
  };
}

export type SandboxProcess = Awaited<ReturnType<typeof startSandboxProcess>>;

/** @param options `root`: the folder of other programs; with a `dataDir` it saves its state */
export async function startSandboxProcess({
  root = programsFolder(),
  dataDir,
  namePrefix,
}: { root?: string; dataDir?: string; namePrefix?: string } = {}) {
  const child = spawn(process.execPath, programArguments('sandbox/server', root), {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      SANDBOX_PORT: '0',
      LOG_LEVEL: 'silent',
      ...(dataDir && { SANDBOX_DATA_DIR: dataDir }),
      ...(namePrefix && { SERVICE_NAME_PREFIX: namePrefix }),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const message = await Promise.race([
    once(child, 'message') as Promise<[{ port: number }]>,
    exited.then(() => null),
  ]);
  if (message === null) throw new Error('the sandbox did not start');
  return {
    url: `http://127.0.0.1:${message[0].port}`,
    pid: child.pid ?? 0,
    async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
      child.kill(signal);
      await exited;
    },
  };
}
