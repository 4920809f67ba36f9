// The addresses that a page may redirect the browser to. Every accepted address leads to this server or to a listed origin, also after
// the customer_uid was added.

import fc from 'fast-check';
import { HttpError } from '../../../../src/merchant/platform/errors';
import {
  getReturnUrl,
  parseReturnUrl,
  withCustomerUid,
} from '../../../../src/merchant/platform/http/return-url';
import { platformErrors } from '../../../../src/merchant/platform/platform-errors';
import { holds } from '../../../support/property';

const SHOP = 'https://shop.example.com';
const CONFIG = { returnOrigins: [SHOP, 'http://localhost:8080'] };
const parse = (text: unknown) => parseReturnUrl(CONFIG, text);

test.each([
  ['/', '/'],
  ['/checkout?order=7&step=2#cards', '/checkout?order=7&step=2#cards'],
  ['/%2f%2fevil.example', '/%2f%2fevil.example'],
  ['/결제?이름=차', '/%EA%B2%B0%EC%A0%9C?%EC%9D%B4%EB%A6%84=%EC%B0%A8'],
  ['/a/../b', '/b'],
  ['/?next=//evil.example', '/?next=//evil.example'],
  ['https://shop.example.com/pay?order=7#x', 'https://shop.example.com/pay?order=7#x'],
  ['HTTPS://SHOP.example.COM:443/pay', 'https://shop.example.com/pay'],
  ['https://shop.example.com//evil.example', 'https://shop.example.com//evil.example'],
])('a path or an address of a listed origin is accepted, as browsers write it: %s', (text, address) =>
  expect(parse(text)).toBe(address),
);

const REFUSED = {
  'is no address': ['', ' ', 'checkout', './checkout', '?a=b', '#a', '%2f%2fevil.example'],
  'is no text': [null, 7, ['/checkout'], { toString: () => '/checkout' }],
  'would lead to a host': ['//evil.example', ' //evil.example', '／/evil.example'],
  'would do so once it is written anew': ['/.//evil.example', '/a/..//evil.example', '/%2e//evil.example'],
  'has a backslash': ['/\\evil.example', '\\/evil.example', 'https:\\\\shop.example.com'],
  'has what browsers leave out': ['/\t/evil.example', '/\n/a', '/a\u0000b', '\t/a', ' /a', '/\r\na: b'],
  'has half a letter': ['/\ud800'],
  'lacks slashes': ['https:evil.example', 'https:///evil.example', 'https:shop.example.com'],
  'leads nowhere': ['https://', 'http://localhost:80800/', `${SHOP}\u2028/`],
  'is another site': ['https://evil.example', 'HTTPS://EVIL.EXAMPLE', 'https://evil。example/'],
  'is named like the shop': [`${SHOP}.evil.example`, `${SHOP}./pay`, 'https://evilshop.example.com'],
  'is beside the shop': [
    'https://a.shop.example.com',
    'https://example.com',
    'https://sh\u043ep.example.com/',
  ],
  'has the shop elsewhere': ['https://evil.example/shop.example.com', `https://evil.example#@${SHOP}`],
  'has another scheme': ['http://shop.example.com/', 'javascript:alert(1)', `blob:${SHOP}/x`],
  'hides a script': ['JavaScript://shop.example.com/%0aalert(1)', 'data:text/html,x'],
  'names a user': ['https://user:word@shop.example.com/', `${SHOP}@evil.example/`],
  'has another port': [`${SHOP}:8443/`, `${SHOP}:80/`, 'http://localhost/'],
  'is too long, or is so as it is sent': [`/${'a'.repeat(1000)}`, `/${'카'.repeat(112)}`],
};
test('a repeated address counts once, and of two that differ neither', () => {
  expect(parse(['/checkout', '/checkout'])).toBe('/checkout');
  expect(parse(['/checkout', '/elsewhere'])).toBeNull();
});

const cases = Object.entries(REFUSED).flatMap(([why, texts]) => texts.map((text) => [text, why]));
test.each(cases)('%j is refused: it %s', (text) => {
  expect(parse(text)).toBeNull();
  expect(() => getReturnUrl(CONFIG, text)).toThrow(new HttpError(platformErrors.return_url_refused));
});

test('without a setting only paths are accepted, and the address is optional', () => {
  expect(parseReturnUrl({ returnOrigins: [] }, `${SHOP}/pay`)).toBeNull();
  expect(parseReturnUrl({ returnOrigins: [] }, '/pay')).toBe('/pay');
  expect(getReturnUrl(CONFIG, undefined)).toBeNull();
});

test.each([
  ['/pay?q=a%20b+c&x#cards', '/pay?q=a%20b+c&x&customer_uid=card_1#cards'],
  ['/pay#a?b', '/pay?customer_uid=card_1#a?b'],
  ['/pay?customer_uid=card_0&order=7&customer%5Fuid=x', '/pay?order=7&customer_uid=card_1'],
  ['https://shop.example.com/', 'https://shop.example.com/?customer_uid=card_1'],
])('%s gets the customer_uid: %s', (returnUrl, address) =>
  expect(withCustomerUid(returnUrl, 'card_1')).toBe(address),
);

/** Parts of hostile addresses. */
const SIGNS = [...'/\\.:@?#\t\n \u3002\uff0f', '..', '%2f', '%5c', '%00'];
const WORDS = ['http', 'https:', 'HTTPS://', 'javascript:', 'evil.example', '443', 'customer_uid='];
const trick = fc
  .array(fc.constantFrom(...SIGNS, ...WORDS, 'shop.example.com'), { maxLength: 10 })
  .map((parts) => parts.join(''));
const pathTrick = trick.map((text) => `/${text}`);
const shopTrick = trick.map((text) => SHOP + text);

test('an accepted address never leads a browser to another origin, with or without the customer_uid', () => {
  const ours = 'https://merchant.example.com';
  holds(
    fc.property(fc.oneof(trick, pathTrick, shopTrick), (text) => {
      const returnUrl = parse(text);
      if (returnUrl === null) return;
      const isPath = returnUrl.startsWith('/');
      for (const address of [returnUrl, withCustomerUid(returnUrl, 'card_1')]) {
        expect(new URL(address, `${ours}/cards`).origin).toBe(isPath ? ours : SHOP);
        expect(address).toMatch(/^[\x21-\x7e]+$/);
        expect(parse(address)).toBe(address);
      }
    }),
    5,
  );
});
