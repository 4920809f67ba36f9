// The sandbox as a process of its own, from our sources or from a copy of them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type SandboxProcess = {
  url: string;
  pid: number;
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
};

/** @param options `root` holds the sources; with a `dataDir` it keeps its state */
export async function startSandboxProcess({
  root = process.cwd(),
  dataDir,
}: { root?: string; dataDir?: string } = {}): Promise<SandboxProcess> {
  const tsx = pathToFileURL(require.resolve('tsx')).href;
  const child = spawn(process.execPath, ['--import', tsx, join(root, 'src', 'sandbox', 'server.ts')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      SANDBOX_PORT: '0',
      LOG_LEVEL: 'silent',
      ...(dataDir && { SANDBOX_DATA_DIR: dataDir }),
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
