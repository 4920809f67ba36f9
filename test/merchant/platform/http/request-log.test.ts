// The content of a request's log line, and what it must not contain. There is no database, so requests are refused.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../../src/merchant/app';
import { FEATURES } from '../../../../src/merchant/features';
import { createContext } from '../../../../src/merchant/platform/context';
import { createReadiness } from '../../../../src/merchant/platform/readiness';
import { createManualClock } from '../../../support/clock';
import { testConfig } from '../../../support/config';
import { createRecordedLog } from '../../../support/log';
import { send } from '../../../support/raw-http';
import { SERVICE_ADDRESS } from '../../../support/world';

const log = createRecordedLog();
const config = testConfig({ TRUSTED_PROXIES: '127.0.0.1', SERVICE_NAME_PREFIX: 'svc' });
const context = createContext({ config, clock: createManualClock(), logger: log.logger, features: FEATURES });
const server = createServer(createApp(context, createReadiness(context)));
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => log.clear());

async function lineOf(path: string, headers: Record<string, string> = {}, method = 'GET') {
  await send(url, path, { method, headers });
  const [line] = await log.requests({});
  return line as { req: { path: string }; source?: string | null };
}

test.each([
  ['http://shop.example.com/api/members/m-1/cards?after=1', '/api/members/{member_id}/cards'],
  ['HTTP://shop.example.com:3000/API/members/m-1', '/API/members/{member_id}'],
  ['//api/members/m-1/cards', '//api/members/{member_id}/cards'],
  ['/api/orders/5409%2D1357%2D2468%2D9012', '/api/orders/540913******9012'],
  // The first two hundred characters of a long one.
  [`/${'x'.repeat(300)}`, `/${'x'.repeat(199)}`],
])('the log has for the target %s: %s', async (target, path) => {
  expect((await lineOf(target)).req.path).toBe(path);
  expect(log.text()).not.toContain('m-1');
});

// source-address.test.ts has every form of a sender.
// test/flows/http/answer-headers.test.ts shows that it is never the one that the client sent.
test('an answer has the id of its log line', async () => {
  const answer = await send(url, '/nothing', { method: 'GET' });
  const lines = await log.requests({});
  expect(lines).toMatchObject([{ req: { id: answer.headers['x-request-id'] }, res: { status: 404 } }]);
});

test('a 503 of the webhook has the request id of its error line', async () => {
  const body = JSON.stringify({ svc_uid: 'svc_nowhere', merchant_uid: 'order-503', status: 'paid' });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS };
  const answer = await send(url, '/webhooks/payments', { headers, body });
  expect(answer.status).toBe(503);
  await log.requests({});
  const request_id = answer.headers['x-request-id'];
  expect(log.events('notification_not_stored')).toMatchObject([{ request_id }]);
});

test('the lines of a refused page and its request have the address that the trusted proxy has seen', async () => {
  const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.7', 'sec-fetch-site': 'cross-site' };
  expect((await lineOf('/cards', headers, 'POST')).source).toBe('203.0.113.7');
  expect(log.text()).not.toContain('6.6.6.6');
  const refusal = { level: 40, source: '203.0.113.7', request_id: expect.any(String) };
  expect(log.events('page_refused')).toMatchObject([{ ...refusal, reason: 'cross_site' }]);
});
