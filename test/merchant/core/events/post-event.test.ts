// A name is resolved once per connection, and the checked address is the one connected to, which prevents DNS rebinding.

import type { LookupAddress } from 'node:dns';
import {
  judgedLookup,
  PrivateAddressError,
  sharedLookup,
  type Resolve,
} from '../../../../src/merchant/core/events/post-event';

/** Answers with these, one after the other. */
function resolver(...answers: string[][]) {
  const asked: string[] = [];
  const resolve: Resolve = (hostname, _options, callback) => {
    asked.push(hostname);
    const addresses = answers.shift() ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, resolve };
}

const lookUp = (resolve: Resolve, all: boolean, allow?: string[]) =>
  new Promise<[Error | null, string | LookupAddress[]]>((done) =>
    judgedLookup(resolve, allow)('shop.example.com', { all }, (error, addresses) => done([error, addresses])),
  );

test('what was resolved and judged is what is connected to', async () => {
  const { asked, resolve } = resolver(['203.0.113.7', '2001:db8::7'], ['203.0.113.7']);
  const both = [
    { address: '203.0.113.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ];
  expect(await lookUp(resolve, true)).toEqual([null, both]);
  expect(await lookUp(resolve, false)).toEqual([null, '203.0.113.7']);
  expect(asked).toEqual(['shop.example.com', 'shop.example.com']);
});

test.each([['127.0.0.1'], ['203.0.113.7', '10.0.0.8'], ['64:ff9b::7f00:1']])(
  'a name that leads to %s is refused, whatever else it leads to',
  async (...addresses) => {
    for (const all of [true, false])
      expect((await lookUp(resolver(addresses).resolve, all))[0]).toBeInstanceOf(PrivateAddressError);
  },
);

test.each([
  ['shop.example.com', ['169.254.1.1']],
  ['10.0.0.0/24', ['10.0.0.8']],
  ['10.0.0.0/24', ['203.0.113.7', '10.0.0.8']],
])('where %s is allowed, a name that leads to %j is connected to', async (allowed, addresses) => {
  expect((await lookUp(resolver(addresses).resolve, false, [allowed]))[0]).toBe(null);
});

test.each([
  ['other.example.com', ['10.0.0.8']],
  ['example.com', ['10.0.0.8']],
  ['10.0.0.0/24', ['10.0.0.8', '10.0.1.8']],
  ['10.0.0.0/24', ['127.0.0.1']],
])('where %s is allowed, a name that leads to %j is refused', async (allowed, addresses) => {
  const [error] = await lookUp(resolver(addresses).resolve, false, [allowed]);
  expect(error).toBeInstanceOf(PrivateAddressError);
});

test('a name server that hangs is asked once for all connections to one host, and again once it has answered', () => {
  const asked: Parameters<Resolve>[2][] = [];
  const resolve = sharedLookup((_hostname, _options, callback) => asked.push(callback));
  const answers: unknown[] = [];
  const ask = (hostname: string) =>
    resolve(hostname, { all: true }, (error, addresses) => answers.push(error ?? addresses));
  for (const hostname of ['shop.example.com', 'shop.example.com', 'other.example.com']) ask(hostname);
  expect([asked.length, answers]).toEqual([2, []]);
  const found = [{ address: '203.0.113.7', family: 4 }];
  asked[0]?.(null, found);
  expect(answers).toEqual([found, found]);
  ask('shop.example.com');
  expect(asked).toHaveLength(3);
});
