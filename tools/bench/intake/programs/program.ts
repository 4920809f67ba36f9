// Shared by the programs that the product is compared with: the settings from the parent, and the port reported to it.

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';

export type Notice = { svc_uid: string; merchant_uid: string };

export const DATABASE_URL = process.env['DATABASE_URL'] ?? '';
export const SERVICE_URL = process.env['SERVICE_BASE_URL'] ?? '';
/** Connections to PostgreSQL in each program. */
export const POOL_SIZE = 10;

/** The pool of the limit programs. Plans made while the tables are empty would use sequential scans for ever. */
export function openPool(): Pool {
  return new Pool({ connectionString: DATABASE_URL, max: POOL_SIZE, options: '-c enable_seqscan=off' });
}

/** Listens on a free port and reports it to the parent. */
export function listen(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_000 }, () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
}

export async function readNotice(request: IncomingMessage): Promise<Notice> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return JSON.parse(text) as Notice;
}

/** Calls that come while one is under way share the next one. */
export function batched<Item, Result>(runMany: (items: Item[]) => Promise<Result[]>) {
  const waiting: { item: Item; resolve: (result: Result) => void }[] = [];
  let inFlight = false;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, 500);
      const results = await runMany(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, position) => resolve(results[position] as Result));
    }
    inFlight = false;
  };
  return (item: Item) =>
    new Promise<Result>((resolve) => {
      waiting.push({ item, resolve });
      if (inFlight) return;
      inFlight = true;
      setImmediate(() => void drain());
    });
}
