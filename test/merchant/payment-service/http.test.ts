// The transport ends every call with an answer or with one kind of error, whatever the server does with the
// connection.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { withDeadline } from '../../../src/merchant/payment-service/transport/deadline';
import { createHttp } from '../../../src/merchant/payment-service/transport/http';
import { factsOf } from '../../support/start-client';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

const TOKEN = { Authorization: 'Bearer token' };

function ask(url: string, options: { body?: string; timeoutMs?: number; maxBytes?: number } = {}) {
  const { body, timeoutMs = 5_000, maxBytes = 1_000_000 } = options;
  const method = body === undefined ? 'GET' : 'POST';
  const request = { method, url, path: '/payments/{svc_uid}', headers: TOKEN, body, maxBytes } as const;
  return withDeadline(timeoutMs, (deadline) => createHttp(10).send({ ...request, deadline }));
}

test('any status comes back as text, unparsed', async () => {
  const url = await serve((_, response) => response.writeHead(503, { 'Retry-After': '7' }).end('{"code":0}'));
  const answer = await ask(url);
  expect([answer.status, answer.text, answer.headers['retry-after']]).toEqual([503, '{"code":0}', '7']);
});

test.each([301, 302, 303, 307, 308])(
  'E18: a %d is not followed and nothing is sent again',
  async (status) => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(status, { Location: '/elsewhere' }).end();
    });
    expect((await ask(url, { body: '{"card_number":"4242"}' })).status).toBe(status);
    expect(requests).toBe(1);
  },
);

test('E17: an answer is cut at its limit, packed or not', async () => {
  const megabytes = Buffer.alloc(20_000_000, 'a');
  let url = await serve((_, response) => response.end(megabytes));
  expect(await factsOf(ask(url))).toMatchObject({ kind: 'bad_answer', detail: 'the answer is too large' });
  server?.closeAllConnections();
  server?.close();
  const bomb = gzipSync(megabytes);
  url = await serve((_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb));
  expect(await factsOf(ask(url))).toMatchObject({ kind: 'bad_answer', detail: 'the answer is packed' });
});

test('E14, E15: silence and dripping end at the deadline', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/silent') return;
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  for (const path of ['/silent', '/drip']) {
    const startedMs = performance.now();
    expect(await factsOf(ask(url + path, { timeoutMs: 150 }))).toMatchObject({
      kind: 'no_answer',
      detail: 'deadline passed',
      mayHaveHappened: true,
    });
    expect(performance.now() - startedMs).toBeLessThan(1_500);
  }
});

test('a line that is cut after the request may have done its work', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/half') response.writeHead(200, { 'Content-Length': '100' }).write('{"code"');
    // A turn of the event loop later, when what was written has been sent.
    setImmediate(() => request.socket.destroy());
  });
  for (const path of ['/none', '/half']) {
    expect(await factsOf(ask(url + path, { body: '{}' }))).toMatchObject({
      kind: 'no_answer',
      mayHaveHappened: true,
    });
  }
});

test('E13: what was refused or has no name never reached the service', async () => {
  const url = await serve(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  expect(await factsOf(ask(url, { body: '{}' }))).toMatchObject({
    kind: 'unreachable',
    detail: 'ECONNREFUSED',
    mayHaveHappened: false,
  });
  expect(await factsOf(ask(url.replace('127.0.0.1', 'localhost')))).toMatchObject({ kind: 'unreachable' });
  expect(await factsOf(ask('http://service.invalid/'))).toMatchObject({ kind: 'unreachable' });
});

test('an answer that is not HTTP is a bad answer', async () => {
  const url = await serve((request) => request.socket.end('hello, this is no HTTP\r\n\r\n'));
  expect(await factsOf(ask(url))).toMatchObject({ kind: 'bad_answer' });
});

describe('E25: a proxy of the host', () => {
  const proxyNames = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
  beforeEach(() => proxyNames.forEach((name) => (process.env[name] = 'http://127.0.0.1:1')));
  afterEach(() => proxyNames.forEach((name) => delete process.env[name]));

  test('is ignored', async () => {
    const url = await serve((_, response) => response.end('here'));
    expect((await ask(url)).text).toBe('here');
  });
});
