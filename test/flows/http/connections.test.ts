// A server with few places for connections: whoever holds them without a complete request blocks nobody. With the real number:
// test/waiting/connections.test.ts.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import express, { type Response } from 'express';
import { listen, type RunningServer } from '../../../src/merchant/platform/http/http-server';
import { testConfig } from '../../support/config';
import { eventually } from '../../support/eventually';
import { parseAnswer } from '../../support/raw-http';

const PLACES = 20;
const TEXT = 'text/plain';
let server: RunningServer;
/** Of the request that is being served. */
let held: Response | null = null;
const sockets: Socket[] = [];

beforeAll(async () => {
  const app = express();
  app.get('/', (_request, response) => response.end('served'));
  app.get('/held', (_request, response) => {
    held = response;
  });
  app.post('/', express.text(), (_request, response) => response.end('read'));
  server = await listen(app, testConfig(), PLACES);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server.drain({ isGraceful: false }));

async function open(bytes: string, port = server.port): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket.on('error', () => undefined));
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

/** Sends one request over a connection of its own. Null if it is closed without an answer. */
async function statusOf(request: string, port = server.port): Promise<number | null> {
  const socket = await open(request, port);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return parseAnswer(text)?.status ?? null;
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const POST = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${TEXT}\r\nConnection: close\r\nContent-Length: 5\r\n\r\n`;

test.each([
  ['nothing', ''],
  ['one byte', 'G'],
  ['half of their headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Half: '],
  ['half of a body', `${POST}12`],
  ['a request, whose connection they keep', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
])('O7 connections that have sent %s, opened again and again, block no other', async (_name, bytes) => {
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < 2 * PLACES; count += 1) (await open(bytes)).resume();
    expect([await statusOf(GET), await statusOf(`${POST}12345`)]).toEqual([200, 200]);
  }
});

test('O7 a request that is being served is not cut off for them', async () => {
  const socket = await open('GET /held HTTP/1.1\r\nHost: x\r\n\r\n');
  const answered = once(socket, 'data') as Promise<[Buffer]>;
  await eventually(() => held !== null);
  for (let count = 0; count < 3 * PLACES; count += 1) (await open('G')).resume();
  expect(await statusOf(GET)).toBe(200);
  held?.end('held');
  expect(String((await answered)[0])).toContain('200 OK');
});

test('O7 no more connections are held than there are places', async () => {
  for (let count = 0; count < 3 * PLACES; count += 1) (await open('G')).resume();
  await eventually(() => sockets.filter((socket) => !socket.closed).length <= PLACES);
});

test('M10 a stop answers a request that arrived on an idle connection while the host was busy', async () => {
  const app = express().get('/', (_request, response) => response.end('served'));
  const stopping = await listen(app, testConfig());
  const socket = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n', stopping.port);
  await once(socket, 'data');
  const drained = stopping.drain({ isGraceful: true });
  await new Promise((resolve) => setImmediate(resolve));
  socket.write(GET);
  // Nothing is read meanwhile, and the time for closing idle connections passes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
  expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
  await drained;
});

test('M10 a stop answers every request whose connection is in the listen backlog', async () => {
  const app = express().get('/', (_request, response) => response.end('served'));
  const stopping = await listen(app, testConfig());
  // A stop begins in a timer, at the end of its grace period.
  await pause(1);
  const statuses = Array.from({ length: 20 }, () => statusOf(GET, stopping.port).catch(() => null));
  const drained = stopping.drain({ isGraceful: true });
  expect(await Promise.all(statuses)).toEqual(Array(20).fill(200));
  await drained;
});
