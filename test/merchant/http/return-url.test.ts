// Which addresses a page may send the browser back to. Whatever is taken leads to this server or to a listed origin, also
// after the customer_uid was added to it.

import fc from 'fast-check';
import { HttpError } from '../../../src/merchant/errors';
import {
  getReturnUrl,
  parseReturnUrl,
  withCustomerUid,
  withReturnUrl,
} from '../../../src/merchant/http/return-url';
import { holds } from '../../support/property';

const SHOP = 'https://shop.example.com';
const CONFIG = { returnOrigins: [SHOP, 'http://localhost:8080'] };
const parse = (text: unknown) => parseReturnUrl(CONFIG, text);

test.each([
  ['/', '/'],
  ['/checkout?order=7&step=2#cards', '/checkout?order=7&step=2#cards'],
  ['/cards', '/cards'],
  ['/%2f%2fevil.example', '/%2f%2fevil.example'],
  ['/@evil.example', '/@evil.example'],
  ['/결제?이름=차', '/%EA%B2%B0%EC%A0%9C?%EC%9D%B4%EB%A6%84=%EC%B0%A8'],
  ['/a/../b', '/b'],
  ['/?next=//evil.example', '/?next=//evil.example'],
])('a path of this server is taken: %s', (text, address) => expect(parse(text)).toBe(address));

test.each([
  ['https://shop.example.com', 'https://shop.example.com/'],
  ['https://shop.example.com/pay?order=7#x', 'https://shop.example.com/pay?order=7#x'],
  ['HTTPS://SHOP.example.COM/pay', 'https://shop.example.com/pay'],
  ['https://shop.example.com:443/pay', 'https://shop.example.com/pay'],
  ['https://shop.example.com//evil.example', 'https://shop.example.com//evil.example'],
  ['http://localhost:8080/pay', 'http://localhost:8080/pay'],
])('an address of a listed origin is taken, as browsers write it: %s', (text, address) =>
  expect(parse(text)).toBe(address),
);

test.each([
  '',
  ' ',
  'checkout',
  './checkout',
  '?a=b',
  '#a',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nSet-Cookie: a=b',
  '/a\u0000b',
  '\t/checkout',
  ' /checkout',
  ' //evil.example',
  '%2f%2fevil.example',
  '%2Fcheckout',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https:shop.example.com',
  'https:/shop.example.com/pay',
  'https:\\\\shop.example.com',
  'https://',
  'https://evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'javascript:alert(1)',
  'JavaScript://shop.example.com/%0aalert(1)',
  'data:text/html,x',
  'blob:https://shop.example.com/x',
  'ftp://shop.example.com/',
  'https://shop.example.com@evil.example/',
  'https://shop.example.com:443@evil.example/',
  'https://user@shop.example.com/',
  'https://user:word@shop.example.com/',
  'https://evil.example\\@shop.example.com/',
  'https://evil.example/https://shop.example.com',
  'https://evil.example?https://shop.example.com',
  'https://evil.example#@shop.example.com',
  'https://shop.example.com.',
  'https://shop.example.com./pay',
  'https://shop.example.com.evil.example',
  'https://evilshop.example.com',
  'https://example.com',
  'https://a.shop.example.com',
  'https://shop.example.com:8443/',
  'https://shop.example.com:80/',
  'http://shop.example.com/',
  'http://localhost/',
  'http://localhost:80800/',
  'https://shop。example。com.evil.example/',
  'https://evil。example/',
  'https://shop.examp\u0142e.com/',
  'https://sh\u043ep.example.com/',
  '／/evil.example',
  'https://shop.example.com\u2028/',
  'https://shop.exa\tmple.com/',
  `/${'a'.repeat(1000)}`,
  `/${'카'.repeat(112)}`,
  `https://shop.example.com/${'카'.repeat(112)}`,
  '/\ud800',
  null,
  7,
  ['/checkout'],
  { toString: () => '/checkout' },
])('%j is refused', (text) => {
  expect(parse(text)).toBeNull();
  expect(() => getReturnUrl(CONFIG, text)).toThrow(new HttpError('return_url_refused'));
});

test('without a setting no other origin is taken, and a path is', () => {
  expect(parseReturnUrl({ returnOrigins: [] }, `${SHOP}/pay`)).toBeNull();
  expect(parseReturnUrl({ returnOrigins: [] }, '/pay')).toBe('/pay');
});

test('a request that names no address has none', () => expect(getReturnUrl(CONFIG, undefined)).toBeNull());

test.each([
  ['/pay', '/pay?customer_uid=card_1'],
  ['/pay?', '/pay?customer_uid=card_1'],
  ['/pay?order=7', '/pay?order=7&customer_uid=card_1'],
  ['/pay?q=a%20b+c&x#cards', '/pay?q=a%20b+c&x&customer_uid=card_1#cards'],
  ['/pay#a?b', '/pay?customer_uid=card_1#a?b'],
  ['/pay?customer_uid=card_0&order=7', '/pay?order=7&customer_uid=card_1'],
  ['/pay?order=7&customer%5Fuid=card_0', '/pay?order=7&customer_uid=card_1'],
  ['https://shop.example.com/', 'https://shop.example.com/?customer_uid=card_1'],
])('%s gets the customer_uid: %s', (returnUrl, address) =>
  expect(withCustomerUid(returnUrl, 'card_1')).toBe(address),
);

test('one of our paths carries the address in its query', () => {
  expect(withReturnUrl('/cards/new', null)).toBe('/cards/new');
  expect(withReturnUrl('/cards/new', '/pay?a=1&b=2')).toBe('/cards/new?return_url=%2Fpay%3Fa%3D1%26b%3D2');
  expect(withReturnUrl('/x?y=1', '/pay')).toBe('/x?y=1&return_url=%2Fpay');
});

/** Pieces out of which such tricks are made. */
const trick = fc
  .array(
    fc.constantFrom(
      ...['/', '\\', '.', '..', ':', '@', '?', '#', '%2f', '%5c', '%00', '\t', '\n', ' ', '\u3002', '\uff0f'],
      ...[
        'http',
        'https:',
        'HTTPS://',
        'javascript:',
        'evil.example',
        'shop.example.com',
        '443',
        'customer_uid=',
      ],
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''));

test('nothing that is taken leads a browser anywhere else, with or without the customer_uid', () => {
  const ours = 'https://merchant.example.com';
  holds(
    fc.property(
      fc.oneof(
        trick,
        trick.map((text) => `/${text}`),
        trick.map((text) => SHOP + text),
      ),
      (text) => {
        const returnUrl = parse(text);
        if (returnUrl === null) return;
        const isPath = returnUrl.startsWith('/');
        for (const address of [returnUrl, withCustomerUid(returnUrl, 'card_1')]) {
          expect(new URL(address, `${ours}/cards`).origin).toBe(isPath ? ours : SHOP);
          expect(address).toMatch(/^[\x21-\x7e]+$/);
          expect(parse(address)).toBe(address);
        }
      },
    ),
    5,
  );
});

test('an address carries exactly one customer_uid afterwards, and the rest of its query as it was', () => {
  const NAMES = ['customer_uid', 'customer%5Fuid', 'order', 'a', ''];
  const pair = fc.tuple(
    fc.constantFrom(...NAMES),
    fc.webQueryParameters({ size: 'small' }).map((text) => text.replaceAll('&', '')),
  );
  const query = fc
    .array(pair, { maxLength: 5 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`));
  const hash = fc.option(fc.webFragments({ size: 'small' }));
  holds(
    fc.property(fc.constantFrom('/pay', `${SHOP}/pay`), query, hash, (path, pairs, fragment) => {
      const returnUrl = `${path}?${pairs.join('&')}${fragment === null ? '' : `#${fragment}`}`;
      const address = new URL(withCustomerUid(returnUrl, 'card_1'), SHOP);
      expect(address.searchParams.getAll('customer_uid')).toEqual(['card_1']);
      const others = [...new URL(returnUrl, SHOP).searchParams].filter(([name]) => name !== 'customer_uid');
      expect([...address.searchParams].slice(0, -1)).toEqual(others);
      expect(address.hash).toBe(new URL(returnUrl, SHOP).hash);
    }),
  );
});

test('an address to return to comes out of the query of our path as it went in', () => {
  holds(
    fc.property(
      fc.constantFrom('/cards/new', '/x?y=1'),
      trick.map((text) => `/${text}`),
      (path, text) => {
        const returnUrl = parse(text);
        fc.pre(returnUrl !== null);
        const carried = new URL(withReturnUrl(path, returnUrl), SHOP);
        expect(carried.searchParams.getAll('return_url')).toEqual([returnUrl]);
        expect(parse(carried.searchParams.get('return_url'))).toBe(returnUrl);
      },
    ),
  );
});
