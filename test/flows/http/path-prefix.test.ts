// The server shares a host with a shop: everything stands under PATH_PREFIX, and nothing leads out of it.

import { ask } from '../../support/ask';
import { createMemberBrowser } from '../../support/browsers';
import { CARD_FORM } from '../../support/cards';
import { crawl } from '../../support/crawl';
import { eventually } from '../../support/eventually';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { PATH_PREFIX: '/pay' } });
const browser = () => createMemberBrowser(world);
const api = (method: string, path: string, body?: unknown) => world.api(method, `/pay${path}`, body);

beforeAll(() => world.sandbox.settings({ webhook_url: `${world.url}/pay/webhooks/payments` }));

/** The value of an attribute on a page. */
const attribute = (html: string, pattern: RegExp) => pattern.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

test('a member walks the card form, and the card pays for an order that a notification closes', async () => {
  const member = browser();
  const form = await member.get('/pay/cards/new');
  expect(form.headers.getSetCookie()).toEqual([expect.stringMatching(/^member=.*; Path=\/pay; HttpOnly/)]);
  const field = (name: string) => attribute(form.html, new RegExp(`name="${name}" value="([^"]*)"`));
  const hidden = { customer_uid: field('customer_uid'), form_token: field('form_token') };
  const action = attribute(form.html, /<form[^>]*action="([^"]*)"/);
  const wrong = await member.post(action, { ...hidden, ...CARD_FORM, card_number: '1' });
  expect([action, wrong.status, attribute(wrong.html, /data-address="([^"]*)"/)]).toEqual([
    '/pay/cards',
    400,
    '/pay/cards/new',
  ]);
  const { status, location } = await member.post(action, { ...hidden, ...CARD_FORM });
  expect([status, location]).toEqual([303, '/pay/cards']);
  expect((await member.get(location ?? '')).html).toContain(
    `action="/pay/cards/${hidden.customer_uid}/remove"`,
  );

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
  const opened = await crawl(member, '/pay', ['/pay/cards', '/pay/cards/new']);
  expect(opened).toEqual(
    expect.arrayContaining(['/pay/terms', '/pay/static/base.css', '/pay/static/card-form.js']),
  );
  const missing = await member.get('/pay/no-such-page');
  expect([missing.status, missing.html.includes('href="/pay/cards"')]).toEqual([404, true]);
});

test('outside the prefix there is nothing but the probes', async () => {
  for (const path of [
    '/',
    '/cards/new',
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
