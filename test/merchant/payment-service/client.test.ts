// The transport ends every call with an answer or with one kind of error, whatever the server does with the connection.
// Calls that move money have their own connections, and the error of a request that was not sent says so.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AxiosAdapter } from 'axios';
import { createPaymentService } from '../../../src/merchant/payment-service/payment-service';
import { createClient } from '../../../src/merchant/payment-service/transport/client';
import { LEGACY } from '../../../src/merchant/payment-service/transport/envelope';
import { createUndiciAdapter } from '../../../src/merchant/payment-service/transport/undici-adapter';
import { wireNames } from '../../../src/merchant/payment-service/transport/wire-names';
import { CARD_INPUT } from '../../support/cards';
import { createManualClock } from '../../support/clock';
import { eventually } from '../../support/eventually';
import { factsOf, sendEnvelope } from '../../support/service-client';
import { noteTimers } from '../../support/timers';

let server: Server;
afterEach(stop);

/** Stops listening and cuts every connection. */
async function stop(): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The limit only ends a hang: events end all waits of a call. */
const LIMIT_MS = 60_000;

type Options = { path?: string; body?: object; timeoutMs?: number; adapter?: AxiosAdapter };

/** One request without a token, like a token call. */
function ask(baseURL: string, options: Options = {}) {
  const { path = '/asked', body, timeoutMs = LIMIT_MS, adapter = createUndiciAdapter(10) } = options;
  const { client } = createClient({
    baseURL,
    adapter,
    timeoutMs,
    generation: LEGACY,
    signIn: { path, body: {}, read: () => ({ token: 'none', lifetimeMs: 0, serverNow: null }) },
    names: wireNames('abc'),
    secrets: [],
    clock: createManualClock(),
    onCall: () => undefined,
  });
  const method = body === undefined ? 'GET' : 'POST';
  return client.request<unknown>({ method, url: path, data: body, template: '/payments/{svc_uid}' });
}

test.each([301, 307])(
  'E18: a %d redirect is not followed and the request is not repeated',
  async (status) => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(status, { Location: '/elsewhere' }).end();
    });
    const facts = await factsOf(ask(url, { body: { card_number: '4242' } }));
    expect(facts).toMatchObject({ kind: 'bad_answer', status, detail: 'a redirect, not followed' });
    expect(requests).toBe(1);
  },
);

test('E17: an answer is cut off at its size limit, compressed or not', async () => {
  const megabytes = Buffer.alloc(20_000_000, 'a');
  const url = await serve((request, response) => {
    if (request.url === '/plain') return response.end(megabytes);
    return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(megabytes));
  });
  const tooLarge = { kind: 'bad_answer', detail: 'the answer is too large' };
  expect(await factsOf(ask(url, { path: '/plain' }))).toMatchObject(tooLarge);
  expect(await factsOf(ask(url))).toMatchObject({ kind: 'bad_answer', detail: 'the answer is packed' });
});

test('E14, E15: a call without an answer, or with a slow one, ends at its time limit', async () => {
  const timers = noteTimers();
  // The time passes once the request has arrived, however long that takes.
  const passes = () => timers.findLast(({ ms }) => ms === LIMIT_MS)?.pass();
  const url = await serve((request, response) => {
    if (request.url === '/drip') response.write(' ', () => setImmediate(passes));
    else passes();
  });
  for (const path of ['/silent', '/drip']) {
    const facts = await factsOf(ask(url, { path }));
    expect(facts).toMatchObject({ kind: 'no_answer', detail: 'deadline passed', mayHaveHappened: true });
  }
  jest.restoreAllMocks();
});

test('a call whose connection breaks after the request may have been executed', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/half') response.writeHead(200, { 'Content-Length': '100' }).write('{"code"');
    // One turn of the event loop later, when the written bytes were sent.
    setImmediate(() => request.socket.destroy());
  });
  for (const path of ['/none', '/half']) {
    const facts = await factsOf(ask(url, { path, body: {} }));
    expect(facts).toMatchObject({ kind: 'no_answer', mayHaveHappened: true });
  }
});

test('E13: a refused connection or an unknown host means that the call was not sent', async () => {
  const url = await serve(() => undefined);
  await stop();
  const refused = { kind: 'unreachable', detail: 'ECONNREFUSED', mayHaveHappened: false };
  expect(await factsOf(ask(url, { body: {} }))).toMatchObject(refused);
  for (const nowhere of [url.replace('127.0.0.1', 'localhost'), 'http://service.invalid'])
    expect(await factsOf(ask(nowhere))).toMatchObject({ kind: 'unreachable' });
});

describe('E25: a proxy of the host', () => {
  const proxyNames = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
  beforeEach(() => proxyNames.forEach((name) => (process.env[name] = 'http://127.0.0.1:1')));
  afterEach(() => proxyNames.forEach((name) => delete process.env[name]));

  test('a proxy variable of the host is ignored', async () => {
    const url = await serve((_, response) => sendEnvelope(response, 'here'));
    expect((await ask(url)).data).toBe('here');
  });
});

describe('connections', () => {
  let url: string;
  let received: string[];

  /** Answers a token call, and an issuance; a query is never answered. */
  beforeEach(async () => {
    received = [];
    url = await serve((request, response) => {
      received.push(`${request.method} ${request.url?.split('?')[0]}`);
      const token = { access_token: 'token', now: 1_000_000_000, expired_at: 1_000_001_800 };
      if (request.url === '/users/getToken') return sendEnvelope(response, token);
      if (request.method === 'POST') sendEnvelope(response, {});
    });
  });

  const receivedOf = (begin: string) => received.filter((each) => each.startsWith(begin));
  const openService = () =>
    createPaymentService({
      service: { baseUrl: url, key: 'key', secret: 'secret', namePrefix: 'svc', newer: null },
      clock: createManualClock(),
      timeoutMs: LIMIT_MS,
    });

  test('M18 a request that got no connection by its deadline ends as unreachable: it was not sent', async () => {
    const adapter = createUndiciAdapter(1);
    const first = factsOf(ask(url, { path: '/first', adapter }));
    await eventually(() => received.includes('GET /first'));
    const second = ask(url, { path: '/second', adapter, timeoutMs: 50 });
    const detail = 'deadline passed without a connection';
    expect(await factsOf(second)).toMatchObject({ kind: 'unreachable', detail, mayHaveHappened: false });
    await stop();
    expect(await first).toMatchObject({ kind: 'no_answer', mayHaveHappened: true });
    expect(received).toEqual(['GET /first']);
  });

  test('N2 queries of visitors use at most eight connections, and delay no other query and no issuance', async () => {
    const service = openService();
    const looks = Array.from({ length: 40 }, (_, n) =>
      factsOf(service.findPayment(`svc_visited_${n}`, { channel: 'visitors' })),
    );
    await eventually(() => receivedOf('GET /payments/').length === 8);
    const query = factsOf(service.findPayment('svc_notified'));
    await eventually(() => received.includes('GET /payments/svc_notified'));
    await service.issueBillingKey('c1', CARD_INPUT);
    expect(receivedOf('GET /payments/')).toHaveLength(9);
    await stop();
    await Promise.all([...looks, query]);
  });

  test('M18 queries that hang on all their connections delay no issuance and no token call', async () => {
    const service = openService();
    const queries = Array.from({ length: 300 }, (_, n) => factsOf(service.findPayment(`svc_${n}`)));
    await eventually(() => receivedOf('GET').length === 256);
    await service.issueBillingKey('c1', CARD_INPUT);
    await service.getServerTime();
    const token = 'POST /users/getToken';
    expect(receivedOf('POST')).toEqual([token, 'POST /subscribe/customers/c1', token]);
    await stop();
    const kinds = new Set((await Promise.all(queries)).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['no_answer', 'unreachable']);
  });
});
