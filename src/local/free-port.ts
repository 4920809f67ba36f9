// Whether a port of this machine can be listened on.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** The port itself when it is free (0: any that is), null when somebody listens there. */
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
