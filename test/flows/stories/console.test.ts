// The console beside a running merchant: the first press of each button succeeds, and the API key is sent only to that merchant.

import { freePort } from '../../../src/local/postgres/free-port';
import { API_KEY } from '../../support/config';
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

test('sends the key only to the origin that the process was started with', async () => {
  const thief = await runReceiver();
  await world.sandbox.settings({ webhook_url: thief.url });
  await press('/pay', { ...PAYMENT, merchant_uid: 'order-8' });
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
  expect(thief.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  expect(await world.rows.query(`select 1 from orders where merchant_uid = 'order-8'`)).toEqual([]);
  await thief.close();
});
