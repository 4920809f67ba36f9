// Requests with more header lines than the server reads, and with two lines where one counts, over raw sockets.

import { metric } from '../support/metrics';
import { paySilently, registerOrder } from '../support/orders';
import { sendBytes } from '../support/raw-http';
import { expectNoEffect } from '../support/rows';
import { useWorld } from '../support/use-world';
import { SERVICE_ADDRESS } from '../support/world';

const PATH = '/webhooks/payments';
const JSON_TYPE = 'application/json';
const STRANGER = '6.6.6.6';
const world = useWorld();

/** The genuine notification about a paid order. */
async function paidText(): Promise<string> {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  return JSON.stringify({ abc_uid: svc_uid, merchant_uid: uid, status: 'paid' });
}

/** Header lines as they stand on the wire. */
function postLines(lines: string[], body: string, path = PATH): string {
  const head = [`POST ${path} HTTP/1.1`, `Content-Type: ${JSON_TYPE}`, `Content-Length: ${body.length}`];
  return [...head, ...lines, '', body].join('\r\n');
}
const lineOf = (address: string) => `X-Forwarded-For: ${address}`;
const filler = (count: number) => Array.from({ length: count }, () => 'a:');

test.each<[string, string[]]>([
  ['sender', ['Host: x', lineOf(SERVICE_ADDRESS), ...filler(1_000), lineOf(STRANGER)]],
  [
    'sender and twice as many lines',
    ['Host: x', lineOf(SERVICE_ADDRESS), ...filler(2_000), lineOf(STRANGER)],
  ],
  ['host', [lineOf(SERVICE_ADDRESS), 'Host: x', ...filler(2_000), 'Host: evil.example']],
])(
  'O6 a request with more header lines than are read, its own %s before them, is refused',
  async (_name, lines) => {
    const refused = 'merchant_headers_refused_total{reason="too_many_lines"}';
    const counted = await metric(world, refused);
    const logged = world.log.events('headers_refused').length;
    const body = await paidText();
    const answer = await expectNoEffect(world, () => sendBytes(world.url, postLines(lines, body)));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(await metric(world, refused)).toBe(counted + 1);
    const [line, ...others] = world.log.events('headers_refused').slice(logged);
    expect([line, others]).toMatchObject([{ reason: 'too_many_lines', peer: '127.0.0.1' }, []]);
  },
);

test('O6 such a request is refused on every route', async () => {
  for (const path of ['/cards', '/api/orders', '/operator', '/healthz', '/static/none', '/none']) {
    const bytes = postLines(['Host: localhost', ...filler(1_000)], '', path);
    expect([path, await sendBytes(world.url, bytes)]).toEqual([path, expect.stringContaining(' 431 ')]);
  }
});

test('O6 with 900 header lines, the address that the proxy has appended counts', async () => {
  const sentFor = async (address: string) => {
    const lines = ['Host: x', lineOf(STRANGER), ...filler(900), lineOf(address)];
    return await sendBytes(world.url, postLines(lines, await paidText()));
  };
  expect(await sentFor(SERVICE_ADDRESS)).toContain(' 200 ');
  expect(await sentFor(STRANGER)).toContain(' 403 ');
});

test('O6 the address and the host of a trailer are ignored', async () => {
  const body = await paidText();
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n${lineOf(SERVICE_ADDRESS)}\r\nHost: y\r\n\r\n`;
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${lineOf(STRANGER)}\r\nTransfer-Encoding: chunked`;
  expect(await sendBytes(world.url, `${head}\r\nTrailer: Host\r\n\r\n${chunks}`)).toContain(' 403 ');
});

test.each([
  ['Content-Type', ['text/plain', JSON_TYPE]],
  ['Authorization', ['Bearer a', 'Bearer b']],
  ['Origin', ['http://localhost', 'http://localhost']],
  ['Sec-Fetch-Site', ['same-origin', 'cross-site']],
])('O6 a request with two lines of %s is refused', async (name, values) => {
  const lines = values.map((value) => `${name}: ${value}\r\n`).join('');
  const bytes = `POST /cards HTTP/1.1\r\nHost: localhost\r\n${lines}Content-Length: 0\r\n\r\n`;
  expect(await sendBytes(world.url, bytes)).toContain(' 400 ');
});

test('a request that names more than a hundred senders is refused before any is parsed, and logged', async () => {
  const body = await paidText();
  const senders = (count: number) => [...Array<string>(count).fill(STRANGER), SERVICE_ADDRESS].join(', ');
  const notify = () => sendBytes(world.url, postLines(['Host: x', lineOf(senders(100))], body));
  expect(await expectNoEffect(world, notify)).toContain(' 431 ');
  expect(world.log.events('headers_refused').at(-1)).toMatchObject({ reason: 'too_many_addresses' });
  expect(await sendBytes(world.url, postLines(['Host: x', lineOf(senders(99))], body))).toContain(' 200 ');
});
