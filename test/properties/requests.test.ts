// Identifiers in the paths of calls: for any value, a call goes to the path of its template, or is not sent.

import axios from 'axios';
import fc from 'fast-check';
import { isCustomerUid, isMerchantUid, isSvcUid } from '../../src/merchant/payment-service/identifiers';
import { ServiceError } from '../../src/merchant/payment-service/records/service-error';
import { checkRequest, type ServiceRequest } from '../../src/merchant/payment-service/transport/request';
import { holds } from '../support/property';

/** Parts of hostile identifiers. */
const SIGNS = ['.', '..', '/', '\\', '%2e', '%2f', '?', '#', ';', ':', '@', '&', '=', '%', ' ', '\n', '\0'];
const WORDS = ['payments', 'svc_1', 'order-1', 'a', '0', '_', '-', '．', '％2f', '\ud800'];
const trick = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS), fc.constantFrom(...WORDS)), { maxLength: 6 })
  .map((parts) => parts.join(''));
const anyText = fc.oneof(
  trick,
  fc.string({ unit: 'binary' }),
  fc.webSegment(),
  fc.stringMatching(/^[\w.-]{1,90}$/),
);
const PLACEHOLDERS = {
  svc_uid: isSvcUid,
  merchant_uid: isMerchantUid,
  payment_id: isMerchantUid,
  customer_uid: isCustomerUid,
};
type Placeholder = keyof typeof PLACEHOLDERS;
const placeholder = fc.constantFrom(...(Object.keys(PLACEHOLDERS) as Placeholder[]));
const baseUrl = fc.constantFrom(
  'https://api.example.com',
  'https://api.example.com/',
  'https://api.example.com/v1',
  'http://127.0.0.1:8080/a/b//',
);

/** The URL of the call; null if it was refused before anything was sent. */
function urlOrNull(request: ServiceRequest, baseURL: string): URL | null {
  try {
    return new URL(axios.getUri({ baseURL, url: checkRequest(request) }));
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).facts.kind).toBe('refused');
    return null;
  }
}
const segments = (path: string) => path.split('/').filter((part) => part !== '');

test('an identifier has only letters, digits, dashes, underscores and dots, at most 80, and is unchanged in a URL', () => {
  const part = fc.stringMatching(/^[\w-]{0,20}$/);
  const sign = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom(...SIGNS));
  const withOneSign = fc.tuple(part, sign, part).map((parts) => parts.join(''));
  holds(
    fc.property(fc.oneof(anyText, withOneSign), (text) => {
      if (!isSvcUid(text) && !isMerchantUid(text) && !isCustomerUid(text)) return;
      expect(text).toMatch(/^[\w.-]{1,80}$/);
      expect(encodeURIComponent(text)).toBe(text);
      expect(new URL(`https://x.example/a/${text}`).pathname).toBe(`/a/${text}`);
    }),
  );
});

test('a placeholder becomes exactly one path segment without query, fragment or user, or nothing is sent', () => {
  holds(
    fc.property(baseUrl, placeholder, anyText, (base, name, text) => {
      const url = urlOrNull({ method: 'GET', path: `/find/{${name}}/end`, ids: { [name]: text } }, base);
      expect(url !== null).toBe(PLACEHOLDERS[name](text));
      if (url === null) return;
      const { origin, pathname } = new URL(base);
      expect(url.origin).toBe(origin);
      expect(segments(url.pathname)).toEqual([...segments(pathname), 'find', text, 'end']);
      expect(url.href).not.toMatch(/[?#@\\]/);
    }),
  );
});
