// What a test runs on: the example on a free port, a database of its own and the sandbox.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { PrismaPg } from '@prisma/adapter-pg';
import { pino } from 'pino';
import request from 'supertest';
import { createApp } from './app';
import { PrismaClient } from './generated/prisma/client';
import { createPaymentService } from './payment-service';
import { readSettings } from './settings';

const MIGRATION = join(__dirname, 'prisma', 'migrations', '20261126000000_initial', 'migration.sql');
export const LISTED = '52.78.100.19';
export const API_KEY = 'a-key-for-tests-only';

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld() {
  const { postgresUrl, sandboxUrl, prefix, stop } = await findSurroundings();
  const { databaseUrl, drop } = await createDatabase(postgresUrl);
  const database = open(databaseUrl);
  const lines: string[] = [];
  const log = new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) });

  const settings = (serviceUrl: string) =>
    readSettings({
      DATABASE_URL: databaseUrl,
      SERVICE_BASE_URL: serviceUrl,
      SERVICE_KEY: 'sandbox_key',
      SERVICE_SECRET: 'sandbox_secret',
      SERVICE_NAME_PREFIX: prefix,
      API_KEY,
      TRUSTED_PROXIES: '127.0.0.1,::1',
    });
  const appOn = (serviceUrl: string, deadlineMs?: number) => {
    const service = createPaymentService(settings(serviceUrl), deadlineMs);
    return createApp({ settings: settings(serviceUrl), database, service, logger: pino(log) });
  };
  const server = appOn(sandboxUrl).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = (method: 'get' | 'post', path: string) =>
    request(url)[method](`/api/orders${path}`).auth(API_KEY, { type: 'bearer' });

  return {
    url,
    sandboxUrl,
    lines,
    database,
    api,
    /** The example on another service. */
    appOn,
    async control(path: string, body: object): Promise<Record<string, string>> {
      const answer = await request(sandboxUrl).post(`/_sandbox${path}`).send(body);
      expect(answer.status).toBeLessThan(300);
      return answer.body as Record<string, string>;
    },
    requestsOf: async (endpoint: string): Promise<number> =>
      (await request(sandboxUrl).get('/_sandbox/requests/count').query({ endpoint })).body.count,
    async order(merchant_uid: string, amount = 1000) {
      await api('post', '').send({ merchant_uid, name: 'Tea', amount }).expect(201);
    },
    readOrder: async (merchantUid: string) => (await api('get', `/${merchantUid}`)).body,
    /** A payment in the window, of which the sandbox itself tells nobody. */
    async pay(merchant_uid: string, amount = 1000, fields = {}): Promise<string> {
      const payment = await this.control('/payments', { merchant_uid, amount, notify: false, ...fields });
      return payment['svc_uid'] ?? '';
    },
    /** The notification of a payment, under the service's own names. */
    notify(
      { svc_uid, ...fields }: Record<string, unknown>,
      source = LISTED,
      on: Parameters<typeof request>[0] = url,
    ) {
      const body = { [`${prefix}_uid`]: svc_uid, ...fields };
      return request(on).post('/webhooks/payments').set('X-Forwarded-For', source).send(body);
    },
    /** The service gives the token that it has given before (§5). */
    async token(): Promise<string> {
      const credentials = { [`${prefix}_key`]: 'sandbox_key', [`${prefix}_secret`]: 'sandbox_secret' };
      return (await request(sandboxUrl).post('/users/getToken').send(credentials)).body.response.access_token;
    },
    async rows() {
      const [orders, payments, keys] = await Promise.all([
        database.order.findMany({ orderBy: { merchantUid: 'asc' } }),
        database.payment.findMany({ orderBy: { svcUid: 'asc' } }),
        database.billingKey.findMany({ orderBy: { customerUid: 'asc' } }),
      ]);
      return { orders, payments, keys };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await database.$disconnect();
      await drop();
      await stop();
    },
  };
}

const open = (connectionString: string) => new PrismaClient({ adapter: new PrismaPg({ connectionString }) });

async function createDatabase(postgresUrl: string) {
  const url = (name: string) => Object.assign(new URL(postgresUrl), { pathname: name }).href;
  const name = `minimal_${randomUUID().replaceAll('-', '')}`;
  const administer = async (statement: string) => {
    const postgres = open(url('postgres'));
    await postgres.$executeRawUnsafe(statement);
    await postgres.$disconnect();
  };
  await administer(`create database ${name}`);
  const database = open(url(name));
  for (const statement of readFileSync(MIGRATION, 'utf8').split(';\n'))
    if (statement.trim() !== '') await database.$executeRawUnsafe(statement);
  await database.$disconnect();
  return { databaseUrl: url(name), drop: () => administer(`drop database ${name} with (force)`) };
}

/** In this repository both are started here, or shared by a run of all tests. A copy of this folder names its own. */
async function findSurroundings() {
  const { TEST_DATABASE_URL, TEST_SANDBOX_URL, SERVICE_NAME_PREFIX = 'svc', TEST_TEMPLATE_URL } = process.env;
  if (TEST_DATABASE_URL && TEST_SANDBOX_URL)
    return {
      postgresUrl: TEST_DATABASE_URL,
      sandboxUrl: TEST_SANDBOX_URL,
      prefix: SERVICE_NAME_PREFIX,
      stop: () => Promise.resolve(),
    };
  if (!existsSync(join(__dirname, '..', '..', 'src', 'sandbox')))
    throw new Error('A copy of this folder needs TEST_DATABASE_URL and TEST_SANDBOX_URL: see README.md.');
  const { startThrowawayPostgres } = jest.requireActual<
    typeof import('../../src/local/postgres/throwaway-postgres')
  >('../../src/local/postgres/throwaway-postgres');
  const { startSandbox } = jest.requireActual<typeof import('../../src/sandbox/start-sandbox')>(
    '../../src/sandbox/start-sandbox',
  );
  const postgres = TEST_TEMPLATE_URL ? null : await startThrowawayPostgres();
  const prefix = 'abc';
  const sandbox = await startSandbox({ config: { port: 0, namePrefix: prefix } });
  return {
    postgresUrl: TEST_TEMPLATE_URL ?? postgres?.url('postgres') ?? '',
    sandboxUrl: sandbox.url,
    prefix,
    async stop() {
      await sandbox.close();
      await postgres?.stop();
    },
  };
}
