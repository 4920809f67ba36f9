// The line from the merchants to the payment service, which can be cut: the service is away, although it lives and keeps
// what it has.

import { connect, type Socket } from 'node:net';
import { endTogether, listenInFront } from '../../test/support/database-proxies';

export type ServiceLine = {
  url: string;
  /** While it is cut, no connection lives and none can be made. */
  setCut(isCut: boolean): void;
  close(): Promise<void>;
};

export async function startServiceLine(serviceUrl: string): Promise<ServiceLine> {
  const target = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const { url, close } = await listenInFront(serviceUrl, (client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream).pipe(client);
    endTogether(sockets, client, upstream);
  });
  const endAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: new URL(url).origin,
    setCut(cut) {
      isCut = cut;
      if (cut) endAll();
    },
    close() {
      endAll();
      return close();
    },
  };
}
