// The console's timeline is the whole truth: every call that moves money stands under its payment, with what was sent and
// answered, equal reads are one line, and the rows of the lists open.

import { CARD } from '../../support/cards';
import { NOW, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ webhookUrl: receiver.url }));

/** The lines under a payment, in their order. */
async function timelineOf(query: string): Promise<string[]> {
  await service.notifications();
  const { text } = await service.call('GET', `/console/activity?lang=en&q=${query}`);
  return [...text.matchAll(/<summary>([^<]* · [^<]*) <span class="state"/g)].map(([, title]) => title ?? '');
}
const keyIn = { customer_uid: 'key-1', name: 'Tea', amount: 1000 };

test('a charge, a key-in payment, a refund and a schedule stand under their payments', async () => {
  await service.issueKey('key-1');
  const again = await service.post('/subscribe/payments/again', { ...keyIn, merchant_uid: 'charged' });
  const { svc_uid: charged } = again.body.response;
  await service.post('/payments/cancel', { svc_uid: charged, amount: 300, reason: 'broken' });
  await service.post('/subscribe/payments/onetime', {
    ...CARD,
    merchant_uid: 'keyed',
    amount: 10,
    name: 'Tea',
  });
  const schedules = [{ merchant_uid: 'planned', schedule_at: NOW + 60, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'key-1', schedules });
  await service.advance(60);
  expect(await timelineOf('charged')).toEqual([
    'Merchant called · POST /subscribe/payments/again',
    'Notification · paid',
    'Merchant called · POST /payments/cancel',
  ]);
  expect(await timelineOf('keyed')).toContain('Merchant called · POST /subscribe/payments/onetime');
  expect(await timelineOf('planned')).toEqual([
    'Merchant called · POST /subscribe/payments/schedule',
    'Notification · paid',
  ]);
});

test('a refused refund stands under the payment that it names', async () => {
  const { svc_uid } = await service.pay();
  await service.post('/payments/cancel', { svc_uid, amount: 999_999, reason: 'too much' });
  expect(await timelineOf(svc_uid)).toContain('Merchant called · POST /payments/cancel');
});

test('equal reads in a row are one line, and a call between them begins another one', async () => {
  const { svc_uid } = await service.pay({ notify: false });
  for (let reads = 0; reads < 4; reads += 1) await service.get(`/payments/${svc_uid}`);
  await service.post('/payments/cancel', { svc_uid, reason: 'all of it' });
  await service.get(`/payments/${svc_uid}`);
  expect(await timelineOf(svc_uid)).toEqual([
    `Merchant fetched · GET /payments/${svc_uid} ×4`,
    'Merchant called · POST /payments/cancel',
    `Merchant fetched · GET /payments/${svc_uid}`,
  ]);
});

test('a request opens with what was sent and answered, and can be repeated; a notification opens as well', async () => {
  const { svc_uid } = await service.pay();
  await service.notifications();
  await service.post('/payments/cancel', { svc_uid, amount: 300, reason: 'broken' });
  const links = async (list: string) => {
    const { text } = await service.call('GET', `/console/${list}?lang=en`);
    return [...text.matchAll(new RegExp(`href="(/console/${list}/\\d+\\?lang=en)"`, 'g'))].map(
      ([, to]) => to ?? '',
    );
  };
  const [request = ''] = await links('requests');
  const { text } = await service.call('GET', request);
  for (const each of [
    '&quot;reason&quot;: &quot;broken&quot;',
    '&quot;cancel_amount&quot;: 300',
    '-d &#39;{',
  ])
    expect([each, text.includes(each)]).toEqual([each, true]);
  const [notification = ''] = await links('notifications');
  expect((await service.call('GET', notification)).text).toContain('Accepted · 200');
  expect((await service.call('GET', '/console/requests/99999')).status).toBe(404);
});

test('a payment that is made to fail is said to have failed, and a browser’s icon is no call of the merchant', async () => {
  await service.call('GET', '/favicon.ico');
  expect((await service.control('GET', '/requests')).body.requests).toEqual([]);
  const fields = new URLSearchParams({ merchant_uid: 'order-1', amount: '1000', outcome: 'failed' });
  const { headers } = await service.call('POST', '/console/pay?lang=en', fields);
  const { text } = await service.call('GET', headers.get('location') ?? '');
  expect(text).toContain('The payment of order order-1 failed, as requested.');
});
