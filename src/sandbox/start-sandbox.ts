// Starts the sandbox on a port, for server.ts, tests and benchmarks.

import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSandbox, type Sandbox, type SandboxOptions } from './app';
import { createSecureServer } from './http/answer-headers';

const MAX_DRAIN_MS = 1_000;

export type RunningSandbox = Sandbox & { url: string; port: number };

/** Resolves when the port accepts requests. `close` gives answers in progress a second to end, and saves the state. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = createSandbox(options);
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
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // Incomplete requests and slow answers would keep the server open forever.
      await Promise.race([closed, wait(MAX_DRAIN_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
      await sandbox.close();
    },
  };
}
