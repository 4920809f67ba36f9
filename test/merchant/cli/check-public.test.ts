// What `doctor` concludes from a request through PUBLIC_URL. The peer is the proxy that terminates TLS.

import { judgeWay } from '../../../src/merchant/cli/check-public';

const WRITTEN = '203.0.113.7';
/** The public and the private address of this machine. */
const OURS = '198.51.100.20';
const LOCAL = '192.168.0.9';
const HOME = '127.0.0.1';
const PROXY = '10.0.0.6';
/** The proxy in front of it. */
const FIRST = '10.0.0.5';

type Seen = {
  peer?: string;
  trusted?: boolean;
  hops?: (string | null)[];
  client: string | null;
  proxies?: string[];
  from?: string;
};

function judge({ peer = PROXY, trusted = true, hops = [], client, proxies = [PROXY], from = LOCAL }: Seen) {
  const answer = {
    peer,
    trusted,
    forwarded_for: hops,
    client,
    host: 'shop.example.com',
    instance: 'x',
    misdirected: 0,
  };
  const settings = { webhook: 'refused', source_check: 'enforce' } as const;
  return judgeWay({ ...answer, ...settings }, { written: WRITTEN, from }, proxies);
}

test.each<[string, Seen]>([
  ['adds the sender', { hops: [WRITTEN, OURS], client: OURS }],
  ['replaces what was written', { hops: [OURS], client: OURS }],
  // nginx of deploy/nginx.conf on this machine, with the name of PUBLIC_URL leading to it.
  [
    'is named, replaces the header, and is on the machine of this command',
    { peer: HOME, hops: [HOME], client: HOME, proxies: [HOME], from: HOME },
  ],
])('a proxy that %s is accepted', (_, seen) => {
  expect(judge(seen)).toEqual({ state: 'ok', says: expect.stringContaining(`seen as ${seen.client}`) });
});

const HERE = { peer: HOME, trusted: false, client: HOME };
test.each<[string, Seen, added: string]>([
  ['is not named', { trusted: false, hops: [WRITTEN, OURS], client: PROXY, proxies: [] }, PROXY],
  ['has the address of this command', { ...HERE, hops: [WRITTEN, HOME], proxies: [] }, HOME],
  ['is the second, and only the first is named', { hops: [OURS, FIRST], client: FIRST }, `${PROXY},${FIRST}`],
  ['was named after the server had started', { ...HERE, hops: [HOME], proxies: [HOME] }, HOME],
])('behind a proxy that %s every notification is refused, and the setting is shown', (_, seen, added) => {
  expect(judge(seen)).toMatchObject({
    state: 'failed',
    says: expect.stringContaining('every notification is refused'),
    fix: `Set TRUSTED_PROXIES=${added} and restart.`,
  });
});

const BEHIND: Seen = { hops: [WRITTEN, '10.0.0.9'], client: WRITTEN, proxies: ['10.0.0.0/8'] };
const SILENT = /does not name the sender/;
test.each<[string, Seen, state: string, says: RegExp]>([
  [
    'behind an unlisted proxy that does not name the sender every notification is refused',
    { trusted: false, hops: [WRITTEN], client: PROXY },
    'failed',
    SILENT,
  ],
  [
    'a trusted proxy that passes on what a sender writes is a failure: anyone could be the service',
    { hops: [WRITTEN], client: WRITTEN },
    'failed',
    /anyone can write a listed address/,
  ],
  ['a trusted address behind the proxy is a warning: it may be another proxy', BEHIND, 'warning', /./],
  [
    'with an entry that is not an address every notification is refused',
    { hops: [WRITTEN, null], client: null },
    'failed',
    /plain address/,
  ],
  [
    'a public peer that adds nothing is a warning: it may be this machine',
    { peer: OURS, trusted: false, hops: [WRITTEN], client: OURS, proxies: [] },
    'warning',
    /198\.51\.100\.20/,
  ],
])('%s', (_, seen, state, says) => {
  expect(judge(seen)).toMatchObject({ state, says: expect.stringMatching(says) });
});
