// The controls under /_sandbox reset everything.

import { NOW, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox();

const show = async (path: string) => (await service.control('GET', path)).body;

test('is emptied by a reset: payments, keys, schedules, tokens, faults, notifications, settings and clock', async () => {
  await service.settings({ webhook_url: receiver.url });
  await service.issueKey('card-1');
  const { svc_uid } = await service.pay();
  const schedules = [{ merchant_uid: 'sub-1', amount: 10, schedule_at: NOW + 60 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  await service.control('POST', '/faults', { endpoint: 'POST /users/getToken', times: 9, kind: 'status' });
  expect((await service.advance(10)).body).toEqual({ now: NOW + 10 });
  expect((await service.control('POST', '/reset')).body).toEqual({ now: NOW });
  expect((await service.get(`/payments/${svc_uid}`)).status).toBe(401);
  await service.signIn();
  const [schedule, key] = ['/subscribe/payments/schedule/sub-1', '/subscribe/customers/card-1'];
  for (const path of ['/payments/find/order-1', key, schedule])
    expect([path, (await service.get(path)).status]).toEqual([path, 404]);
  expect((await service.get('/payments/status/all')).body.response.total).toBe(0);
  expect((await show('/settings')).webhook_url).toBeNull();
  expect(await service.notifications()).toEqual([]);
  await service.advance(3600);
  expect(receiver.received).toHaveLength(1);
});
