// Behind a reverse proxy that TRUSTED_PROXIES does not name, every notification is refused: the log says so, and with which
// setting it ends. GET /api/source-address says beforehand what the webhook does.

import { paySilently, registerOrder } from '../../support/orders';
import { send } from '../../support/raw-http';
import { SERVICE_ADDRESS, startWorld, type World } from '../../support/world';

const PATH = '/webhooks/payments';
const STRANGER = '203.0.113.7';
const EVENT = 'webhook_sender_hidden';
let world: World;
afterEach(() => world.close());

type Headers = Record<string, string>;
const post = (headers: Headers) =>
  send(world.url, PATH, { headers: { 'content-type': 'application/json', ...headers }, body: '{}' });

async function start(trustedProxies: string): Promise<void> {
  world = await startWorld({ environment: { TRUSTED_PROXIES: trustedProxies } });
}

test.each<[string, string, Headers, object]>([
  [
    'a proxy on this machine that nobody has named',
    '',
    { 'x-forwarded-for': SERVICE_ADDRESS },
    { kind: 'proxy_not_trusted', proxy: '127.0.0.1', fix: 'Set TRUSTED_PROXIES=127.0.0.1 and restart.' },
  ],
  [
    'a second proxy that nobody has named',
    '127.0.0.1',
    { 'x-forwarded-for': `${SERVICE_ADDRESS}, 10.0.0.5` },
    {
      kind: 'proxy_not_trusted',
      proxy: '10.0.0.5',
      fix: 'Set TRUSTED_PROXIES=127.0.0.1,10.0.0.5 and restart.',
    },
  ],
  [
    'a proxy with a public address, which may be a stranger',
    '127.0.0.1',
    { 'x-forwarded-for': `${SERVICE_ADDRESS}, ${STRANGER}` },
    {
      kind: 'proxy_not_trusted',
      proxy: STRANGER,
      fix: expect.stringMatching(/^If 203\.0\.113\.7 is your own reverse proxy, .*leave it out\.$/),
    },
  ],
  [
    'a proxy that nobody has named and that does not say for whom it asks',
    '',
    {},
    {
      kind: 'no_forwarded_for',
      proxy: '127.0.0.1',
      fix: expect.stringMatching(/^Set TRUSTED_PROXIES=127\.0\.0\.1 and restart\. Have the proxy add/),
    },
  ],
  [
    'a trusted proxy that does not say for whom it asks',
    '127.0.0.1',
    {},
    { kind: 'no_forwarded_for', proxy: '127.0.0.1', fix: expect.stringMatching(/^Have the proxy add/) },
  ],
  [
    'a sender on the machine of a trusted proxy that replaces the header, such as a sandbox there',
    '127.0.0.1',
    { 'x-forwarded-for': '127.0.0.1' },
    {
      kind: 'sender_is_proxy',
      proxy: '127.0.0.1',
      fix: expect.stringMatching(/^TRUSTED_PROXIES names 127\.0\.0\.1 already: (?!.*restart)/),
    },
  ],
  [
    'a proxy that says it in Forwarded only',
    '127.0.0.1',
    { 'x-forwarded-for': STRANGER, forwarded: `for=10.0.0.1, for="${SERVICE_ADDRESS}:4711";proto=https` },
    { kind: 'no_forwarded_for', proxy: STRANGER },
  ],
  [
    'a trusted proxy that writes a port beside the address',
    '127.0.0.1',
    { 'x-forwarded-for': `${SERVICE_ADDRESS}:4711` },
    { kind: 'unreadable_forwarded_for', proxy: '127.0.0.1', fix: expect.stringContaining('plain addresses') },
  ],
])('%s is named in the log, with what to do', async (_, trustedProxies, headers, expected) => {
  await start(trustedProxies);
  expect((await post(headers)).status).toBe(403);
  expect(world.log.events(EVENT)).toMatchObject([{ ...expected, refused: true, times: 1 }]);
  expect(world.log.events('webhook_source_not_listed')).toHaveLength(1);
});

test.each<Headers>([
  { 'x-forwarded-for': STRANGER },
  { 'x-forwarded-for': `198.51.100.1, ${STRANGER}` },
  { 'x-forwarded-for': STRANGER, forwarded: 'for=198.51.100.1' },
  { 'x-forwarded-for': STRANGER, forwarded: `for=${'1:'.repeat(3000)}` },
])('a stranger is refused without such a line: %j', async (headers) => {
  await start('127.0.0.1');
  expect((await post(headers)).status).toBe(403);
  expect(world.log.events('webhook_source_not_listed')).toHaveLength(1);
  expect(world.log.events(EVENT)).toEqual([]);
});

test('the line comes once in five minutes, and the line for each refusal as often as before', async () => {
  await start('');
  for (let count = 0; count < 3; count += 1) await post({ 'x-forwarded-for': SERVICE_ADDRESS });
  expect(world.log.events(EVENT)).toMatchObject([{ times: 1 }]);
  world.clock.advance(5 * 60 - 1);
  await post({ 'x-forwarded-for': SERVICE_ADDRESS });
  expect(world.log.events(EVENT)).toHaveLength(1);
  world.clock.advance(1);
  await post({ 'x-forwarded-for': SERVICE_ADDRESS });
  expect(world.log.events(EVENT)).toMatchObject([{ times: 1 }, { times: 4 }]);
  expect(world.log.events('webhook_source_not_listed')).toHaveLength(5);
});

test.each([
  [SERVICE_ADDRESS, 'let_in', 200],
  [`6.6.6.6, ${SERVICE_ADDRESS}`, 'let_in', 200],
  [`${SERVICE_ADDRESS}, 6.6.6.6`, 'refused', 403],
  [STRANGER, 'refused', 403],
  ['unknown', 'refused', 403],
])(
  'of X-Forwarded-For %s the route says what the webhook does, and leaves no trace',
  async (source, says, status) => {
    await start('127.0.0.1');
    const before = { rows: await world.rows.books(), metrics: await metrics() };
    const answer = await send(world.url, '/api/source-address', {
      method: 'GET',
      headers: { authorization: 'Bearer api-key-of-the-tests-0123', 'x-forwarded-for': source },
    });
    expect(JSON.parse(answer.body)).toMatchObject({ peer: '127.0.0.1', trusted: true, webhook: says });
    expect({ rows: await world.rows.books(), metrics: await metrics() }).toEqual(before);
    expect(world.log.events('webhook_source_not_listed')).toEqual([]);

    const uid = await registerOrder(world);
    const { svc_uid } = await paySilently(world, uid);
    const sent = await send(world.url, PATH, {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': source },
      body: JSON.stringify({ abc_uid: svc_uid, merchant_uid: uid, status: 'paid' }),
    });
    expect(sent.status).toBe(status);
  },
);

/** What the merchant counts, without what Node.js measures of itself, and without the answers, which these are. */
async function metrics(): Promise<string[]> {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  return text.split('\n').filter((line) => /^merchant_(?!http_responses)/.test(line));
}
