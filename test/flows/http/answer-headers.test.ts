// Checks the headers, cookies and unique ids of the answers of every route and of every status, including the answers that Node.js
// sends before the app sees a request. 408 is tested in test/waiting/connections.test.ts, in real time.

import request from 'supertest';
import { createApp } from '../../../src/merchant/app';
import { FEATURES } from '../../../src/merchant/features';
import { createContext } from '../../../src/merchant/platform/context';
import { loadConfig } from '../../../src/merchant/settings';
import { startMerchant, type RunningMerchant } from '../../../src/merchant/start-merchant';
import { merchantRoutes, type ServedRoute } from '../../support/all-routes';
import { cookiesOf, merchantHeaderProblems } from '../../support/answer-headers';
import { createMemberBrowser } from '../../support/browsers';
import { CARD_FORM } from '../../support/cards';
import { createManualClock } from '../../support/clock';
import { API_KEY, PRODUCTION_ENVIRONMENT, testConfig } from '../../support/config';
import { withCardForm } from '../../support/keys';
import { createRecordedLog } from '../../support/log';
import { exchangeBytes, send, type RawAnswer } from '../../support/raw-http';
import { ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const KEY = { authorization: `Bearer ${API_KEY}` };
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
/** Of production, as its settings have it. */
const HOST = 'shop.example.com';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

type Request = { method: string; path: string; headers?: Record<string, string>; body?: string };
type Server = { url: string; production: boolean };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Values of clients in that header. */
const FOREIGN_ID = '11111111-1111-4111-8111-111111111111';

const world = useWorld();
const routes = merchantRoutes();
/** Statuses and ids of the answers, and their problems. */
const seen = new Set<number>();
const ids = new Set<unknown>();
const problems: string[] = [];

const development = (): Server => ({ url: world.url, production: false });

beforeEach(() => {
  seen.clear();
  problems.length = 0;
});

/** Sends a request, and records the problems of the answer. */
async function ask(server: Server, request: Request): Promise<RawAnswer> {
  const { method, path, headers = {}, body } = request;
  // Without it, Node.js sends the body of a DELETE as if it was the next request.
  const length = body !== undefined && { 'content-length': String(Buffer.byteLength(body)) };
  const sent = {
    ...(server.production && { host: HOST }),
    'x-request-id': FOREIGN_ID,
    ...length,
    ...headers,
  };
  const answer = await send(server.url, path, { method, headers: sent, ...(body !== undefined && { body }) });
  note(server, request, answer);
  const id = answer.headers['x-request-id'];
  if (!UUID.test(String(id)) || id === FOREIGN_ID || ids.has(id)) problems.push(`${method} ${path}: id`);
  ids.add(id);
  return answer;
}

function note({ production }: Server, { method, path }: Request, answer: RawAnswer): void {
  seen.add(answer.status);
  const asked = { method, path: path.split('?', 1)[0] ?? '', answer };
  for (const problem of merchantHeaderProblems(asked, production))
    problems.push(`${method} ${path} ${answer.status}: ${problem}`);
}

/** Several routes may have the same path: its other methods are asked for once. */
const isFirstOfPath = (route: ServedRoute) => routes.find(({ path }) => path === route.path) === route;

/** The variants of a request: caller, body, path and method. */
function waysOf(route: ServedRoute): Request[] {
  const method = route.method.toUpperCase();
  const path = route.path.replace(/\{\w+\}/g, 'none-1');
  const plain = { method, path };
  const readings: Request[] = [
    plain,
    { ...plain, headers: KEY },
    { ...plain, headers: { host: 'evil.example' } },
    { ...plain, headers: { ...KEY, 'accept-language': 'en' }, path: `${path}?lang=en&zz=1` },
    { ...plain, headers: { 'x-forwarded-for': SERVICE_ADDRESS } },
    { ...plain, headers: KEY, path: route.path.replace(/\{\w+\}/g, '%ff') },
    ...(isFirstOfPath(route) ? METHODS : [])
      .filter((other) => other !== method)
      .map((other) => ({ method: other, path, headers: KEY })),
  ];
  // Card data in an address is a 405 that leads to POST.
  if (method === 'GET') return [...readings, { ...plain, path: `${path}?card_number=1` }];
  const bodies: [headers: Record<string, string>, body: string][] = [
    [JSON_TYPE, '{}'],
    [JSON_TYPE, '{"a'],
    [JSON_TYPE, `{"a":"${'x'.repeat(70_000)}"}`],
    [{ ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}'],
    [{ 'content-type': 'application/json; charset=utf-16' }, '{}'],
    [{ 'content-type': 'text/plain' }, 'x'],
    [FORM_TYPE, 'a=1'],
    [{ ...FORM_TYPE, 'sec-fetch-site': 'cross-site' }, 'a=1'],
  ];
  const from = { ...KEY, 'x-forwarded-for': SERVICE_ADDRESS };
  return [
    ...readings,
    ...bodies.map(([headers, body]) => ({ ...plain, headers: { ...from, ...headers }, body })),
  ];
}

/** As it is and with the key; of the other ways one of `every`, so that each way meets many routes. */
function someWaysOf(route: ServedRoute, every = 6): Request[] {
  const [plain, withKey, ...others] = waysOf(route);
  const at = routes.indexOf(route);
  return [plain, withKey, ...others.filter((_, place) => (place + at) % every === 0)] as Request[];
}

async function askAll(server: Server, ways: (route: ServedRoute) => Request[]): Promise<void> {
  for (const route of routes) await Promise.all(ways(route).map((request) => ask(server, request)));
}

test('every answer of every route has its headers, and only pages of a member set a cookie (I9)', async () => {
  await askAll(development(), (route) => someWaysOf(route));
  expect(problems).toEqual([]);
  expect(ids.size).toBeGreaterThanOrEqual(routes.flatMap((route) => someWaysOf(route)).length);
  // The icon has moved (301). Operator pages redirect to their sign-in (303). On a busy machine an answer may be a 503. An option may create something
  // (201), accept work (202), or answer that something has ended (410).
  const others = [...seen].filter((status) => ![201, 202, 301, 303, 410, 503].includes(status));
  expect(others.sort()).toEqual([200, 400, 401, 403, 404, 405, 413, 415]);
});

test('so has every route during a database outage (I9)', async () => {
  await world.withoutDatabase(() =>
    askAll(development(), (route) => [
      { method: route.method.toUpperCase(), path: route.path.replace(/\{\w+\}/g, 'none-1'), headers: KEY },
    ]),
  );
  expect(problems).toEqual([]);
  expect([...seen]).toContain(503);
});

test('so have the answers that need a preparation: created, in conflict, unchanged (I9)', async () => {
  const statusOf = async (method: string, path: string, headers = {}, body = '') =>
    (await ask(development(), { method, path, headers, body })).status;
  const order = { merchant_uid: 'headers-1', name: 'Tea', amount: 1000 };
  const post = (body: object) =>
    statusOf('POST', '/api/orders', { ...KEY, ...JSON_TYPE }, JSON.stringify(body));
  expect(await post(order)).toBe(201);
  expect(await post({ ...order, amount: 1 })).toBe(409);

  const asset = await ask(development(), { method: 'GET', path: '/static/base.css' });
  const known = { 'if-none-match': String(asset.headers['etag']) };
  expect(await statusOf('GET', '/static/base.css', known)).toBe(304);
  expect(problems).toEqual([]);
});

withCardForm(
  'so have the answers to a posted card: registered, in conflict, unclear, declined, expired (I9)',
  async () => {
    const member = createMemberBrowser(world);
    const openForm = async () => ({ ...(await member.openForm()), ...CARD_FORM, register_again: 'on' });
    const register = (fields: Record<string, string>) => {
      const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const body = new URLSearchParams(fields).toString();
      const headers = { ...FORM_TYPE, cookie };
      return ask(development(), { method: 'POST', path: '/cards', headers, body }).then(
        ({ status }) => status,
      );
    };
    const form = await openForm();
    expect(await register(form)).toBe(303);
    expect(await register(form)).toBe(409);
    await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'lost_response' });
    expect(await register(await openForm())).toBe(202);
    await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized', times: 2 });
    expect(await register(await openForm())).toBe(503);
    const old = await openForm();
    await world.advance(3600);
    expect(await register(old)).toBe(410);
    expect(problems).toEqual([]);
  },
);

test.each<[number, string, string]>([
  [400, 'no HTTP', '\x16\x03\x01\x00\xc8\r\n\r\n'],
  [400, 'no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
  [400, 'two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\n\r\n'],
  [200, 'an expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n'],
  [400, 'two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  [431, 'a long header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  [
    413,
    'a long extension of a chunk',
    `POST /webhooks/payments HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${SERVICE_ADDRESS}\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ],
])('so has the %i of a malformed request: %s (I9, B18)', async (status, _name, bytes) => {
  const answer = await exchangeBytes(world.url, bytes);
  expect(answer?.status).toBe(status);
  note(development(), { method: 'GET', path: '/' }, answer as RawAnswer);
  expect(problems).toEqual([]);
});

test('so has a 500 for a bug (I9)', async () => {
  const { logger } = createRecordedLog();
  const context = createContext({
    config: testConfig(),
    clock: createManualClock(),
    logger,
    features: FEATURES,
  });
  const failing = { drain: () => undefined, reasonsNotReady: () => Promise.reject(new Error('a bug')) };
  const { status, headers, text } = await request(createApp(context, failing)).get('/readyz');
  expect(status).toBe(500);
  expect(text).not.toContain('a bug');
  note(development(), { method: 'GET', path: '/readyz' }, { status, headers, body: text });
  expect(problems).toEqual([]);
});

test.each([
  ['/static/base.css', 'br'],
  // Its length would reveal its content to an attacker who controls a part of it.
  ['/cards', undefined],
])('%s is compressed only if it is the same for every client: %s', async (path, encoding) => {
  const answer = await ask(development(), {
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
});

describe('in production', () => {
  let merchant: RunningMerchant;
  let server: Server;
  beforeAll(async () => {
    const config = loadConfig({
      ...PRODUCTION_ENVIRONMENT,
      DATABASE_URL: world.databaseUrl,
      HOST: '127.0.0.1',
      PORT: '0',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const { logger } = createRecordedLog();
    const clock = createManualClock();
    merchant = await startMerchant({ config, clock, logger, role: null });
    server = { url: `http://127.0.0.1:${merchant.port}`, production: true };
  });
  afterAll(() => merchant.close());

  test('every answer of every route has HSTS and upgrades to https (I9)', async () => {
    await askAll(server, (route) =>
      someWaysOf(route, 12).filter(({ headers }) => !asksService(route, headers)),
    );
    const noHttp = await exchangeBytes(server.url, 'x\r\n\r\n');
    note(server, { method: 'GET', path: '/' }, noHttp as RawAnswer);
    expect(problems).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 415]));
  });

  test('the cookie of a member is limited to this host and TLS, and is set once (I3)', async () => {
    const first = await ask(server, { method: 'GET', path: '/cards' });
    expect(cookiesOf(first)).toEqual([expect.stringMatching(/^__Host-member=/)]);
    const cookie = cookiesOf(first)[0]?.split(';', 1)[0] ?? '';
    const again = await ask(server, { method: 'GET', path: '/cards', headers: { cookie } });
    expect([again.status, cookiesOf(again)]).toEqual([200, []]);
    expect(problems).toEqual([]);
  });
});

/** There is no service at the live address, for which these would wait. */
function asksService({ path }: ServedRoute, headers: Record<string, string> = {}): boolean {
  return 'authorization' in headers && /^\/api\/(payments|billing-keys|schedules|members)/.test(path);
}
