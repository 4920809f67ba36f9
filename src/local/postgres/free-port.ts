// Checks whether a port of this machine is free.

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Returns the port if it is free (for 0: any free port), and null if a program listens there. */
export async function freePort(port: number, host = '127.0.0.1'): Promise<number | null> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const { port: found } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return found;
}

/** Several free ports. One that was free a moment ago may be found again, so they are compared. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add((await freePort(0)) ?? 0);
  return [...ports];
}
