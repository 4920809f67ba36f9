// A line to PostgreSQL that can go silent without being closed, as at a failover or where a firewall has forgotten a
// connection: what is open then carries nothing any more, in neither direction. New connections work.

import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export type FreezingProxy = {
  /** Of the same database, through the proxy. */
  url: string;
  /** Connections that are open and not frozen. */
  open(): number;
  /** Freezes open connections for ever: all, or the oldest `count`. */
  freeze(count?: number): void;
  close(): Promise<void>;
};

export async function startFreezingProxy(databaseUrl: string): Promise<FreezingProxy> {
  const target = new URL(databaseUrl);
  const lines = new Set<{ client: Socket; upstream: Socket }>();
  const frozen: Socket[] = [];

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const line = { client, upstream };
    lines.add(line);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        // The other end of a frozen line hears of nothing.
        if (!lines.delete(line)) return;
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    open: () => lines.size,
    freeze(count = lines.size) {
      for (const line of [...lines].slice(0, count)) {
        lines.delete(line);
        const { client, upstream } = line;
        client.unpipe(upstream).pause();
        upstream.unpipe(client).pause();
        frozen.push(client, upstream);
      }
    },
    async close() {
      for (const { client, upstream } of lines) frozen.push(client, upstream);
      for (const socket of frozen) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
