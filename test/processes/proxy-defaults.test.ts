// nginx in front of the merchant on one machine, before anybody has set it up: it adds no header, and its requests come from
// loopback like those of a local program.

import { findNginx, startNginx, type Nginx } from '../support/nginx';
import { startWorld, type World } from '../support/world';

const nginxBinary = findNginx();
const withNginx = nginxBinary === null ? describe.skip : describe;
if (nginxBinary === null)
  process.stderr.write('nginx in its defaults: skipped, it is not here (apt-get install nginx-light).\n');

withNginx('nginx that nobody has set up', () => {
  let world: World;
  let nginx: Nginx;
  const port = () => Number(new URL(world.url).port);
  beforeAll(async () => {
    world = await startWorld({ environment: { TRUSTED_PROXIES: '' } });
  });
  afterEach(() => nginx.stop());
  afterAll(() => world.close());

  const HTTP_1_1 = ['proxy_http_version 1.1;', 'proxy_set_header Connection "";'];
  test.each<[string, string[], (port: number) => string]>([
    ['an address, in its defaults', [], (to) => `http://127.0.0.1:${to}`],
    ['localhost, in its defaults', [], (to) => `http://localhost:${to}`],
    ['an upstream, in its defaults', [], () => 'http://merchants'],
    ['an upstream, with HTTP/1.1', HTTP_1_1, () => 'http://merchants'],
    [
      'an address, with HTTP/1.1 and the Host of the sender',
      [...HTTP_1_1, 'proxy_set_header Host "shop.example.com";'],
      (to) => `http://127.0.0.1:${to}`,
    ],
  ])('leads to %s: the metrics are closed', async (_, settings, passTo) => {
    nginx = await startNginx(String(nginxBinary), [port()], settings, passTo(port()));
    expect((await fetch(`${nginx.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${nginx.url}/metrics`)).status).toBe(401);
    expect((await fetch(`${world.url}/metrics`)).status).toBe(200);
  });

  test('leads to an address with HTTP/1.1 and nothing else: it cannot be told from a local program', async () => {
    nginx = await startNginx(String(nginxBinary), [port()], HTTP_1_1, `http://127.0.0.1:${port()}`);
    expect((await fetch(`${nginx.url}/metrics`)).status).toBe(200);
  });

  test('every notification is refused, and the log names the setting', async () => {
    nginx = await startNginx(String(nginxBinary), [port()], []);
    const answer = await fetch(`${nginx.url}/webhooks/payments`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(403);
    expect(world.log.events('webhook_sender_hidden')).toMatchObject([
      {
        kind: 'no_forwarded_for',
        proxy: '127.0.0.1',
        fix: expect.stringMatching(/TRUSTED_PROXIES=127\.0\.0\.1.*proxy_set_header X-Forwarded-For/),
      },
    ]);
  });
});
