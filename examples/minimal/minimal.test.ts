// The routes over HTTP, against the sandbox and a PostgreSQL of their own.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { PrismaPg } from '@prisma/adapter-pg';
import { pino } from 'pino';
import request from 'supertest';
import { startThrowawayPostgres } from '../../src/local/postgres/throwaway-postgres';
import { startSandbox } from '../../src/sandbox/start-sandbox';
import { createApp } from './app';
import { PrismaClient } from './generated/prisma/client';
import { createPaymentService } from './payment-service';
import { readSettings } from './settings';

const MIGRATION = join(__dirname, 'prisma', 'migrations', '20261126000000_initial', 'migration.sql');
const LISTED = '52.78.100.19';
const API_KEY = 'a-key-for-tests-only';
const CARD = { card_number: '5409 1357 2468 0246', expiry: '2037-12', birth: '880101', pwd_2digit: '47' };
const CONSENTS = { agree_terms: 'on', agree_privacy: 'on' };
const SECRETS = ['5409', '2037-12', '880101', 'sandbox_secret', API_KEY];

let world: Awaited<ReturnType<typeof startWorld>>;

async function startWorld() {
  const postgres = await startThrowawayPostgres();
  const databaseUrl = postgres.url('postgres');
  const database = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) });
  for (const statement of readFileSync(MIGRATION, 'utf8').split(';\n'))
    if (statement.trim() !== '') await database.$executeRawUnsafe(statement);
  const sandbox = await startSandbox({ config: { port: 0 } });
  const lines: string[] = [];
  const log = new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) });
  const settings = (serviceUrl: string) =>
    readSettings({
      DATABASE_URL: databaseUrl,
      SERVICE_BASE_URL: serviceUrl,
      SERVICE_KEY: 'sandbox_key',
      SERVICE_SECRET: 'sandbox_secret',
      API_KEY,
      TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
    });
  const appOn = (serviceUrl: string) => {
    const service = createPaymentService(settings(serviceUrl));
    return createApp({ settings: settings(serviceUrl), database, service, logger: pino(log) });
  };
  const app = appOn(sandbox.url);
  return {
    app,
    appOn,
    database,
    lines,
    async control(path: string, body: object): Promise<Record<string, string>> {
      const answer = await request(sandbox.url).post(`/_sandbox${path}`).send(body);
      expect(answer.status).toBeLessThan(300);
      return answer.body as Record<string, string>;
    },
    requestsOf: async (endpoint: string): Promise<number> =>
      (await request(sandbox.url).get('/_sandbox/requests/count').query({ endpoint })).body.count,
    async order(merchant_uid: string, amount = 1000) {
      const order = { merchant_uid, name: 'Tea', amount };
      const answer = await request(app).post('/api/orders').auth(API_KEY, { type: 'bearer' }).send(order);
      expect(answer.status).toBe(201);
    },
    readOrder: async (merchantUid: string) =>
      (await request(app).get(`/api/orders/${merchantUid}`).auth(API_KEY, { type: 'bearer' })).body,
    /** A payment in the window, of which the sandbox itself tells nobody. */
    async pay(merchant_uid: string, amount = 1000, fields = {}): Promise<string> {
      const payment = await this.control('/payments', { merchant_uid, amount, notify: false, ...fields });
      return payment['svc_uid'] ?? '';
    },
    notify: (body: object, source = LISTED, on = app) =>
      request(on).post('/webhooks/payments').set('X-Forwarded-For', source).send(body),
    async rows() {
      const [orders, payments, keys] = await Promise.all([
        database.order.findMany({ orderBy: { merchantUid: 'asc' } }),
        database.payment.findMany({ orderBy: { svcUid: 'asc' } }),
        database.billingKey.findMany({ orderBy: { customerUid: 'asc' } }),
      ]);
      return { orders, payments, keys };
    },
    async close() {
      await database.$disconnect();
      await sandbox.close();
      await postgres.stop();
    },
  };
}

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

async function openForm() {
  const { text } = await request(world.app).get('/cards/new').expect(200);
  return /name="customer_uid" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

const post = (form: object, on = world.app) => request(on).post('/cards').type('form').send(form);

test('a card that is registered becomes a mapping, and its data is in no row, log or page', async () => {
  const customer_uid = await openForm();
  const before = await world.requestsOf('POST /subscribe/customers/:customer_uid');
  await post({ customer_uid, ...CARD, ...CONSENTS })
    .expect(303)
    .expect('Location', '/cards/new?registered=1');
  expect(await world.requestsOf('POST /subscribe/customers/:customer_uid')).toBe(before + 1);
  const { keys } = await world.rows();
  expect(keys).toMatchObject([{ customerUid: customer_uid, memberId: 'member-1' }]);
  expect(JSON.stringify(await world.rows())).not.toMatch(/5409|880101/);
});

test.each(Object.entries({ ...CARD, ...CONSENTS }))(
  'a form with a wrong %s is a 400 that names it',
  async (field) => {
    const before = await world.requestsOf('POST /subscribe/customers/:customer_uid');
    const form = { customer_uid: await openForm(), ...CARD, ...CONSENTS, [field]: 'wrong' };
    const { text } = await post(form).expect(400);
    expect(
      [...text.matchAll(/aria-invalid="true" aria-describedby="(\w+)-error"/g)].map(([, name]) => name),
    ).toEqual([field]);
    expect(text).not.toMatch(/5409|880101/);
    expect(await world.requestsOf('POST /subscribe/customers/:customer_uid')).toBe(before);
  },
);

test('a declined card is a 400, and a customer_uid that is in use a 409: neither leaves a row', async () => {
  const before = await world.rows();
  const declined = { ...CARD, card_number: '4000-0000-0000-0002' };
  await post({ customer_uid: await openForm(), ...declined, ...CONSENTS }).expect(400);
  const inUse = before.keys[0]?.customerUid;
  expect(inUse).toBeDefined();
  await post({ customer_uid: inUse, ...CARD, ...CONSENTS }).expect(409);
  expect(await world.rows()).toEqual(before);
});

test('the same order again is a 200, with another amount a 409, with a wrong field a 400 that names it', async () => {
  const send = (body: object, key = API_KEY) =>
    request(world.app).post('/api/orders').auth(key, { type: 'bearer' }).send(body);
  const order = { merchant_uid: 'order-a', name: 'Tea', amount: 1000 };
  await send(order, 'another-key-of-somebody').expect(401);
  await send(order).expect(201);
  await send(order).expect(200);
  await send({ ...order, amount: 1001 }).expect(409);
  const refused = await send({ ...order, amount: '1000' }).expect(400);
  expect(refused.body.error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('amount'),
  });
});

test('a notification is checked against the service, and recorded once', async () => {
  await world.order('order-1');
  const svc_uid = await world.pay('order-1');
  const body = { svc_uid, merchant_uid: 'order-1', status: 'paid' };
  await world.notify(body).expect(200, { outcome: 'recorded' });
  const recorded = await world.rows();
  expect(await world.readOrder('order-1')).toMatchObject({
    status: 'paid',
    payments: [{ svc_uid, amount: 1000 }],
  });
  await world.notify(body).type('form').expect(200, { outcome: 'unchanged' });
  expect(await world.rows()).toEqual(recorded);
});

test.each([
  ['an amount that differs', 'amount_mismatch', { amount: 999 }, {}],
  ['another currency', 'currency_mismatch', { currency: 'USD' }, {}],
  ['the payment of another order', 'order_mismatch', {}, { merchant_uid: 'order-other' }],
  ['an order that is not registered', 'unknown_order', {}, { merchant_uid: 'order-unknown' }],
  ['a payment that the service does not know', 'unknown_payment', {}, { svc_uid: 'svc_unknown' }],
  ['an id that leads elsewhere', 'malformed', {}, { svc_uid: '../users/getToken' }],
])('a notification with %s is a 400 and stores nothing', async (_, outcome, paid, claimed) => {
  const merchant_uid = `order-${outcome}`;
  await world.order(merchant_uid);
  if (outcome === 'order_mismatch') await world.order('order-other');
  const svc_uid = await world.pay(merchant_uid, 1000, paid);
  const before = await world.rows();
  await world.notify({ svc_uid, merchant_uid, status: 'paid', ...claimed }).expect(400, { outcome });
  expect(await world.rows()).toEqual(before);
});

test.each(['6.6.6.6', `${LISTED}, 6.6.6.6`, '064.78.100.19'])(
  'a notification from %s is a 403 before its body is read, and nothing is fetched',
  async (source) => {
    const before = await world.requestsOf('GET /payments/:svc_uid');
    await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-1' }, source).expect(403);
    expect(await world.requestsOf('GET /payments/:svc_uid')).toBe(before);
  },
);

test('a partial refund and a refund of the rest show in the order', async () => {
  await world.order('order-refund');
  const svc_uid = await world.pay('order-refund');
  const body = { svc_uid, merchant_uid: 'order-refund', status: 'cancelled' };
  await world.control(`/payments/${svc_uid}/cancel`, { amount: 400, reason: 'test' });
  await world.notify(body).expect(200, { outcome: 'recorded' });
  expect(await world.readOrder('order-refund')).toMatchObject({ status: 'partially_cancelled' });
  await world.control(`/payments/${svc_uid}/cancel`, { reason: 'test' });
  await world.notify(body).expect(200, { outcome: 'recorded' });
  expect(await world.readOrder('order-refund')).toMatchObject({ status: 'cancelled' });
});

test('a service that does not answer is a 503, for a notification and for a card', async () => {
  const silent = createServer((incoming) => incoming.socket.destroy());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const app = world.appOn(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const before = await world.rows();
  await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-1' }, LISTED, app).expect(503);
  await post({ customer_uid: await openForm(), ...CARD, ...CONSENTS }, app).expect(503);
  expect(await world.rows()).toEqual(before);
  silent.close();
});

test('the log names no card, token or secret', () => {
  const log = world.lines.join('');
  expect(log).toContain('"outcome":"recorded"');
  for (const secret of SECRETS) expect(log).not.toContain(secret);
});

test('a setting that is missing stops the start and is named', () => {
  expect(() => readSettings({ PORT: '3000' })).toThrow(/SERVICE_SECRET/);
});
