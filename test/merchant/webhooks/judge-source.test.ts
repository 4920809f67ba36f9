// The webhook reads a body only of a sender that is listed; while it observes, of everybody who has an address (§6.3). Rows A3
// to A15 of docs/faults.md.

import type { IncomingMessage } from 'node:http';
import { parseAddressList } from '../../../src/merchant/address-list';
import { ConfigError, loadConfig } from '../../../src/merchant/config';
import { readSource } from '../../../src/merchant/http/source-address';
import { judgeSource, sourceRules } from '../../../src/merchant/webhooks/judge-source';
import { PRODUCTION_ENVIRONMENT } from '../../support/config';

const LISTED = '52.78.100.19';
const STRANGER = '6.6.6.6';
const PROXY = '10.0.0.1';
const PROXIES = parseAddressList([PROXY]).list;

function seenFrom(peer: string | undefined, forwardedFor?: string, headers: Record<string, string> = {}) {
  const all = { ...headers, ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) };
  return readSource({ socket: { remoteAddress: peer }, headers: all } as unknown as IncomingMessage, PROXIES);
}

function judge(seen: ReturnType<typeof seenFrom>, sourceCheck: 'enforce' | 'observe' = 'enforce') {
  const webhook = { sourceAddresses: [LISTED, '2001:db8::/32'], sourceCheck };
  return judgeSource(sourceRules({ webhook, trustedProxies: [PROXY] }), seen);
}
const isLetIn = (...sender: Parameters<typeof seenFrom>) => judge(seenFrom(...sender)).letIn;

test.each<[string, ReturnType<typeof seenFrom>, listed: boolean, hasAddress: boolean]>([
  ['a listed sender', seenFrom(LISTED), true, true],
  ['a sender of a listed range', seenFrom('2001:db8::7'), true, true],
  ['a stranger', seenFrom(STRANGER), false, true],
  ['a trusted proxy for itself', seenFrom(PROXY), false, true],
  ['a sender whom the proxy cannot name', seenFrom(PROXY, 'unknown'), false, false],
  ['a sender whose socket is gone', seenFrom(undefined), false, false],
])('%s: whether it is listed, and whether its body is read', (_name, seen, listed, hasAddress) => {
  expect(judge(seen)).toEqual({ ...seen, listed, letIn: listed });
  expect(judge(seen, 'observe')).toEqual({ ...seen, listed, letIn: hasAddress });
});

test('A3 a peer that is not the configured proxy is not believed', () => {
  expect(isLetIn('10.0.0.3', LISTED)).toBe(false);
});

test('A5 the address next to the trusted proxy is the client', () => {
  expect(isLetIn(PROXY, `${STRANGER}, ${LISTED}`)).toBe(true);
});

test.each(['::ffff:52.78.100.19', '::ffff:344e:6413', '::FFFF:344E:6413'])(
  'A7 an IPv4 address in IPv6 clothes is the same address: %s',
  (address) => expect([isLetIn(PROXY, address), isLetIn(address)]).toEqual([true, true]),
);

test.each([
  '064.78.100.19',
  '877552659',
  '0x344e6413',
  '52.78.25619',
  '52.78.100.19:443',
  '"52.78.100.19"',
  '[52.78.100.19]',
  '[::ffff:52.78.100.19]',
  'unknown',
  '',
  ' ,',
  '52.78.100.19,',
])('A8 an odd spelling is refused: %j', (address) => expect(isLetIn(PROXY, address)).toBe(false));

test('A8 a full-width digit is refused', () => {
  const asNodeReadsIt = Buffer.from('５2.78.100.19', 'utf8').toString('latin1');
  expect([isLetIn(PROXY, '５2.78.100.19'), isLetIn(PROXY, asNodeReadsIt)]).toEqual([false, false]);
});

test.each(['::52.78.100.19', '64:ff9b::344e:6413', '2002:344e:6413::', '::ffff:0:52.78.100.19'])(
  'A9 a look-alike is another address: %s',
  (address) => expect(isLetIn(PROXY, address)).toBe(false),
);

test.each(['x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'])(
  'A10 %s is not looked at',
  (name) => {
    const header = { [name]: name === 'forwarded' ? `for=${LISTED}` : LISTED };
    expect([isLetIn(PROXY, undefined, header), isLetIn(PROXY, STRANGER, header)]).toEqual([false, false]);
  },
);

test('A12 a socket without an address is nobody', () => {
  expect(judge(seenFrom(undefined, LISTED))).toMatchObject({ client: null, letIn: false });
});

test('A14 loopback is no source in production', () => {
  const { sourceAddresses } = loadConfig(PRODUCTION_ENVIRONMENT).webhook;
  expect(parseAddressList(sourceAddresses).list.includes('127.0.0.1')).toBe(false);
  const withLoopback = { ...PRODUCTION_ENVIRONMENT, WEBHOOK_SOURCE_ADDRESSES: '52.78.100.19,127.0.0.1' };
  expect(() => loadConfig(withLoopback)).toThrow(ConfigError);
});

test.each(['1', '2', 'true', 'loopback', '0.0.0.0/0', '::/0', '10.0.0.0/33', 'proxy.example.com'])(
  'A15 TRUSTED_PROXIES=%s is refused at the start',
  (value) => {
    const environment = { ...PRODUCTION_ENVIRONMENT, TRUSTED_PROXIES: value };
    expect(() => loadConfig(environment)).toThrow(/TRUSTED_PROXIES/);
  },
);
