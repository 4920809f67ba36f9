// Other clients than the merchant's are served too: they spell the same requests differently.

import { send } from '../../support/raw-http';
import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
let token: string;
beforeEach(async () => {
  token = await service.signIn();
  await service.issueKey('card-1');
});

test.each(['bearer %', 'BEARER   %'])('takes the token as "%s"', async (form) => {
  const authorization = form.replace('%', token);
  expect((await service.call('GET', '/payments/status/all', undefined, { authorization })).status).toBe(200);
});

test('takes empty form fields as absent', async () => {
  const order = { customer_uid: 'card-1', merchant_uid: 'order-1', amount: '1000', name: '책' };
  const form = new URLSearchParams({ ...order, buyer_name: '', card_quota: '', notice_url: '' });
  expect((await service.post('/subscribe/payments/again', form)).body.code).toBe(0);
  expect((await service.get('/payments/status/paid?page=&limit=&from=&to=&sorting=')).status).toBe(200);
});

test.each([
  ['application/x-www-form-urlencoded', 'svc_key=sandbox_key& svc_secret=sandbox_secret'],
  ['application/json; charset=UTF-8', '{"svc_key":"sandbox_key","svc_secret":"sandbox_secret","more":[1]}'],
])('takes a form joined by "& ", and JSON with its charset and unknown fields: %s', async (type, body) => {
  const answer = await send(service.url, '/users/getToken', { headers: { 'content-type': type }, body });
  expect(JSON.parse(answer.body).response.access_token).toBe(token);
});
