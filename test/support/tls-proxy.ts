// PostgreSQL over TLS: it asks for TLS as PostgreSQL does, ends it with a certificate of the test's choice, and passes
// everything on to the real server. A client that asks for no TLS is served as well.

import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './certificate';

export type TlsProxy = {
  port: number;
  /** How the clients that were passed on have spoken, in their order. */
  seen(): ('plain' | 'tls')[];
  close(): Promise<void>;
};

/** The first message of a client that wants TLS (SSLRequest). */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

export async function startTlsProxy(databaseUrl: string, certificate: Certificate): Promise<TlsProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const seen: ('plain' | 'tls')[] = [];

  function keep<Kept extends Socket>(socket: Kept): Kept {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    return socket;
  }

  function passOn(client: Socket, first: Buffer): void {
    const upstream = keep(connect(Number(target.port), target.hostname));
    upstream.write(first);
    client.pipe(upstream).pipe(client);
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  }

  const server = createServer((client) => {
    keep(client).once('data', (first: Buffer) => {
      if (!first.equals(SSL_REQUEST)) {
        seen.push('plain');
        return passOn(client, first);
      }
      client.write('S');
      const secure = keep(new TLSSocket(client, { isServer: true, ...certificate }));
      secure.once('data', (startup: Buffer) => {
        seen.push('tls');
        passOn(secure, startup);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen: () => [...seen],
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
