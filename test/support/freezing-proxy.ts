// A line to PostgreSQL that can go silent without being closed, as at a failover or where a firewall has forgotten a
// connection: what is open then carries nothing any more, in neither direction. New connections work.

import { connect, type Socket } from 'node:net';
import { listenInFront } from './listen-in-front';

export type FreezingProxy = {
  /** Of the same database, through the proxy. */
  url: string;
  /** Connections that are open and not frozen. */
  open(): number;
  /** Freezes open connections for ever: all, or the `count` over which the client has said most. */
  freeze(count?: number): void;
  /** Whether new connections are taken and never answered. */
  swallowNew(isOn: boolean): void;
  /** How often a client has written into a frozen connection. */
  swallowed(): number;
  close(): Promise<void>;
};

export async function startFreezingProxy(databaseUrl: string): Promise<FreezingProxy> {
  const target = new URL(databaseUrl);
  const lines = new Set<{ client: Socket; upstream: Socket }>();
  const frozen: Socket[] = [];
  let swallowed = 0;
  let swallowsNew = false;

  const { url, close } = await listenInFront(databaseUrl, (client) => {
    if (swallowsNew) {
      frozen.push(client.on('error', () => undefined).resume());
      return;
    }
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
  return {
    url,
    open: () => lines.size,
    freeze(count = lines.size) {
      const busiest = [...lines].sort((one, other) => other.client.bytesRead - one.client.bytesRead);
      for (const line of busiest.slice(0, count)) {
        lines.delete(line);
        const { client, upstream } = line;
        client.unpipe(upstream).on('data', () => (swallowed += 1));
        client.resume();
        upstream.unpipe(client).resume();
        frozen.push(client, upstream);
      }
    },
    swallowNew(isOn) {
      swallowsNew = isOn;
    },
    swallowed: () => swallowed,
    async close() {
      for (const { client, upstream } of lines) frozen.push(client, upstream);
      for (const socket of frozen) socket.destroy();
      await close();
    },
  };
}
