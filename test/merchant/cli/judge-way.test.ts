// What `doctor` concludes from how a request arrives through PUBLIC_URL. The peer is what ends TLS; it is a proxy.

import { judgeWay } from '../../../src/merchant/cli/judge-way';

const WRITTEN = '203.0.113.7';
/** This machine, as others see it, and as it is in its own network. */
const OURS = '198.51.100.20';
const LOCAL = '192.168.0.9';
const PROXY = '10.0.0.6';

type Seen = {
  peer?: string;
  trusted?: boolean;
  hops?: (string | null)[];
  client: string | null;
  proxies?: string[];
  from?: string;
};

const judge = ({ peer = PROXY, trusted = true, hops = [], client, proxies = [PROXY], from = LOCAL }: Seen) =>
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
  ['adds the sender', { hops: [WRITTEN, OURS], client: OURS }],
  ['replaces what was written', { hops: [OURS], client: OURS }],
  ['stands behind another that is named as well', { hops: [WRITTEN, OURS, '10.0.0.5'], client: OURS }],
])('a proxy that %s is well', (_, seen) => {
  expect(judge(seen)).toMatchObject({ state: 'ok', says: expect.stringContaining(`seen as ${OURS}`) });
});

// nginx of deploy/nginx.conf on this machine, with the name of PUBLIC_URL leading to it.
test.each([
  ['a named proxy that replaces the header', '127.0.0.1', ['127.0.0.1'], ['127.0.0.1']],
  ['two named proxies, the first one beside this command', PROXY, ['10.0.0.5', '10.0.0.5'], ['10.0.0.0/24']],
])('%s, from whose machine this command asks, is well', (_, peer, hops, proxies) => {
  const from = hops[0] as string;
  const says = expect.stringContaining(`seen as ${from}`);
  expect(judge({ peer, hops, client: from, proxies, from })).toEqual({ state: 'ok', says });
});

const HERE = { peer: '127.0.0.1', trusted: false, client: '127.0.0.1' };
test.each<[string, Seen, added: string]>([
  ['is not named', { trusted: false, hops: [WRITTEN, OURS], client: PROXY, proxies: [] }, PROXY],
  [
    'has the same address as this command',
    { ...HERE, hops: [WRITTEN, '127.0.0.1'], proxies: [] },
    '127.0.0.1',
  ],
  [
    'is the second, and only the first is named',
    { hops: [WRITTEN, OURS, '10.0.0.4', '10.0.0.5'], client: '10.0.0.5' },
    '10.0.0.6,10.0.0.5,10.0.0.4',
  ],
  [
    'was named after the server had started',
    { ...HERE, hops: ['127.0.0.1'], proxies: ['127.0.0.1'] },
    '127.0.0.1',
  ],
  [
    'is the second, unnamed, and asked from its own machine',
    { hops: ['10.0.0.4', '10.0.0.4'], client: '10.0.0.4' },
    '10.0.0.6,10.0.0.4',
  ],
])('a proxy that %s refuses every notification, and the setting is shown', (_, seen, added) => {
  expect(judge(seen)).toMatchObject({
    state: 'failed',
    says: expect.stringContaining('every notification is refused'),
    fix: `Set TRUSTED_PROXIES=${added} and restart.`,
  });
});

const BEHIND: Seen = { hops: [WRITTEN, '10.0.0.9'], client: WRITTEN, proxies: ['10.0.0.0/8'] };
test.each<[string, Seen, { state: string; says?: RegExp; fix?: RegExp }]>([
  [
    'a public address is named only if it is the own proxy',
    { peer: '192.0.2.4', trusted: false, hops: [OURS], client: '192.0.2.4', proxies: [] },
    { state: 'failed', fix: /^If 192\.0\.2\.4 is your own .*leave it out\.$/ },
  ],
  [
    'an unnamed proxy that says nothing of the sender refuses every notification',
    { trusted: false, hops: [WRITTEN], client: PROXY },
    { state: 'failed', says: /does not say/, fix: /proxy_set_header X-Forwarded-For/ },
  ],
  [
    'so does a named one',
    { client: PROXY },
    { state: 'failed', says: /does not say/, fix: /proxy_set_header X-Forwarded-For/ },
  ],
  [
    'what a sender writes and is believed is a failure: anybody could be the service',
    { hops: [WRITTEN], client: WRITTEN },
    { state: 'failed', says: /anybody can write a listed address/ },
  ],
  ['believed behind this machine, it is well', { ...BEHIND, from: '10.0.0.9' }, { state: 'ok' }],
  ['believed behind another address, it may be a proxy that anybody can use', BEHIND, { state: 'warning' }],
  [
    'an entry that is no address refuses every notification',
    { hops: [WRITTEN, null], client: null },
    { state: 'failed', fix: /plain addresses/ },
  ],
  [
    'a public peer that adds nothing may be this machine: a person has to look',
    { peer: OURS, trusted: false, hops: [WRITTEN], client: OURS, proxies: [] },
    { state: 'warning', says: /198\.51\.100\.20/ },
  ],
])('%s', (_, seen, { state, says = /./, fix = /^/ }) => {
  const verdict = judge(seen);
  expect(verdict).toMatchObject({ state, says: expect.stringMatching(says) });
  expect(verdict.fix ?? '').toMatch(fix);
});
