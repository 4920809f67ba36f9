// Runs one of the two programs as a separate process, as in a deployment. The program reports
// `{ type: 'ready', port }` over the IPC channel when it listens.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const FOLLOW_PARENT = pathToFileURL(join(__dirname, 'follow-parent.cjs')).href;

/** A limit, because a grandchild that outlives the program would keep the pipes open. */
const EMPTIED_WITHIN_MS = 500;

export type ChildProgram = {
  /** Its standard output and standard error; null if it inherits ours. */
  output: { log: Readable; errors: Readable } | null;
  ready: Promise<void>;
  /** Resolves with the exit code, or with 1 if a signal ended the program. */
  exited: Promise<number>;
  stop: () => Promise<void>;
};

const TSX = pathToFileURL(require.resolve('tsx')).href;

/** Whether the program inherits our standard output and standard error, or writes into pipes that we read. */
type Writes = 'to ours' | 'into pipes';

/**
 * How a program is stopped. After SIGTERM it accepts requests for some more seconds, until load balancers have noticed;
 * after SIGINT it does not. After `killAfterMs` it gets SIGKILL.
 */
export type Stop = { signal: 'SIGINT' | 'SIGTERM'; killAfterMs: number };

/** `folder`: where the program runs and reads `.env`; by default ours */
type Options = { writes?: Writes; folder?: string };

export function startChildProgram(
  script: string,
  environment: NodeJS.ProcessEnv,
  { signal, killAfterMs }: Stop,
  { writes = 'to ours', folder }: Options = {},
): ChildProgram {
  const piped = writes === 'into pipes' ? 'pipe' : 'inherit';
  const child = fork(script, {
    env: environment,
    ...(folder !== undefined && { cwd: folder }),
    execArgv: ['--import', TSX, '--import', FOLLOW_PARENT, '--enable-source-maps'],
    // Its own session, so that Ctrl-C reaches only this process, which then stops its parts in order.
    detached: true,
    stdio: ['inherit', piped, piped, 'ipc'],
  });
  const { stdout: log, stderr: errors } = child;
  // The exit is reported after its last output has been read.
  const emptied = once(child, 'close');
  const exited = once(child, 'exit').then(async ([code]) => {
    await Promise.race([emptied, pause(EMPTIED_WITHIN_MS, null, { ref: false })]);
    return (code as number | null) ?? 1;
  });
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      if ((message as { type?: string }).type === 'ready') resolve();
    });
  });
  return {
    output: log && errors ? { log, errors } : null,
    ready,
    exited,
    stop: async () => {
      child.kill(signal);
      const inTime = await Promise.race([exited.then(() => true), pause(killAfterMs, false, { ref: false })]);
      if (!inTime) child.kill('SIGKILL');
      await exited;
    },
  };
}
