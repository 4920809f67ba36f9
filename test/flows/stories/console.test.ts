// The console beside a running merchant: its first press succeeds, and a story is done step by step on its page.

import { freePort } from '../../../src/local/postgres/free-port';
import { API_KEY } from '../../support/config';
import { orderStatus } from '../../support/orders';
import { runReceiver } from '../../support/running-sandbox';
import { startWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  const port = await freePort(0);
  world = await startWorld({
    environment: { PORT: String(port) },
    sandboxConfig: { webhookUrl: `http://127.0.0.1:${port}/webhooks/payments`, merchantApiKey: API_KEY },
  });
});
afterAll(() => world.close());

async function press(path: string, fields: Record<string, string>) {
  const pressed = await fetch(`${world.sandbox.url}/console${path}?lang=en`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  });
  const location = pressed.headers.get('location');
  const page = location === null ? pressed : await fetch(new URL(location, world.sandbox.url));
  return { status: pressed.status, location, html: await page.text() };
}

const PAYMENT = { amount: '1000', outcome: 'paid', register: 'on' };

test('registers the order on the way, says so with the line for a shell, and does not show the key', async () => {
  const { status, html } = await press('/pay', { ...PAYMENT, merchant_uid: 'order-1' });
  expect(status).toBe(303);
  expect(html).toContain('The merchant answered: 200 recorded');
  expect(html).toContain(`${world.url}/api/orders&#39; -H &quot;Authorization: Bearer $API_KEY&quot;`);
  expect(html).not.toContain(API_KEY);
  expect(await orderStatus(world, 'order-1')).toBe('paid');
  expect(world.sandboxLog.text()).not.toContain(API_KEY);
});

test('does not send the key to another place than the one that the process was started with', async () => {
  const thief = await runReceiver();
  await world.sandbox.settings({ webhook_url: thief.url });
  await press('/pay', { ...PAYMENT, merchant_uid: 'order-8' });
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
  expect(thief.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  expect(await world.rows.query(`select 1 from orders where merchant_uid = 'order-8'`)).toEqual([]);
  await thief.close();
});

test('a story is done step by step with a person watching, and ends with what was expected beside what came', async () => {
  const first = await press('/stories/forged-amount', { how: 'next' });
  expect(first.html).toContain('aria-current="step"');
  expect(first.html).not.toContain('Everything came as expected.');
  const run = new URL(first.location ?? '', world.sandbox.url).searchParams.get('run') ?? '';
  const last = await press('/stories/forged-amount', { how: 'next', run });
  expect(last.html).toContain('Everything came as expected.');
  expect(last.html.match(/400 amount_mismatch/g)?.length).toBeGreaterThanOrEqual(2);
});
