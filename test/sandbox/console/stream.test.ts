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
  await service.get('/payments/status/paid');
  await service.get('/payments/status/failed');
  await service.advance(5);
  await service.pay({ merchant_uid: 'order-2' });
  await service.notifications();
  const html = await read('/activity');
  expect(orders(html)).toEqual(['order-2', 'order-1']);
  const [newest, group] = groups(html);
  for (const said of [
    'Notification · paid',
    'accepted · 200',
    receiver.received[0]?.body.replaceAll('"', '&quot;'),
    'The merchant looked · GET /payments/:svc_uid',
    // The line for a shell holds no secret.
    `/payments/${svc_uid}&#39; -H &quot;Authorization: Bearer $ACCESS_TOKEN&quot;`,
  ])
    expect(group).toContain(said);
  expect(newest).not.toContain('The merchant looked');
  // Tokens and lists are one line each.
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
  expect(await read('?q=nothing')).toMatch(/value="nothing"[^]*Nothing matches/);
});

test('shows no secret and no card', async () => {
  await service.issueKey('card-1');
  const order = { customer_uid: 'card-1', merchant_uid: 'order-1', amount: 1000 };
  await service.post('/subscribe/payments/again', order);
  const html = await read('/activity');
  for (const secret of ['sandbox_secret', '5409-1357', '5409135724689012', await service.signIn()])
    expect(html).not.toContain(secret);
});

test('lists payments in pages, keys, schedules, notifications and requests, and finds in each', async () => {
  await service.settings({ webhook_url: null });
  for (let number = 1; number <= 52; number += 1) await service.pay({ merchant_uid: `order-${number}` });
  await service.settings({ webhook_url: receiver.url });
  await service.pay({ merchant_uid: 'told-1' });
  await service.issueKey('card-1');
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: 1_900_000_000, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  for (const [path, rows, text] of [
    ['/payments', 50, 'page=2'],
    ['/payments?page=2', 3, 'order-1'],
    ['/payments?page=-1', 50, '53 in all'],
    ['/payments?q=told', 1, 'told-1'],
    ['/keys?q=card-1', 1, '5409'],
    ['/schedules?q=sub-1', 1, 'scheduled'],
    ['/notifications?q=told-1', 1, 'accepted'],
    ['/requests?q=subscribe/customers', 1, 'POST /subscribe/customers/:customer_uid'],
  ] as const) {
    const html = await read(path);
    const found = [...html.matchAll(/<tr>/g)].length - 1;
    expect([path, found, html.includes(text)]).toEqual([path, rows, true]);
  }
  expect(await read('/keys?q=nobody')).toContain('Nothing matches');
});
