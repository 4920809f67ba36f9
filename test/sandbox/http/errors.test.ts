// Every error of the service is an envelope that names what is wrong (§2, §7).

import { DECLINED_CARD } from '../../support/cards';
import { send } from '../../support/raw-http';
import { refused, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

const refusal = (status: number, message: string) => ({
  status,
  body: { code: -1, message: expect.stringContaining(message), response: null },
});

const UNKNOWN = ['/', '/nothing', '/Payments/status/all', '/_sandbox/nothing'];
test.each(UNKNOWN)('answers 404 for an unknown path, also in another case: %s', async (path) => {
  expect(await service.get(path)).toMatchObject(refusal(404, 'path'));
});

test('answers 405 with the allowed methods for another method', async () => {
  const answer = await service.remove('/payments/svc_1');
  expect(answer).toMatchObject(refusal(405, 'method'));
  expect(answer.headers.get('allow')).toBe('GET');
});

test('a refused operation has the status of a query on setting: 400 for bad fields, 404 for what is not there', async () => {
  await service.settings({ operation_errors: 'http' });
  const missing = await service.post('/subscribe/payments/again', {});
  expect(missing).toMatchObject(refusal(400, 'customer_uid: is required'));
  const unknown = await service.post('/payments/cancel', { svc_uid: 'svc_0' });
  expect(unknown).toMatchObject(refusal(404, '취소할 결제건이 존재하지 않습니다.'));
  expect((await service.remove('/subscribe/customers/card-1')).status).toBe(404);
  // What the service declines is a business failure all the same (§7.1).
  expect((await service.issueKey('card-1', { card_number: DECLINED_CARD })).body.code).toBe(1);
});

test('a refused operation of a token keeps its status: 400 for bad fields, and for a body that cannot be read', async () => {
  const names = 'svc_key: is required; svc_secret: is required';
  expect(await service.call('POST', '/users/getToken', {})).toMatchObject(refusal(400, names));
  const headers = { 'content-type': JSON_TYPE };
  const cut = await send(service.url, '/users/getToken', { headers, body: '{"svc_key":' });
  expect(cut.status).toBe(400);
});

test.each([
  ['no JSON', '{"card_number":"4242-4242', 'cannot be read', JSON_TYPE],
  ['an array', '["4242-4242"]', 'must be a JSON object', JSON_TYPE],
  ['nothing', '', 'is required', JSON_TYPE],
  ['too large', JSON.stringify({ name: '4242'.repeat(50_000) }), 'larger than 100kb', JSON_TYPE],
  ['nested too often', `{"custom_data":${'{"a":'.repeat(9000)}1${'}'.repeat(9001)}`, 'nested', JSON_TYPE],
  ['of too many fields', 'a=4242&'.repeat(1001), 'more than 1000 fields', FORM],
  ['in an unknown charset', 'a=4242', 'charset', `${FORM}; charset=x-none`],
])(
  'a body that cannot be read is refused without repeating it: %s',
  async (_, body, message, contentType) => {
    const headers = { 'content-type': contentType, authorization: `Bearer ${await service.signIn()}` };
    const ask = () => send(service.url, '/subscribe/payments/again', { headers, body });
    const { status, body: text } = await ask();
    expect({ status, body: JSON.parse(text) }).toMatchObject(refused(message));
    expect(text).not.toContain('4242');
    await service.settings({ operation_errors: 'http' });
    expect((await ask()).status).toBe(400);
  },
);
