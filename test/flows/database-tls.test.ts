// The effect of `sslmode` in DATABASE_URL on the driver, with a server that has a certificate: config.ts accepts and refuses
// settings accordingly.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { selfSignedCertificate, type Certificate } from '../../src/local/rehearsal/certificates';
import { openDatabase } from '../../src/merchant/platform/database';
import { DatabaseError } from '../../src/merchant/platform/errors';
import { createTestDatabase, type TestDatabase } from '../support/postgres';

type Server = TlsProxy & { caFile: string };

let database: TestDatabase;
let folder: string;
/** A certificate for the name under which it is reached, and one for another name. */
let server: Server;
let misnamed: Server;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'database-tls-'));
  server = await serve('right', selfSignedCertificate('localhost'));
  misnamed = await serve('wrong', selfSignedCertificate('db.example.com'));
});
afterAll(async () => {
  await server?.close();
  await misnamed?.close();
  rmSync(folder, { recursive: true, force: true });
  await database?.drop();
});

async function serve(name: string, certificate: Certificate): Promise<Server> {
  const caFile = join(folder, `${name}.pem`);
  writeFileSync(caFile, certificate.cert);
  return Object.assign(await startTlsProxy(database.url, certificate), { caFile });
}

/** How the client has connected; or `refused` if it has sent nothing. */
async function connection(to: Server, query: string): Promise<string> {
  const before = to.seen().length;
  const url = new URL(database.url);
  url.host = `localhost:${to.port}`;
  url.search = query.replace('CA', to.caFile);
  const opened = openDatabase(url.href, { connections: 1 });
  try {
    await opened.$queryRaw`select 1 as one`;
    return to.seen().slice(before).join();
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseError);
    expect(to.seen().slice(before)).toEqual([]);
    return 'refused';
  } finally {
    await opened.$disconnect();
  }
}

test.each([
  // Not verified: config.ts refuses the first and the second, and accepts the third because it is explicit.
  ['', 'plain', 'plain'],
  ['uselibpqcompat=true&sslmode=require', 'tls', 'tls'],
  ['sslmode=no-verify', 'tls', 'tls'],
  // Verified.
  ['sslmode=disable&sslmode=verify-full', 'refused', 'refused'],
  ['sslmode=require', 'refused', 'refused'],
  ['sslmode=require&sslrootcert=CA', 'tls', 'refused'],
  ['sslmode=verify-ca&sslrootcert=CA', 'tls', 'refused'],
  ['sslmode=verify-full&sslrootcert=CA', 'tls', 'refused'],
])(
  'with "%s" a server is: %s; and under another name than that of its certificate: %s',
  async (query, ...expected) => {
    expect([await connection(server, query), await connection(misnamed, query)]).toEqual(expected);
  },
);

type TlsProxy = {
  port: number;
  /** How the clients have connected, in their order. */
  seen(): ('plain' | 'tls')[];
  close(): Promise<void>;
};

/** The first message of a client that wants TLS (SSLRequest). */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

async function startTlsProxy(databaseUrl: string, certificate: Certificate): Promise<TlsProxy> {
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
