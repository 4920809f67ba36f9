// Behind a reverse proxy that TRUSTED_PROXIES does not name, every notification is refused: the log says so, and with which
// setting it ends. A stranger is no such case.

import type { IncomingMessage } from 'node:http';
import type { Context } from '../../../src/merchant/context';
import { readSource } from '../../../src/merchant/http/source-address';
import { createHiddenSenderNotice, findHiddenSender } from '../../../src/merchant/webhooks/hidden-sender';
import { judgeSource, sourceRules } from '../../../src/merchant/webhooks/judge-source';
import { createManualClock } from '../../support/clock';
import { testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';

const LISTED = '52.78.100.19';
const STRANGER = '203.0.113.7';

type Headers = { 'x-forwarded-for'?: string; forwarded?: string };
const through = (...hops: string[]): Headers => ({ 'x-forwarded-for': hops.join(', ') });

/** A server behind a proxy on its own machine. */
function startServer(trustedProxies: string) {
  const config = testConfig({ TRUSTED_PROXIES: trustedProxies });
  const [clock, log] = [createManualClock(), createRecordedLog()];
  const notice = createHiddenSenderNotice({ config, clock, logger: log.logger } as unknown as Context);
  const rules = sourceRules(config);
  function refuse(headers: Headers): Record<string, unknown>[] {
    const request = { socket: { remoteAddress: '127.0.0.1' }, headers } as unknown as IncomingMessage;
    const hidden = findHiddenSender(
      judgeSource(rules, readSource(request, rules.trustedProxies)),
      rules,
      request,
    );
    if (hidden) notice(hidden, 'request-1');
    return log.events('webhook_sender_hidden');
  }
  return { clock, refuse };
}

type Said = { kind: string; proxy: string; fix?: unknown };
test.each<[string, trustedProxies: string, Headers, Said]>([
  [
    'a proxy on this machine that nobody has named',
    '',
    through(LISTED),
    { kind: 'proxy_not_trusted', proxy: '127.0.0.1', fix: 'Set TRUSTED_PROXIES=127.0.0.1 and restart.' },
  ],
  [
    'a second proxy that nobody has named',
    '127.0.0.1',
    through(LISTED, '10.0.0.5'),
    {
      kind: 'proxy_not_trusted',
      proxy: '10.0.0.5',
      fix: 'Set TRUSTED_PROXIES=127.0.0.1,10.0.0.5 and restart.',
    },
  ],
  [
    'a proxy with a public address, which may be a stranger',
    '127.0.0.1',
    through(LISTED, STRANGER),
    { kind: 'proxy_not_trusted', proxy: STRANGER, fix: expect.stringMatching(/^If 203.* leave it out\.$/) },
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
    through('127.0.0.1'),
    {
      kind: 'sender_is_proxy',
      proxy: '127.0.0.1',
      fix: expect.stringMatching(/^TRUSTED_PROXIES names 127\.0\.0\.1 already: (?!.*restart)/),
    },
  ],
  [
    'a proxy that says it in Forwarded only',
    '127.0.0.1',
    { ...through(STRANGER), forwarded: `for=10.0.0.1, for="${LISTED}:4711";proto=https` },
    { kind: 'no_forwarded_for', proxy: STRANGER },
  ],
  [
    'a trusted proxy that writes a port beside the address',
    '127.0.0.1',
    through(`${LISTED}:4711`),
    {
      kind: 'unreadable_forwarded_for',
      proxy: '127.0.0.1',
      fix: expect.stringContaining('plain addresses'),
    },
  ],
])('%s is named in the log, with what to do', (_name, trustedProxies, headers, said) => {
  expect(startServer(trustedProxies).refuse(headers)).toMatchObject([{ ...said, refused: true, times: 1 }]);
});

test.each<Headers>([
  through(STRANGER),
  through('198.51.100.1', STRANGER),
  { ...through(STRANGER), forwarded: 'for=198.51.100.1' },
  { ...through(STRANGER), forwarded: `for=${'1:'.repeat(3000)}` },
])('a stranger is refused without such a line: %j', (headers) => {
  expect(startServer('127.0.0.1').refuse(headers)).toEqual([]);
});

test('the line comes once in five minutes, and says how often it was so', () => {
  const { clock, refuse } = startServer('');
  for (let count = 0; count < 3; count += 1) refuse(through(LISTED));
  clock.advance(5 * 60 - 1);
  expect(refuse(through(LISTED))).toMatchObject([{ times: 1 }]);
  clock.advance(1);
  expect(refuse(through(LISTED))).toMatchObject([{ times: 1 }, { times: 4 }]);
});
