// Calls that move money have their own connections, and a request that never left says so.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPaymentService } from '../../../src/merchant/payment-service/payment-service';
import { withDeadline } from '../../../src/merchant/payment-service/transport/deadline';
import { createHttp } from '../../../src/merchant/payment-service/transport/http';
import { createManualClock } from '../../support/clock';
import { eventually } from '../../support/eventually';
import { sendEnvelope } from '../../support/recording-service';
import { factsOf } from '../../support/start-client';

let server: Server;
let url: string;
let received: string[];

/** Answers a token call, and an issuance; a query is never answered. */
beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (request.url === '/users/getToken')
      return sendEnvelope(response, { access_token: 'token', now: 1_000_000_000, expired_at: 1_000_001_800 });
    if (request.method === 'POST') sendEnvelope(response, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('M18 a request that waited for a connection until its deadline is unreachable: it cannot have happened', async () => {
  const http = createHttp(1);
  const send = (path: string, timeoutMs: number) =>
    withDeadline(timeoutMs, (deadline) => {
      const request = { method: 'GET', url: `${url}/${path}`, path: `/${path}`, headers: {} } as const;
      return http.send({ ...request, deadline, maxBytes: 1_000 });
    });
  const first = factsOf(send('first', 2_000));
  await eventually(() => received.includes('GET /first'));
  expect(await factsOf(send('second', 200))).toMatchObject({
    kind: 'unreachable',
    detail: 'deadline passed without a connection',
    mayHaveHappened: false,
  });
  expect(await first).toMatchObject({ kind: 'no_answer', mayHaveHappened: true });
  expect(received).toEqual(['GET /first']);
});

test('N2 what only visitors ask for takes eight connections at most, and delays no other query and no issuance', async () => {
  const service = createPaymentService({
    service: { baseUrl: url, key: 'key', secret: 'secret', namePrefix: 'svc', newer: null },
    clock: createManualClock(),
    timeoutMs: 3_000,
  });
  const fetched = () => received.filter((each) => each.startsWith('GET /payments/'));
  const looks = Array.from({ length: 40 }, (_, n) =>
    factsOf(service.findPayment(`svc_visited_${n}`, { line: 'visitors' })),
  );
  await eventually(() => fetched().length === 8);
  const query = factsOf(service.findPayment('svc_notified'));
  await eventually(() => fetched().includes('GET /payments/svc_notified'));
  const card = { cardNumber: '4242-4242-4242-4242', expiry: '2030-01', birth: '900101', pwd2digit: '00' };
  await service.issueBillingKey('c1', card);
  expect(fetched()).toHaveLength(9);
  await Promise.all([...looks, query]);
});

test('M18 queries that hang on all of their connections keep no issuance and no token call waiting', async () => {
  const service = createPaymentService({
    service: { baseUrl: url, key: 'key', secret: 'secret', namePrefix: 'svc', newer: null },
    clock: createManualClock(),
    timeoutMs: 3_000,
  });
  const queries = Array.from({ length: 300 }, (_, n) => factsOf(service.findPayment(`svc_${n}`)));
  await eventually(() => received.filter((each) => each.startsWith('GET')).length === 256);
  const card = { cardNumber: '4242-4242-4242-4242', expiry: '2030-01', birth: '900101', pwd2digit: '00' };
  await service.issueBillingKey('c1', card);
  expect(received.filter((each) => each.startsWith('POST'))).toEqual([
    'POST /users/getToken',
    'POST /subscribe/customers/c1',
  ]);
  await service.getServerTime();
  const kinds = (await Promise.all(queries)).map(({ kind }) => kind);
  // When the first ones give up, others are given their connections for the rest of their own time.
  expect(['no_answer', 'unreachable']).toEqual(expect.arrayContaining([...new Set(kinds)]));
});
