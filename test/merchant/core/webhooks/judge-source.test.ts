// The webhook reads a body only from listed senders, and in `observe` mode from every sender with an address (§6.3; rows A3 to A15
// of docs/13-faults.md). Behind a reverse proxy that is missing in TRUSTED_PROXIES every notification is refused, and the log names
// the setting.

import type { IncomingMessage } from 'node:http';
import {
  createHiddenSenderNotice,
  findHiddenSender,
  judgeSource,
  sourceRules,
} from '../../../../src/merchant/core/webhooks/judge-source';
import { webhookSettings } from '../../../../src/merchant/core/webhooks/settings';
import { parseAddressList } from '../../../../src/merchant/platform/address-list';
import { ConfigError } from '../../../../src/merchant/platform/config';
import type { Context } from '../../../../src/merchant/platform/context';
import { readSource } from '../../../../src/merchant/platform/http/source-address';
import { settingsOf } from '../../../../src/merchant/platform/settings';
import { loadConfig } from '../../../../src/merchant/settings';
import { createManualClock } from '../../../support/clock';
import { PRODUCTION_ENVIRONMENT, testConfig } from '../../../support/config';
import { createRecordedLog } from '../../../support/log';

const LISTED = '52.78.100.19';
const STRANGER = '203.0.113.7';
/** The proxy in front of the server. */
const PROXY = '127.0.0.1';

type Headers = Record<string, string>;
const via = (...hops: string[]): Headers => ({ 'x-forwarded-for': hops.join(', ') });

function startServer(trustedProxies = PROXY, sourceCheck = 'enforce') {
  const config = testConfig({
    TRUSTED_PROXIES: trustedProxies,
    WEBHOOK_SOURCE_CHECK: sourceCheck,
    WEBHOOK_SOURCE_ADDRESSES: `${LISTED},2001:db8::/32`,
  });
  const [clock, log, rules] = [createManualClock(), createRecordedLog(), sourceRules(config)];
  const notice = createHiddenSenderNotice({ config, clock, logger: log.logger } as unknown as Context);
  return {
    clock,
    hiddenSenders: () => log.events('webhook_sender_hidden'),
    receive(headers: Headers = {}, peer: string | null = PROXY) {
      const request = { socket: { remoteAddress: peer ?? undefined }, headers } as unknown as IncomingMessage;
      const judgement = judgeSource(rules, readSource(request, rules.trustedProxies));
      const hidden = judgement.listed ? null : findHiddenSender(judgement, rules, request);
      if (hidden) notice(hidden, 'request-1');
      return judgement;
    },
  };
}
const isLetIn = (...sender: Parameters<ReturnType<typeof startServer>['receive']>) =>
  startServer().receive(...sender).letIn;

test.each<[string, Headers, peer: string | null, listed: boolean, hasAddress: boolean]>([
  ['a listed sender', {}, LISTED, true, true],
  ['a sender of a listed range', {}, '2001:db8::7', true, true],
  ['a stranger', {}, STRANGER, false, true],
  ['a trusted proxy for itself', {}, PROXY, false, true],
  ['a sender whom the proxy cannot name', via('unknown'), PROXY, false, false],
  ['a sender whose socket is gone', via(LISTED), null, false, false],
])('%s: whether it is listed, and whether its body is read', (_name, headers, peer, listed, hasAddress) => {
  expect(startServer().receive(headers, peer)).toMatchObject({ listed, letIn: listed });
  const observing = startServer(PROXY, 'observe');
  expect(observing.receive(headers, peer)).toMatchObject({ listed, letIn: hasAddress });
});

test('A3 X-Forwarded-For from any other peer than the configured proxy is ignored', () => {
  expect(isLetIn(via(LISTED), '10.0.0.3')).toBe(false);
});

test('A5 the client is the address next to the trusted proxy', () => {
  expect(isLetIn(via(STRANGER, LISTED))).toBe(true);
});

test.each(['::ffff:52.78.100.19', '::ffff:344e:6413', '::FFFF:344E:6413'])(
  'A7 an IPv4-mapped IPv6 address counts as the IPv4 address: %s',
  (address) => expect([isLetIn(via(address)), isLetIn({}, address)]).toEqual([true, true]),
);

const OTHER_NUMBERS = ['064.78.100.19', '877552659', '0x344e6413', '52.78.25619'];
const DECORATED = ['52.78.100.19:443', '"52.78.100.19"', '[::ffff:52.78.100.19]', '52.78.100.19,'];
test.each([...OTHER_NUMBERS, ...DECORATED, 'unknown', ''])(
  'A8 an address in a non-standard form is refused: %j',
  (address) => expect(isLetIn(via(address))).toBe(false),
);

test('A8 a full-width digit is refused', () => {
  const asNodeReadsIt = Buffer.from('５2.78.100.19', 'utf8').toString('latin1');
  expect([isLetIn(via('５2.78.100.19')), isLetIn(via(asNodeReadsIt))]).toEqual([false, false]);
});

test.each(['::52.78.100.19', '64:ff9b::344e:6413', '2002:344e:6413::', '::ffff:0:52.78.100.19'])(
  'A9 an IPv6 address that embeds a listed IPv4 address is refused: %s',
  (address) => expect(isLetIn(via(address))).toBe(false),
);

test.each(['x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip'])(
  'A10 the header %s is ignored',
  (name) => {
    const header = { [name]: name === 'forwarded' ? `for=${LISTED}` : LISTED };
    expect([isLetIn(header), isLetIn({ ...header, ...via(STRANGER) })]).toEqual([false, false]);
  },
);

test('A12 a request whose socket has no address is refused', () => {
  expect(startServer().receive(via(LISTED), null)).toMatchObject({ client: null, letIn: false });
});

test('A14 loopback addresses are refused as sources in production', () => {
  const { WEBHOOK_SOURCE_ADDRESSES } = settingsOf(loadConfig(PRODUCTION_ENVIRONMENT), webhookSettings);
  expect(parseAddressList(WEBHOOK_SOURCE_ADDRESSES).list.includes('127.0.0.1')).toBe(false);
  const withLoopback = { ...PRODUCTION_ENVIRONMENT, WEBHOOK_SOURCE_ADDRESSES: `${LISTED},127.0.0.1` };
  expect(() => loadConfig(withLoopback)).toThrow(ConfigError);
});

test.each(['1', '2', 'true', 'loopback', '0.0.0.0/0', '::/0', '10.0.0.0/33', 'proxy.example.com'])(
  'A15 TRUSTED_PROXIES=%s is refused at startup',
  (value) => {
    const environment = { ...PRODUCTION_ENVIRONMENT, TRUSTED_PROXIES: value };
    expect(() => loadConfig(environment)).toThrow(/TRUSTED_PROXIES/);
  },
);

const endless = `for=${'1:'.repeat(3000)}`;
test.each<[string, Headers, said: string[]]>([
  ['', via(LISTED), [`proxy_not_trusted: Set TRUSTED_PROXIES=${PROXY} and`]],
  [PROXY, via(LISTED, '10.0.0.5'), [`proxy_not_trusted: Set TRUSTED_PROXIES=${PROXY},10.0.0.5 and`]],
  // It may be a foreign address.
  [PROXY, via(LISTED, STRANGER), [`proxy_not_trusted: If ${STRANGER} is your own`]],
  [PROXY, {}, ['no_forwarded_for: Have the proxy add']],
  // A private address is a proxy, whoever sent the request.
  ['', via(STRANGER), [`proxy_not_trusted: Set TRUSTED_PROXIES=${PROXY} and`]],
  ['10.0.0.9', {}, [`no_forwarded_for: Set TRUSTED_PROXIES=10.0.0.9,${PROXY} and`]],
  ...[
    `for=${LISTED}`,
    `for="${LISTED}:4711"`,
    'by=10.0.0.9; for="[2001:db8::7]"',
    `for=x, for=${LISTED};by=y`,
  ].map((forwarded): [string, Headers, string[]] => [
    PROXY,
    { forwarded, ...via(STRANGER) },
    [`no_forwarded_for: If ${STRANGER} is your own`],
  ]),
  [PROXY, via(PROXY), [`sender_is_proxy: TRUSTED_PROXIES names ${PROXY} already`]],
  [PROXY, via(`${LISTED}:4711`), ['unreadable_forwarded_for: Have the proxy write plain']],
  [PROXY, via('198.51.100.1', STRANGER), []],
  [PROXY, { forwarded: `for=${LISTED}, for=x`, ...via(STRANGER) }, []],
  [PROXY, { forwarded: endless, ...via(STRANGER) }, []],
])('with TRUSTED_PROXIES=%s, after a refusal of %j the log recommends %j', (proxies, headers, said) => {
  const server = startServer(proxies);
  expect(server.receive(headers).letIn).toBe(false);
  const lines = server.hiddenSenders().map(({ kind, fix }) => `${String(kind)}: ${String(fix)}`);
  expect(lines).toEqual(said.map((beginning) => expect.stringMatching(`^${beginning}`)));
});

test('the line says whether the request was refused', () => {
  const [enforcing, observing] = [startServer(''), startServer('', 'observe')];
  for (const server of [enforcing, observing]) server.receive(via(LISTED));
  expect(enforcing.hiddenSenders()).toMatchObject([{ refused: true }]);
  expect(observing.hiddenSenders()).toMatchObject([{ refused: false }]);
});

test('a sender whose socket is gone needs no setting', () => {
  const server = startServer('');
  server.receive(via(LISTED), null);
  expect(server.hiddenSenders()).toEqual([]);
});

test('the line is logged once in five minutes, with the number of refusals', () => {
  const { clock, receive, hiddenSenders } = startServer('');
  for (let count = 0; count < 3; count += 1) receive(via(LISTED));
  clock.advance(5 * 60 - 1);
  receive(via(LISTED));
  expect(hiddenSenders()).toMatchObject([{ times: 1 }]);
  clock.advance(1);
  receive(via(LISTED));
  expect(hiddenSenders()).toMatchObject([{ times: 1 }, { times: 4 }]);
});
