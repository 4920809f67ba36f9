// The webhook reads a body only of a sender that is listed; while it observes, of everybody who has an address (§6.3).

import type { IncomingMessage } from 'node:http';
import { parseAddressList } from '../../../src/merchant/address-list';
import { readSource } from '../../../src/merchant/http/source-address';
import { judgeSource, sourceRules } from '../../../src/merchant/webhooks/judge-source';

const LISTED = '52.78.100.19';
const rulesOf = (sourceCheck: 'enforce' | 'observe') =>
  sourceRules({
    webhook: { sourceAddresses: [LISTED, '2001:db8::/32'], sourceCheck },
    trustedProxies: ['10.0.0.1'],
  });
const PROXIES = parseAddressList(['10.0.0.1']).list;
const request = (peer: string | undefined, forwardedFor?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  }) as unknown as IncomingMessage;

test.each<[string, IncomingMessage, listed: boolean, hasAddress: boolean]>([
  ['a listed sender', request(LISTED), true, true],
  ['a listed sender in IPv6 clothes', request(`::ffff:${LISTED}`), true, true],
  ['a sender of a listed range', request('2001:db8::7'), true, true],
  ['a listed sender behind a trusted proxy', request('10.0.0.1', LISTED), true, true],
  ['a stranger', request('198.51.100.7'), false, true],
  ['a stranger who names a listed sender', request('198.51.100.7', LISTED), false, true],
  ['a stranger behind a trusted proxy', request('10.0.0.1', `${LISTED}, 198.51.100.7`), false, true],
  ['a trusted proxy for itself', request('10.0.0.1'), false, true],
  ['a sender whom the proxy cannot name', request('10.0.0.1', 'unknown'), false, false],
  ['a sender whose socket is gone', request(undefined), false, false],
])('%s: whether it is listed, and whether its body is read', (_name, incoming, listed, hasAddress) => {
  const seen = readSource(incoming, PROXIES);
  expect(judgeSource(rulesOf('enforce'), seen)).toMatchObject({ listed, letIn: listed });
  expect(judgeSource(rulesOf('observe'), seen)).toMatchObject({ listed, letIn: hasAddress });
});

test('what was seen of the sender is told with the judgement', () => {
  const seen = readSource(request('10.0.0.1', `6.6.6.6, ${LISTED}`), PROXIES);
  expect(judgeSource(rulesOf('enforce'), seen)).toEqual({
    peer: '10.0.0.1',
    trusted: true,
    forwardedFor: ['6.6.6.6', LISTED],
    client: LISTED,
    listed: true,
    letIn: true,
  });
});
