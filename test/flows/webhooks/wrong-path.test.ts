// The service posts to a wrong path, because the endpoint URL in its console is wrong or the proxy changes it: the log says which
// URL is right.

import { metric } from '../../support/metrics';
import { send } from '../../support/raw-http';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS, type World } from '../../support/world';

const plain = useWorld();
const prefixed = useWorld({ environment: { PATH_PREFIX: '/pay', PUBLIC_URL: 'https://shop.example' } });

const WRONG_PATH = 'merchant_webhook_wrong_path_total';
const post = (world: World, path: string, source: string) =>
  send(world.url, path, {
    headers: { 'x-forwarded-for': source, 'content-type': 'application/json' },
    body: '{}',
  });
const noticesOf = (world: World) => world.log.events('webhook_wrong_path');

test.each<[string, World, string]>([
  ['a slash at its end', plain, '/webhooks/payments/'],
  ['another name', plain, '/webhook/payments'],
  ['another case', plain, '/Webhooks/payments'],
  ['nothing', plain, '/'],
  ['a path of the API', plain, '/api/payments'],
  ['the prefix left out', prefixed, '/webhooks/payments'],
  ['the prefix twice', prefixed, '/pay/pay/webhooks/payments'],
])(
  'a notification to a path with %s is counted, and the log has the right URL',
  async (_name, world, path) => {
    const counted = await metric(world, WRONG_PATH);
    world.log.clear();
    world.clock.advance(5 * 60);
    expect((await post(world, path, SERVICE_ADDRESS)).status).toBeGreaterThanOrEqual(400);
    expect(await metric(world, WRONG_PATH)).toBe(counted + 1);
    const right = world === plain ? '/webhooks/payments' : 'https://shop.example/pay/webhooks/payments';
    const said = {
      level: 40,
      source: SERVICE_ADDRESS,
      fix: expect.stringContaining(` to ${right}, `) as string,
    };
    expect(noticesOf(world)).toMatchObject([said]);
  },
);

test('many of them are one line in five minutes, with their number', async () => {
  plain.clock.advance(5 * 60);
  plain.log.clear();
  for (let count = 0; count < 20; count += 1) await post(plain, `/x${count}`, SERVICE_ADDRESS);
  expect(noticesOf(plain)).toMatchObject([{ path: '/x0', times: 1 }]);
  plain.clock.advance(5 * 60);
  await post(plain, '/x', SERVICE_ADDRESS);
  expect(noticesOf(plain).slice(1)).toMatchObject([{ path: '/x', times: 20 }]);
});

test('a stranger, and a notification to the right path, are not counted', async () => {
  const counted = await metric(plain, WRONG_PATH);
  await post(plain, '/webhooks/payments/', '6.6.6.6');
  await post(plain, '/webhooks/payments?a=1', SERVICE_ADDRESS);
  await post(prefixed, '/pay/webhooks/payments', SERVICE_ADDRESS);
  expect(await metric(plain, WRONG_PATH)).toBe(counted);
  expect(await plain.api('GET', '/api/source-address')).toMatchObject({ body: { misdirected: counted } });
});
