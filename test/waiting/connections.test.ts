// A process's connections, with real sockets and in real time: slow ones are closed, idle ones stay open for the proxy in front, and
// one peer cannot block the others. On loopback a client can choose its address.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { merchantHeaderProblems } from '../support/answer-headers';
import { API_KEY } from '../support/config';
import { eventually } from '../support/eventually';
import { parseAnswer } from '../support/raw-http';
import { useWorld } from '../support/use-world';
import { SERVICE_ADDRESS } from '../support/world';

const PROXY = '127.0.0.1';
const GREEDY = '127.0.1.1';
const OTHER = '127.0.1.2';
/** The slow senders continue for longer than their limits of 10 or 15 s plus the delay of a busy machine. */
const SENDER_ENDS_MS = 60_000;
const HEADERS = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';

const world = useWorld({ environment: { TRUSTED_PROXIES: PROXY } });
const sockets: Socket[] = [];
/** Slow requests, which continue while the other tests run. */
let slow: Promise<Record<'headers' | 'body' | 'half', Slow>>;
let idleBefore: Socket;
beforeAll(async () => {
  idleBefore = await open(PROXY);
  expect(await answerTo(idleBefore)).toContain('200 OK');
  slow = sendSlowly();
  sockets.length = 0;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => idleBefore.destroy());

test('an idle connection is kept for longer than the 60 s of nginx (M10)', async () => {
  expect(await answerTo(await open(PROXY))).toMatch(/Keep-Alive: timeout=(6[5-9]|7[0-5])\r\n/);
});

test('a request is answered while many peers hold 2,000 idle connections (B22)', async () => {
  const idle = await Promise.all(
    Array.from({ length: 10 }, (_, index) => openMany(`127.0.2.${index + 1}`, 200)),
  );
  expect(await answerTo(await open(OTHER))).toContain('200 OK');
  expect(stillOpen(idle.flat())).toBe(2_000);
});

test('a connection whose headers arrive slowly is closed within 12 s (B19)', async () => {
  const { headers } = await slow;
  expectCutOffAfter(headers, 9_000);
  expect(await answerTo(idleBefore)).toContain('200 OK');
});

test('a connection whose body arrives slowly or stops is closed within 16 s (B20)', async () => {
  const { body, half } = await slow;
  for (const each of [body, half]) {
    expectCutOffAfter(each, 14_000);
  }
  expect(await world.rows.query('select merchant_uid from orders')).toEqual([]);
  expect(await world.rows.query('select svc_uid from notifications')).toEqual([]);
});

test('one peer with four thousand connections blocks no other, because unused connections are closed (M22)', async () => {
  const held = await openMany(GREEDY, 4_000);
  const used = held.at(-1) as Socket;
  await eventually(() => stillOpen(held) < 4_000);
  expect(await answerTo(await open(OTHER))).toContain('200 OK');
  for (const socket of held) socket.destroy();
  expect(used.destroyed).toBe(true);
});

/** `ms` from the first byte to the end of the connection. */
type Slow = { ms: number; text: string };

async function sendSlowly(): Promise<Record<'headers' | 'body' | 'half', Slow>> {
  // The sender would have needed a minute.
  const order = ' '.repeat(80) + JSON.stringify({ merchant_uid: 'slow', name: 'Tea', amount: 1000 });
  const notice = JSON.stringify({ abc_uid: 'svc_1', merchant_uid: 'slow', status: 'paid' });
  const post = (path: string, text: string, header: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n${header}\r\n\r\n`;
  const [headers, body, half] = await Promise.all([
    drip(HEADERS, () => 'X-Slow: 1\r\n'),
    drip(post('/api/orders', order, `Authorization: Bearer ${API_KEY}`), (turn) => order[turn] ?? ''),
    drip(post('/webhooks/payments', notice, `X-Forwarded-For: ${SERVICE_ADDRESS}`) + notice.slice(0, -1)),
  ]);
  return { headers, body, half };
}

/** Writes a beginning, and something more twice a second. */
async function drip(beginning: string, more?: (turn: number) => string): Promise<Slow> {
  const began = performance.now();
  const socket = connect({ port: portOf(), host: '127.0.0.1', localAddress: PROXY });
  let text = '';
  let turn = 0;
  socket.on('error', () => undefined).on('data', (chunk) => (text += String(chunk)));
  socket.write(beginning);
  const timer = setInterval(() => more && socket.write(more(turn++)), 500);
  await once(socket, 'close');
  clearInterval(timer);
  return { ms: performance.now() - began, text };
}

/** Node.js closes the connection, with the headers of every answer, long before the sender would have ended. */
function expectCutOffAfter({ ms, text }: Slow, leastMs: number): void {
  expect(ms).toBeGreaterThan(leastMs);
  expect(ms).toBeLessThan(SENDER_ENDS_MS);
  const answer = parseAnswer(text);
  expect(answer?.status).toBe(408);
  expect(answer && merchantHeaderProblems({ method: 'GET', path: '/', answer }, false)).toEqual([]);
}

const portOf = () => Number(new URL(world.url).port);

async function open(localAddress: string): Promise<Socket> {
  const socket = connect({ port: portOf(), host: '127.0.0.1', localAddress });
  sockets.push(socket.on('error', () => undefined));
  await once(socket, 'connect');
  return socket;
}

/** Reads from each, so that its end is detected. */
async function openMany(localAddress: string, count: number): Promise<Socket[]> {
  const opened: Socket[] = [];
  while (opened.length < count) {
    const more = Array.from({ length: Math.min(200, count - opened.length) }, () => open(localAddress));
    for (const socket of await Promise.all(more)) opened.push(socket.resume());
  }
  return opened;
}

const stillOpen = (opened: Socket[]): number => opened.filter((socket) => !socket.closed).length;

/** Sends one request and resolves with the head of its answer. */
async function answerTo(socket: Socket): Promise<string> {
  const answered = once(socket, 'data') as Promise<[Buffer]>;
  socket.write(`${HEADERS}\r\n`);
  return String((await answered)[0]);
}
