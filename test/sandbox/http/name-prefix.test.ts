// With another SERVICE_NAME_PREFIX every request, answer and notification carries it. The controls do not.

import { useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ namePrefix: 'abc', webhookUrl: receiver.url }));
let authorization: string;
beforeEach(async () => {
  const credentials = new URLSearchParams({ abc_key: 'sandbox_key', abc_secret: 'sandbox_secret' });
  const { body } = await service.call('POST', '/users/getToken', credentials);
  authorization = `Bearer ${body.response.access_token}`;
});

const call = (method: string, path: string, body?: object) =>
  service.call(method, path, body, { authorization });

test('answers records under the live names wherever they are', async () => {
  const { svc_uid } = await service.pay({ customer_uid: 'card-1', custom_data: '{"svc_uid":"mine"}' });
  expect(svc_uid).toMatch(/^abc_\d{12,}$/);
  for (const path of [
    `/payments/${svc_uid}`,
    `/payments?abc_uid[]=${svc_uid}`,
    '/payments/find/order-1',
    '/payments/status/all',
    '/subscribe/customers/card-1/payments',
  ]) {
    const { text, status } = await call('GET', path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain(`"abc_uid":"${svc_uid}"`);
    // The merchant's own data is not renamed.
    expect(text.replace(JSON.stringify('{"svc_uid":"mine"}'), '')).not.toContain('svc');
    expect(text).toContain(JSON.stringify('{"svc_uid":"mine"}'));
  }
});

test('takes credentials and ids under the live names only', async () => {
  const credentials = { svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' };
  expect((await service.call('POST', '/users/getToken', credentials)).status).toBe(400);
  const { svc_uid } = await service.pay();
  expect((await call('GET', `/payments?svc_uid[]=${svc_uid}`)).status).toBe(400);
  expect((await call('POST', '/payments/cancel', { abc_uid: svc_uid })).body.response.abc_uid).toBe(svc_uid);
  expect((await call('GET', '/payments/abc_0')).body.message).toBe('abc_uid: no such payment');
});

test.each(['json', 'form'])('notifies under the live names as %s', async (content_type) => {
  await service.settings({ content_type });
  await service.pay();
  await service.control('POST', '/settings/test-webhook');
  const [notification] = await service.notifications();
  expect(receiver.received).toHaveLength(2);
  for (const { body } of receiver.received) expect(body).toMatch(/^(?!.*svc).*abc_uid/);
  // The controls keep the names of the document.
  expect(notification.body).toHaveProperty('svc_uid');
  expect(notification.attempts[0].request.body).toContain('abc_uid');
});
