// Billing keys are issued, shown, replaced and deleted (§1, §2.2, §2.3, §4.2, §4.7, §4.9).

import { CARD, DECLINED_CARD } from '../../support/cards';
import { NOW, refused, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const show = (customerUid = 'card-1') => service.get(`/subscribe/customers/${customerUid}`);
const query = (text: string) => service.get(`/subscribe/customers?${text}`);

test('takes a form, a ten-digit business number and a pg, and a leap day of either century', async () => {
  const form = new URLSearchParams({ ...CARD, birth: '1234567891', pg: 'tosspayments.shop_1' });
  const answer = await service.post('/subscribe/customers/card-1', form);
  expect(answer.body.response).toMatchObject({ pg_provider: 'tosspayments', pg_id: 'shop_1' });
  for (const birth of ['000229', '880229'])
    expect((await service.issueKey('card-1', { birth })).body.code).toBe(0);
});

test.each(Object.keys(CARD))('requires %s and names it', async (field) => {
  expect(await service.issueKey('card-1', { [field]: undefined })).toMatchObject(refused(field));
});

test.each([
  ['card_number', ['4242424242424242', '4242-4242-4242-424', ['4242-4242-4242-4242']]],
  ['expiry', ['2030-13', '12/30']],
  ['birth', ['1988-01-01', 880101, '901315', '900230', '010229']],
  ['pwd_2digit', ['123', '１２']],
])('refuses %s in another form without repeating it', async (field, values) => {
  for (const value of values) {
    const answer = await service.issueKey('card-1', { [field]: value });
    expect(answer).toMatchObject(refused(field));
    expect(answer.text).not.toContain(String(value));
  }
  expect((await show()).status).toBe(404);
});

test('replaces the key of a customer_uid that already holds one, and keeps it when the new card is refused', async () => {
  await service.issueKey('card-1');
  await service.advance(60);
  await service.issueKey('card-1', { card_number: '5555-6666-7777-8888' });
  await service.issueKey('card-1', { card_number: DECLINED_CARD });
  const times = { inserted: NOW + 60, updated: NOW + 60 };
  expect((await show()).body.response).toMatchObject({ card_number: '5555-66**-****-8888', ...times });
});

test('answers an array of records with every field of §2.3', async () => {
  await service.issueKey('card-1', { customer_name: '홍길동' });
  const answer = await query('customer_uid[]=card-1');
  expect(answer.status).toBe(200);
  expect(answer.body.response).toEqual([
    {
      code: 0,
      message: null,
      customer_uid: 'card-1',
      pg_provider: 'nice',
      pg_id: expect.any(String),
      card_name: expect.any(String),
      card_code: expect.stringMatching(/^\d{3}$/),
      card_number: '5409-13**-****-9012',
      card_type: expect.stringMatching(/^[01]$/),
      customer_name: '홍길동',
      customer_tel: null,
      customer_email: null,
      customer_addr: null,
      customer_postcode: null,
      inserted: NOW,
      updated: NOW,
      sandbox: false,
    },
  ]);
});

test('keys are of a test channel where the key was issued while `test_channel` was set, and stay so', async () => {
  await service.settings({ test_channel: true });
  await service.issueKey('card-1');
  await service.settings({ test_channel: false });
  expect((await show()).body.response.sandbox).toBe(true);
});

test.each([
  'customer_uid[]=card-1&customer_uid[]=card-2',
  'customer_uid[0]=card-1&customer_uid[1]=card-2',
  'customer_uid=card-1&customer_uid=card-2',
])('takes several keys in each way that arrays are written: %s', async (both) => {
  await service.issueKey('card-1');
  await service.issueKey('card-2');
  const { body } = await query(both);
  expect(body.response.map((key: any) => key.customer_uid)).toEqual(['card-1', 'card-2']);
});

test('answers 404 where no key is known, 207 where some are missing, 400 where none is named', async () => {
  await service.issueKey('card-1');
  expect((await query('customer_uid[]=nobody')).status).toBe(404);
  expect((await query('customer_uid[]=card-1&customer_uid[]=nobody')).status).toBe(207);
  const message = 'customer_uid: is required';
  expect(await query('')).toMatchObject({ status: 400, body: { message } });
});

test('a key is shown and, once deleted, gone', async () => {
  await service.issueKey('card-1');
  const found = { code: 0, response: { customer_uid: 'card-1' } };
  expect((await show()).body).toMatchObject(found);
  expect((await service.remove('/subscribe/customers/card-1')).body).toMatchObject(found);
  const message = '요청하신 customer_uid(card-1)로 등록된 정보를 찾을 수 없습니다.';
  const gone = { status: 404, body: { code: -1, message, response: null } };
  expect(await show()).toMatchObject(gone);
  expect(await service.remove('/subscribe/customers/card-1')).toMatchObject(refused(message));
  expect((await show('4242-4242-4242-4242')).body.message).toContain('customer_uid(4242****)');
});
