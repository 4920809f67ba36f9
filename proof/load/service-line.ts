// The line from the merchants to the payment service, which can be cut: the service is away, although it lives and keeps
// what it has.

import { endTogether, listenInFront } from '../../test/support/database-proxies';

export type ServiceLine = {
  url: string;
  /** While it is cut, no connection lives and none can be made. */
  setCut(isCut: boolean): void;
  close(): Promise<void>;
};

export async function startServiceLine(serviceUrl: string): Promise<ServiceLine> {
  let isCut = false;
  const { url, endAll, close } = await listenInFront(serviceUrl, (client, connectOn) => {
    if (isCut) return void client.destroy();
    const upstream = connectOn();
    client.pipe(upstream).pipe(client);
    endTogether(client, upstream);
  });
  return {
    url: new URL(url).origin,
    setCut(cut) {
      isCut = cut;
      if (cut) endAll();
    },
    close,
  };
}
