// Other clients than the merchant's are served too: they spell the same requests differently, and use other versions
// of HTTP.

import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { CARD } from '../../support/cards';
import { send } from '../../support/raw-http';
import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
let token: string;
beforeEach(async () => {
  token = await service.signIn();
  await service.issueKey('card-1');
});

/** Sends exactly these bytes and returns everything received until the connection ends. */
function bytes(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(service.sandbox.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

test('serves HTTP/1.0 without a Host header, as old proxies speak', async () => {
  const answer = await bytes(`GET /payments/status/all HTTP/1.0\r\nAuthorization: ${token}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*content-length: \d+[^]*"total":0/i);
});

test('closes the line on Connection: close, and keeps it for the next request otherwise', async () => {
  const closed = await bytes('GET /payments HTTP/1.1\r\nHost: sandbox\r\nConnection: close\r\n\r\n');
  expect(closed).toMatch(/connection: close/i);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const localPort = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${service.url}/payments`, { agent }, (response) => {
        const port = call.socket?.localPort;
        response.resume().on('end', () => resolve(port));
      });
      call.on('error', reject).end();
    });
  const first = await localPort();
  expect(await localPort()).toBe(first);
  agent.destroy();
});

test('takes a body in chunks and after a 100 Continue', async () => {
  const body = JSON.stringify({ svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' });
  const chunked = await bytes(
    `POST /users/getToken HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json; charset=UTF-8\r\n` +
      `Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
  expect(chunked).toContain('HTTP/1.1 100 Continue');
  expect(chunked).toContain('"access_token"');
});

test.each(['Bearer %', 'bearer %', 'BEARER   %', '%'])('takes the token as "%s"', async (form) => {
  const authorization = form.replace('%', token);
  expect((await service.call('GET', '/payments/status/all', undefined, { authorization })).status).toBe(200);
});

test('takes a slash at the end of a path and an encoded id', async () => {
  await service.issueKey(encodeURIComponent('user@shop_1'));
  const { body } = await service.get('/subscribe/customers/user%40shop_1/');
  expect(body.response.customer_uid).toBe('user@shop_1');
});

test('takes empty form fields as absent', async () => {
  const order = { customer_uid: 'card-1', merchant_uid: 'order-1', amount: '1000', name: '책' };
  const form = new URLSearchParams({ ...order, buyer_name: '', card_quota: '', notice_url: '' });
  expect((await service.post('/subscribe/payments/again', form)).body.code).toBe(0);
  expect((await service.get('/payments/status/paid?page=&limit=&from=&to=&sorting=')).status).toBe(200);
});

test('takes a form whose fields are joined by "& "', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'svc_key=sandbox_key& svc_secret=sandbox_secret';
  const answer = await send(service.url, '/users/getToken', { headers, body });
  expect(JSON.parse(answer.body).response.access_token).toBe(token);
});

test('reads no body of a DELETE: some clients send the JSON of null', async () => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': 4,
  };
  const path = '/subscribe/customers/card-1';
  const answer = await send(service.url, path, { method: 'DELETE', headers, body: 'null' });
  expect(JSON.parse(answer.body)).toMatchObject({ code: 0, response: { customer_uid: 'card-1' } });
});

test('takes a hundred ids in brackets', async () => {
  const { svc_uid } = await service.pay();
  const ids = Array.from({ length: 99 }, (_, index) => `svc_uid[]=svc_${index}`);
  const answer = await service.get(`/payments?${ids.join('&')}&svc_uid[]=${svc_uid}`);
  expect([answer.status, answer.body.response.length]).toEqual([207, 1]);
});

test('ignores fields that it does not know', async () => {
  const answer = await service.issueKey('card-1', { ...CARD, card_token: 'x', extra: { deep: [1] } });
  expect(answer.body.code).toBe(0);
});
