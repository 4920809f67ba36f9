// What `doctor` concludes from how a request arrives through PUBLIC_URL. The peer is what ends TLS; it is a proxy.

import { judgeWay } from '../../../src/merchant/cli/judge-way';

const WRITTEN = '203.0.113.7';
/** This machine, as others see it, and as it is in its own network. */
const OURS = '198.51.100.20';
const LOCAL = '192.168.0.9';

type Seen = { peer: string | null; trusted?: boolean; hops?: (string | null)[]; client: string | null };

const judge = (
  { peer, trusted = true, hops = [], client }: Seen,
  proxies: string[] = ['10.0.0.6'],
  from = LOCAL,
) =>
  judgeWay(
    {
      peer,
      trusted,
      forwarded_for: hops,
      client,
      host: 'shop.example.com',
      webhook: 'refused',
      source_check: 'enforce',
      instance: 'x',
    },
    { written: WRITTEN, from },
    proxies,
  );

test.each<[string, Seen]>([
  ['adds the sender', { peer: '10.0.0.6', hops: [WRITTEN, OURS], client: OURS }],
  ['replaces what was written', { peer: '10.0.0.6', hops: [OURS], client: OURS }],
  [
    'stands behind another that is named as well',
    { peer: '10.0.0.6', hops: [WRITTEN, OURS, '10.0.0.5'], client: OURS },
  ],
])('a proxy that %s is well', (_, seen) => {
  expect(judge(seen)).toMatchObject({ state: 'ok', says: expect.stringContaining(OURS) });
});

// nginx of deploy/nginx.conf on this machine, with the name of PUBLIC_URL leading to it.
test.each<[string, Seen, string[], string]>([
  [
    'a named proxy that replaces the header',
    { peer: '127.0.0.1', hops: ['127.0.0.1'], client: '127.0.0.1' },
    ['127.0.0.1'],
    '127.0.0.1',
  ],
  [
    'two named proxies, the first one beside this command',
    { peer: '10.0.0.6', hops: ['10.0.0.5', '10.0.0.5'], client: '10.0.0.5' },
    ['10.0.0.0/24'],
    '10.0.0.5',
  ],
])('%s, from whose machine this command asks, is well', (_, seen, proxies, from) => {
  expect(judge(seen, proxies, from)).toEqual({
    state: 'ok',
    says: expect.stringContaining(`seen as ${from}`),
  });
});

test.each<[string, Seen, string[], string]>([
  [
    'is not named',
    { peer: '10.0.0.6', trusted: false, hops: [WRITTEN, OURS], client: '10.0.0.6' },
    [],
    'Set TRUSTED_PROXIES=10.0.0.6 and restart.',
  ],
  [
    'has the same address as this command',
    { peer: '127.0.0.1', trusted: false, hops: [WRITTEN, '127.0.0.1'], client: '127.0.0.1' },
    [],
    'Set TRUSTED_PROXIES=127.0.0.1 and restart.',
  ],
  [
    'is the second, and only the first is named',
    { peer: '10.0.0.6', hops: [WRITTEN, OURS, '10.0.0.4', '10.0.0.5'], client: '10.0.0.5' },
    ['10.0.0.6'],
    'Set TRUSTED_PROXIES=10.0.0.6,10.0.0.5,10.0.0.4 and restart.',
  ],
  [
    'was named after the server had started',
    { peer: '127.0.0.1', trusted: false, hops: ['127.0.0.1'], client: '127.0.0.1' },
    ['127.0.0.1'],
    'Set TRUSTED_PROXIES=127.0.0.1 and restart.',
  ],
  [
    'is the second, unnamed, and asked from its own machine',
    { peer: '10.0.0.6', hops: ['10.0.0.4', '10.0.0.4'], client: '10.0.0.4' },
    ['10.0.0.6'],
    'Set TRUSTED_PROXIES=10.0.0.6,10.0.0.4 and restart.',
  ],
])('a proxy that %s refuses every notification, and the setting is shown', (_, seen, proxies, fix) => {
  expect(judge(seen, proxies)).toMatchObject({
    state: 'failed',
    says: expect.stringContaining('every notification is refused'),
    fix,
  });
});

test('a public address is named only if it is the own proxy', () => {
  const { state, fix } = judge({ peer: '192.0.2.4', trusted: false, hops: [OURS], client: '192.0.2.4' }, []);
  expect([state, fix]).toEqual([
    'failed',
    expect.stringMatching(/^If 192\.0\.2\.4 is your own .*leave it out\.$/),
  ]);
});

test.each<[string, Seen]>([
  ['is not named', { peer: '10.0.0.6', trusted: false, hops: [WRITTEN], client: '10.0.0.6' }],
  ['is named', { peer: '10.0.0.6', client: '10.0.0.6' }],
])('a proxy that says nothing of the sender and %s refuses every notification', (_, seen) => {
  expect(judge(seen)).toMatchObject({
    state: 'failed',
    says: expect.stringContaining('does not say'),
    fix: expect.stringContaining('proxy_set_header X-Forwarded-For'),
  });
});

test('what a sender writes and is believed is a failure: anybody could be the service', () => {
  expect(judge({ peer: '10.0.0.6', hops: [WRITTEN], client: WRITTEN })).toMatchObject({
    state: 'failed',
    says: expect.stringContaining('anybody can write a listed address'),
  });
});

test('believed behind another address, it may be this machine, or a proxy that anybody can use', () => {
  const seen = { peer: '10.0.0.6', hops: [WRITTEN, '10.0.0.9'], client: WRITTEN };
  expect(judge(seen, ['10.0.0.0/8'], '10.0.0.9')).toMatchObject({ state: 'ok' });
  expect(judge(seen, ['10.0.0.0/8'])).toMatchObject({ state: 'warning' });
});

test('an entry that is no address refuses every notification', () => {
  expect(judge({ peer: '10.0.0.6', hops: [WRITTEN, null], client: null })).toMatchObject({
    state: 'failed',
    fix: expect.stringContaining('plain addresses'),
  });
});

test('a public peer that adds nothing may be this machine: a person has to look', () => {
  expect(judge({ peer: OURS, trusted: false, hops: [WRITTEN], client: OURS }, [])).toMatchObject({
    state: 'warning',
    says: expect.stringContaining(OURS),
  });
});
