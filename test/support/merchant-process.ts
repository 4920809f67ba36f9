// The merchant runs as a process of its own, as in a deployment: its settings come from the environment alone, and its
// log is what it wrote to standard output.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CARD_LIMITS } from '../../src/merchant/card-limits';
import { programArguments, programsFolder } from './compiled-programs';

const ROOT = join(__dirname, '..', '..');
/** It ends when we do, however we end. */
const FOLLOW_PARENT = join(ROOT, 'src', 'local', 'follow-parent.cjs');

/** A process has the clock of the host, and takes no card form sooner. */
export const FILL_IN_MS = CARD_LIMITS.formMinAgeMs + 50;

export type MerchantProcess = {
  pid: number;
  port: number;
  /** Lines of the log that tell of an event. */
  events(name: string): Record<string, unknown>[];
  /** For what was loaded ahead of it, such as inside-process.cjs. Resolves as `kill`. */
  send(message: object): Promise<number | null>;
  /** Nobody reads its log any more: its standard output is a pipe that is closed at our end. */
  closeOutput(): void;
  /**
   * Resolves with its exit code when it has ended, or with null if the signal ended it. SIGTERM lets it take requests for
   * some seconds more; SIGINT does not.
   */
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
};

/**
 * @param options `dotEnv` is written as `.env` where the process starts; `root` of other sources, or of other compiled
 * programs, than those of this run; `nodeFlags` beside those that every process gets; `stdout` is a file that is open for
 * writing, where its log is not to be read
 */
export async function startMerchantProcess(
  environment: Record<string, string>,
  {
    dotEnv,
    root = programsFolder(),
    nodeFlags = [],
    stdout = 'pipe',
  }: { dotEnv?: string; root?: string; nodeFlags?: string[]; stdout?: 'pipe' | number } = {},
): Promise<MerchantProcess> {
  // A folder of its own keeps a developer's .env out.
  const folder = mkdtempSync(join(tmpdir(), 'merchant-process-'));
  if (dotEnv !== undefined) writeFileSync(join(folder, '.env'), dotEnv);
  const flags = ['--require', FOLLOW_PARENT, ...nodeFlags];
  const child = spawn(process.execPath, [...flags, ...programArguments('merchant/server', root)], {
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
  const message = await Promise.race([ready, exited.then(() => null)]);
  if (message === null || child.pid === undefined) {
    await closed;
    throw new Error(`the merchant did not start: ${log}${errors}`);
  }
  return {
    pid: child.pid,
    port: message[0].port,
    events: (name) =>
      log
        .split('\n')
        .filter((line) => line.includes(`"event":"${name}"`))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    send(message) {
      child.send(message);
      return exited;
    },
    closeOutput: () => void child.stdout?.destroy(),
    async kill(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
