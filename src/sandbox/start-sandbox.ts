// The sandbox on a port: what server.ts, tests and benches start.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSandbox, type Sandbox, type SandboxOptions } from './app';

const LONGEST_DRAIN_MS = 1_000;

export type RunningSandbox = Sandbox & { url: string; port: number };

/** Listens (port 0: any free one) and resolves when requests are taken. `close` lets answers under way end, and saves state. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = createSandbox(options);
  const { host, port } = sandbox.service.config;
  const server = createServer(sandbox.app);
  // Longer than clients keep a connection: a request on one that was just closed here would look like a lost answer.
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
      // Half-sent bodies and dripping answers would hold the server open for ever.
      await Promise.race([closed, wait(LONGEST_DRAIN_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
      await sandbox.close();
    },
  };
}
