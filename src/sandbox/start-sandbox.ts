// Starts the sandbox on a port, for server.ts, tests and benchmarks.

import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSandbox, type Sandbox, type SandboxOptions } from './app';
import { defaultConfig, type SandboxConfig } from './config';
import { createSecureServer } from './http/answer-headers';
import { lockFolder } from './state/folder-lock';

const MAX_DRAIN_MS = 1_000;
/** A sandbox whose parent was killed drains and saves its state before it ends; one in a killed container leaves a fresh lock. */
const PREDECESSOR_ENDS_WITHIN_MS = 6_000;

export type RunningSandbox = Sandbox & { url: string; port: number };

/** Resolves when the port accepts requests. `close` gives answers in progress a second to end, and saves the state. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const release = await lockDataFolder({ ...defaultConfig, ...options.config });
  try {
    return await listen(createSandbox(options), release);
  } catch (error) {
    release();
    throw error;
  }
}

async function listen(sandbox: Sandbox, release: () => void): Promise<RunningSandbox> {
  const { host, port, requestTimeoutMs } = sandbox.service.config;
  // By default Node waits minutes for an incomplete request, and checks only every 30 s.
  const limits = { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs };
  const server = createSecureServer({ ...limits, connectionsCheckingInterval: 1_000 }, sandbox.app);
  // Longer than clients keep a connection, because a request on a connection just closed here would look like a lost
  // answer.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    ...sandbox,
    port: bound,
    url: urlOf(host, bound),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // Incomplete requests and slow answers would keep the server open forever.
      await Promise.race([closed, wait(MAX_DRAIN_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
      await sandbox.close();
      release();
    },
  };
}

/** Two sandboxes in one folder would overwrite each other's payments. */
async function lockDataFolder({ dataDir, host, port }: SandboxConfig): Promise<() => void> {
  if (dataDir === undefined) return () => undefined;
  const where = port === 0 ? `a free port of ${host}` : urlOf(host, port);
  const lock = {
    folder: dataDir,
    where,
    setting: 'SANDBOX_DATA_DIR',
    patienceMs: PREDECESSOR_ENDS_WITHIN_MS,
  };
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return await lockFolder(lock);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `SANDBOX_DATA_DIR: ${dataDir} cannot be written by this user (${code}): give it to this user, or set another folder.`,
      { cause: error },
    );
  }
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
