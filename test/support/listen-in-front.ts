// A place between a program and its database or the payment service, where a test decides what passes.

import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Listens on a free port. `url` is of the same database, through this place. */
export async function listenInFront(
  databaseUrl: string,
  onClient: (client: Socket) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(onClient);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    /** Waits until every connection is closed. */
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** One ends with the other, and `sockets` has those that are open. */
export function endTogether(sockets: Set<Socket>, client: Socket, upstream: Socket): void {
  for (const socket of [client, upstream]) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      client.destroy();
      upstream.destroy();
    });
  }
}
