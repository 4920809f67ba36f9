// The sandbox as a process of its own, ours or that of a copy.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { programArguments, programsFolder } from './compiled-programs';

export type SandboxProcess = {
  url: string;
  pid: number;
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
};

/** @param options `root` of other programs than those of this run; with a `dataDir` it keeps its state */
export async function startSandboxProcess({
  root = programsFolder(),
  dataDir,
  namePrefix,
}: { root?: string; dataDir?: string; namePrefix?: string } = {}): Promise<SandboxProcess> {
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
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await exited;
    },
  };
}
