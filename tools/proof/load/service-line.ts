// A proxy between the merchants and the payment service that can be cut: the service is unreachable, but keeps running with its
// state.

import { endTogether, listenInFront } from '../../../test/support/database-proxies';

export type ServiceLine = {
  url: string;
  /** While cut, all connections are closed and no new one can be opened. */
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
