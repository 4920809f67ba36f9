// The sender of a request, from the socket and the headers of trusted proxies. Properties: test/properties/addresses.test.ts; the
// webhook's check: test/merchant/core/webhooks/judge-source.test.ts.

import type { IncomingMessage } from 'node:http';
import { parseAddressList } from '../../../../src/merchant/platform/address-list';
import { isFromThisMachine, readSource } from '../../../../src/merchant/platform/http/source-address';

const { list: PROXIES } = parseAddressList(['10.0.0.1', '10.0.0.2']);

function request(
  peer: string | undefined,
  headers: Record<string, string> = {},
  httpVersion = '1.1',
): IncomingMessage {
  return { socket: { remoteAddress: peer }, headers, httpVersion } as unknown as IncomingMessage;
}
const forwarded = (peer: string | undefined, line: string) => request(peer, { 'x-forwarded-for': line });

test.each<[string, IncomingMessage, object]>([
  ['that is no proxy', request('6.6.6.6'), { peer: '6.6.6.6', trusted: false, client: '6.6.6.6' }],
  ['whose socket is gone', forwarded(undefined, '6.6.6.6'), { peer: null, trusted: false, client: null }],
  ['that is a proxy itself', forwarded('10.0.0.1', '10.0.0.2, 10.0.0.1'), { client: '10.0.0.2' }],
  ['of which the proxy says nothing', request('10.0.0.1'), { forwardedFor: [], client: '10.0.0.1' }],
  ['that the proxy cannot name', forwarded('10.0.0.1', ' 6.6.6.6 ,x'), { forwardedFor: ['6.6.6.6', null] }],
])('a sender %s: its address', (_name, incoming, seen) => {
  expect(readSource(incoming, PROXIES)).toMatchObject(seen);
});

const LOCAL = { host: 'localhost:3000' };

test.each<[string, IncomingMessage, boolean]>([
  ['by name', request('127.0.0.1', LOCAL), true],
  ['by an address of the loopback', request('127.0.0.9', { host: '127.0.0.9:3000' }), true],
  ['by the IPv6 loopback', request('::1', { host: '[::1]:3000' }), true],
  ['in IPv6 clothes', request('::ffff:127.0.0.1', LOCAL), true],
  ['from elsewhere', request('10.0.0.3', LOCAL), false],
  ['from a socket that is gone', request(undefined, LOCAL), false],
  ['by a public name', request('127.0.0.1', { host: 'shop.example' }), false],
  ['by a name that only begins so', request('127.0.0.1', { host: 'localhost.shop.example' }), false],
  ['by no name', request('127.0.0.1'), false],
  ['by a name that is none', request('127.0.0.1', { host: 'a b' }), false],
  ['in HTTP/1.0', request('127.0.0.1', LOCAL, '1.0'), false],
  ['with X-Forwarded-For', request('127.0.0.1', { ...LOCAL, 'x-forwarded-for': '' }), false],
  ['with X-Forwarded-Proto', request('127.0.0.1', { ...LOCAL, 'x-forwarded-proto': '' }), false],
  ['with Forwarded', request('127.0.0.1', { ...LOCAL, forwarded: '' }), false],
  ['with X-Real-IP', request('127.0.0.1', { ...LOCAL, 'x-real-ip': '' }), false],
  ['with Via', request('127.0.0.1', { ...LOCAL, via: '' }), false],
  ['with a header that only sounds so', request('127.0.0.1', { ...LOCAL, 'x-via': '', viaduct: '' }), true],
])('a request %s: whether it comes from a program on this machine', (_name, incoming, isFromHere) => {
  expect(isFromThisMachine(incoming)).toBe(isFromHere);
});
