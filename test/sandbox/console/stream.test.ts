// What happened, for people: a stream grouped by payment, and lists of everything with a search and pages.

import { useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver(() => status);
const service = useSandbox(() => ({ webhookUrl: receiver.url }));
let status: number;
beforeEach(() => {
  status = 200;
});

const read = async (path: string) =>
  (await service.call('GET', `/console${path}${path.includes('?') ? '&' : '?'}lang=en`)).text;
/** The payments of the stream, the first on top. */
const groups = (html: string) =>
  [...html.matchAll(/<article class="panel group[\s\S]*?<\/article>/g)].map(([group]) => group);
const orders = (html: string) => groups(html).map((group) => /<h3>(\S+)/.exec(group)?.[1]);

test('groups by payment, the newest on top, each with its notification, the answer to it and the look at it', async () => {
  const { svc_uid } = await service.pay({ merchant_uid: 'order-1' });
  await service.get(`/payments/${svc_uid}`);
  await service.advance(5);
  await service.pay({ merchant_uid: 'order-2' });
  await service.notifications();
  const html = await read('/activity');
  expect(orders(html)).toEqual(['order-2', 'order-1']);
  const group = groups(html)[1] ?? '';
  expect(group).toContain('Notification · paid');
  expect(group).toContain('accepted · 200');
  expect(group).toContain(receiver.received[0]?.body.replaceAll('"', '&quot;'));
  expect(group).toContain('The merchant looked · GET /payments/:svc_uid');
  expect(group).toContain(`/payments/${svc_uid}`);
  expect(groups(html)[0]).not.toContain('The merchant looked');
});

test('folds tokens and lists into one line each', async () => {
  await service.get('/payments/status/paid');
  await service.get('/payments/status/failed');
  const html = await read('/activity');
  expect(html).toContain('Tokens issued: 1');
  expect(html).toContain('Lists read: 2');
  expect(html).not.toContain('GET /payments/status');
});

test('searches and filters by the address', async () => {
  await service.pay({ merchant_uid: 'order-1' });
  await service.pay({ merchant_uid: 'order-2', outcome: 'virtual_account' });
  await service.notifications();
  status = 400;
  await service.pay({ merchant_uid: 'order-3' });
  await service.notifications();
  expect(orders(await read('/activity?q=der-2'))).toEqual(['order-2']);
  expect(orders(await read('/activity?show=trouble'))).toEqual(['order-3']);
  expect(orders(await read('/activity?show=waiting'))).toEqual(['order-2']);
  const nothing = await read('?q=nothing');
  expect(nothing).toContain('Nothing matches');
  expect(nothing).toContain('value="nothing"');
});

test('offers curl lines that hold no secret and no card', async () => {
  await service.issueKey('card-1');
  await service.post('/subscribe/payments/again', {
    customer_uid: 'card-1',
    merchant_uid: 'order-1',
    amount: 1000,
  });
  const { svc_uid } = await service.pay({ merchant_uid: 'order-2' });
  await service.get(`/payments/${svc_uid}`);
  const html = await read('/activity');
  expect(html).toContain(`/payments/${svc_uid}&#39; -H &quot;Authorization: Bearer $ACCESS_TOKEN&quot;`);
  for (const secret of ['sandbox_secret', '5409-1357', '5409135724689012', await service.signIn()])
    expect(html).not.toContain(secret);
});

test('lists payments in pages, keys, schedules, notifications and requests, and finds in each', async () => {
  await service.control('PATCH', '/settings', { webhook_url: null });
  for (let number = 1; number <= 52; number += 1) await service.pay({ merchant_uid: `order-${number}` });
  await service.control('PATCH', '/settings', { webhook_url: receiver.url });
  await service.pay({ merchant_uid: 'told-1' });
  await service.issueKey('card-1');
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: 1_900_000_000, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  const rows = async (path: string) => [...(await read(path)).matchAll(/<tr>/g)].length - 1;
  expect(await rows('/payments')).toBe(50);
  expect(await read('/payments')).toContain('page=2');
  expect(await rows('/payments?page=2')).toBe(3);
  expect(await rows('/payments?q=told')).toBe(1);
  for (const [path, text] of [
    ['/keys?q=card-1', '5409'],
    ['/schedules?q=sub-1', 'scheduled'],
    ['/notifications?q=told-1', 'accepted'],
    ['/requests?q=subscribe/customers', 'POST /subscribe/customers/:customer_uid'],
  ] as const) {
    expect([path, await rows(path)]).toEqual([path, 1]);
    expect([path, (await read(path)).includes(text)]).toEqual([path, true]);
  }
  expect(await read('/keys?q=nobody')).toContain('Nothing matches');
  expect(await read('/payments?page=-1')).toContain('53 in all');
});
