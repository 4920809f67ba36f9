// The server shares a host with a shop: everything stands under PATH_PREFIX, and nothing leads out of it.

import { ask } from '../../support/ask';
import { createMemberBrowser } from '../../support/browsers';
import { crawl } from '../../support/crawl';
import { eventually } from '../../support/eventually';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { PATH_PREFIX: '/pay' } });
const browser = () => createMemberBrowser(world);
const api = (method: string, path: string, body?: unknown) => world.api(method, `/pay${path}`, body);

beforeAll(() => world.sandbox.settings({ webhook_url: `${world.url}/pay/webhooks/payments` }));

test('a notification closes an order, and the log says which route it was', async () => {
  const order = { merchant_uid: 'under-a-prefix', name: 'Tea', amount: 1000 };
  expect((await api('POST', '/api/orders', order)).status).toBe(201);
  await world.sandbox.pay({ merchant_uid: 'under-a-prefix', amount: 1000 });
  await eventually(async () => (await api('GET', '/api/orders/under-a-prefix')).body.status === 'paid');
  // The log says which route it was, as without a prefix.
  const [line] = await world.log.requests({ merchant_uid: 'under-a-prefix', outcome: 'recorded' });
  expect(line).toMatchObject({ req: { path: '/webhooks/payments' } });
});

test('every link, file and form on every page of a member stays under the prefix, and is answered', async () => {
  const member = browser();
  const opened = await crawl(member, '/pay', ['/pay/cards']);
  expect(opened).toEqual(
    expect.arrayContaining(['/pay/terms', '/pay/static/base.css', '/pay/static/cards.css']),
  );
  const missing = await member.get('/pay/no-such-page');
  expect([missing.status, missing.html.includes('href="/pay/cards"')]).toEqual([404, true]);
});

test('outside the prefix there is nothing but the probes', async () => {
  for (const path of [
    '/',
    '/cards',
    '/static/base.css',
    '/terms',
    '/docs',
    '/payments',
    '/pay.',
    '/PAY/cards',
  ])
    expect([path, (await browser().get(path)).status]).toEqual([path, 404]);
  expect((await world.api('GET', '/api/orders')).status).toBe(404);
  const body = { svc_uid: 'svc_1', merchant_uid: 'under-a-prefix' };
  expect((await world.notify(body)).status).toBe(404);
  for (const path of ['/healthz', '/readyz', '/pay/healthz', '/pay/readyz'])
    expect([path, (await ask(world.url, 'GET', path)).status]).toEqual([path, 200]);
});
