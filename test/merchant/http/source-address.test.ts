// Who sent a request: the socket, and what trusted proxies say of it.

import type { IncomingMessage } from 'node:http';
import { parseAddressList } from '../../../src/merchant/address-list';
import { isFromThisMachine, readSource, sourceAddress } from '../../../src/merchant/http/source-address';

const { list: PROXIES } = parseAddressList(['10.0.0.1', '10.0.0.2']);

function request(
  peer: string | undefined,
  headers: Record<string, string> = {},
  httpVersion = '1.1',
): IncomingMessage {
  return { socket: { remoteAddress: peer }, headers, httpVersion } as unknown as IncomingMessage;
}
const forwarded = (peer: string | undefined, line: string) => request(peer, { 'x-forwarded-for': line });

test.each<[string, IncomingMessage, string | null]>([
  ['without a proxy is the peer', request('52.78.100.19'), '52.78.100.19'],
  ['in IPv6 clothes is the IPv4 address', request('::ffff:52.78.100.19'), '52.78.100.19'],
  ['whose socket is gone is nobody', request(undefined), null],
  ['whose socket is gone is nobody, whatever it wrote', forwarded(undefined, '52.78.100.19'), null],
  ['that is no trusted proxy is not believed', forwarded('10.0.0.3', '52.78.100.19'), '10.0.0.3'],
  ['behind a trusted proxy is what that one saw', forwarded('10.0.0.1', '52.78.100.19'), '52.78.100.19'],
  ['that put an address in front is itself', forwarded('10.0.0.1', '52.78.100.19, 6.6.6.6'), '6.6.6.6'],
  ['behind two proxies is what the first saw', forwarded('10.0.0.1', '6.6.6.6,10.0.0.2'), '6.6.6.6'],
  ['that is a proxy itself is the first of them', forwarded('10.0.0.1', '10.0.0.2, 10.0.0.1'), '10.0.0.2'],
  ['of which the proxy says nothing is the proxy', request('10.0.0.1'), '10.0.0.1'],
  ['of which the proxy writes no address is nobody', forwarded('10.0.0.1', '52.78.100.19, unknown'), null],
  ['of which the proxy writes an empty line is nobody', forwarded('10.0.0.1', ''), null],
])('a sender %s', (_name, incoming, client) => {
  expect(sourceAddress(incoming, PROXIES)).toBe(client);
});

test('what was seen is told with it, from left to right', () => {
  expect(readSource(forwarded('10.0.0.1', ' 6.6.6.6 ,nobody'), PROXIES)).toEqual({
    peer: '10.0.0.1',
    trusted: true,
    forwardedFor: ['6.6.6.6', null],
    client: null,
  });
  expect(readSource(request('6.6.6.6'), PROXIES)).toEqual({
    peer: '6.6.6.6',
    trusted: false,
    forwardedFor: [],
    client: '6.6.6.6',
  });
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
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'via'].map(
    (name): [string, IncomingMessage, boolean] => [
      `with ${name}`,
      request('127.0.0.1', { ...LOCAL, [name]: '' }),
      false,
    ],
  ),
  ['with a header that only sounds so', request('127.0.0.1', { ...LOCAL, 'x-via': '', viaduct: '' }), true],
])('a request %s: whether it comes from a program on this machine', (_name, incoming, isFromHere) => {
  expect(isFromThisMachine(incoming)).toBe(isFromHere);
});
