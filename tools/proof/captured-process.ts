// Runs either program as a process and records all its output: standard output, standard error, and the files in its folder. The
// process can be told to crash, to print and to measure itself.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../../test/support/processes';

const ROOT = join(__dirname, '..', '..');
/** With these flags the processes end when this one ends, even if it is killed. */
const FLAGS = ['--expose-gc'].concat(
  [join(ROOT, 'src', 'local', 'follow-parent.cjs'), join(__dirname, 'inside-process.cjs')].flatMap((file) => [
    '--require',
    file,
  ]),
);

export type CapturedProcess = {
  url: string;
  pid: number;
  /** The text of standard output and standard error so far. */
  output(): string;
  /** Discards the output so far. */
  forget(): void;
  /** The files in its folder, such as a core, a heap snapshot, a report or saved state. */
  files(): Map<string, Buffer>;
  /** Writes a text to both outputs. */
  print(text: string): Promise<void>;
  /** Throws an error or rejects a promise with a text in every field. Resolves to the exit code. */
  crash(how: 'throw' | 'reject', text: string): Promise<number | null>;
  /** The live heap in bytes, after a garbage collection, and the number of open files and sockets. */
  measure(): Promise<{ heapBytes: number; descriptors: number }>;
  /** Resolves to its exit code, or to null if the signal ended it. Its folder stays until `clean`. */
  kill(signal: 'SIGINT' | 'SIGKILL'): Promise<number | null>;
  clean(): void;
};

/** @param environment all of its settings; its folder is DATA_DIR, and SANDBOX_DATA_DIR too */
export async function startCapturedProcess(
  program: 'merchant' | 'sandbox',
  environment: Record<string, string>,
): Promise<CapturedProcess> {
  const folder = mkdtempSync(join(tmpdir(), `${program}-captured-`));
  const ports = { HOST: '127.0.0.1', PORT: '0', SANDBOX_PORT: '0', DATA_DIR: folder };
  const child = spawn(process.execPath, [...FLAGS, ...programArguments(`${program}/server`)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...ports, SANDBOX_DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void chunks.push(chunk));
  // At `close`, both outputs have been read to their end.
  const closed = once(child, 'close').then(([code]) => code as number | null);
  const output = () => Buffer.concat(chunks).toString();

  async function answerTo(ask: string, type: string, text?: string): Promise<Record<string, unknown>> {
    child.send({ ask, text });
    for (;;) {
      const [answer] = (await once(child, 'message')) as [Record<string, unknown>];
      if (answer['type'] === type) return answer;
    }
  }

  const ready = once(child, 'message') as Promise<[{ port: number }]>;
  const message = await Promise.race([ready, closed.then(() => null)]);
  if (message === null) throw new Error(`the ${program} did not start: ${output()}`);
  const pid = child.pid as number;
  return {
    url: `http://127.0.0.1:${message[0].port}`,
    pid,
    output,
    forget: () => void chunks.splice(0),
    files: () => filesIn(folder),
    async print(text) {
      await answerTo('print', 'printed', text);
    },
    crash(how, text) {
      child.send({ ask: how, text });
      return closed;
    },
    async measure() {
      const { heapBytes } = await answerTo('measure', 'measured');
      return { heapBytes: Number(heapBytes), descriptors: readdirSync(`/proc/${pid}/fd`).length };
    },
    kill(signal) {
      child.kill(signal);
      return closed;
    },
    clean: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function filesIn(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]));
}
