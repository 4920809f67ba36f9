// Identifiers and the addresses of calls: whatever a value is, a call goes to the place that its template names, or is not
// sent.

import fc from 'fast-check';
import { ServiceError } from '../../src/merchant/errors';
import { isCustomerUid, isMerchantUid, isSvcUid } from '../../src/merchant/payment-service/identifiers';
import { checkValues, fillPath, toUrl } from '../../src/merchant/payment-service/transport/request';
import { wireNames } from '../../src/merchant/payment-service/transport/wire-names';
import { holds } from '../support/property';

/** Pieces out of which tricks are made. */
const trick = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['.', '..', '/', '\\', '%2e', '%2f', '?', '#', ';', ':', '@', '&', '=', '%', ' ', '\n', '\0'],
      ),
      fc.constantFrom('payments', 'svc_1', 'order-1', 'a', '0', '_', '-', '．', '％2f', '\ud800'),
    ),
    { maxLength: 6 },
  )
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
const names = wireNames('abc');
const word = fc.constantFrom('payments', 'find', 'subscribe', 'customers');

/** The address of the call; null where it was refused before anything was sent. */
function urlOrNull(request: Parameters<typeof toUrl>[0], base: string): URL | null {
  try {
    return new URL(toUrl(request, { baseUrl: base, names }));
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).facts.kind).toBe('refused');
    return null;
  }
}
const segments = (path: string) => path.split('/').filter((part) => part !== '');

test('an identifier is ASCII, at most 80 long, and says nothing but itself in an address', () => {
  holds(
    fc.property(anyText, (text) => {
      if (!isSvcUid(text) && !isMerchantUid(text) && !isCustomerUid(text)) return;
      expect(text).toMatch(/^[\w.-]{1,80}$/);
      expect(encodeURIComponent(text)).toBe(text);
      expect(new URL(`https://x.example/a/${text}`).pathname).toBe(`/a/${text}`);
    }),
  );
});

test('what is no text is no identifier, whatever it turns into as one', () => {
  const value = fc.oneof(fc.anything(), fc.constant({ toString: () => 'svc_1' }), fc.constant(['svc_1']));
  holds(
    fc.property(value, (each) => {
      fc.pre(typeof each !== 'string');
      expect([isSvcUid(each), isMerchantUid(each), isCustomerUid(each)]).toEqual([false, false, false]);
    }),
  );
});

test('one sign that is no letter, digit, dash, underscore or dot makes an identifier none, wherever it stands', () => {
  const other = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 1 })
    .filter((sign) => !/[\w.-]/.test(sign));
  const part = fc.stringMatching(/^[\w-]{0,20}$/);
  holds(
    fc.property(
      part,
      fc.oneof(other, fc.constantFrom('\n', '\r', '/', '%', '\0', '？')),
      part,
      (left, sign, right) => {
        const text = left + sign + right;
        expect([isSvcUid(text), isMerchantUid(text), isCustomerUid(text)]).toEqual([false, false, false]);
      },
    ),
  );
});

test('a placeholder becomes exactly one segment below its prefix, or nothing is sent', () => {
  holds(
    fc.property(baseUrl, word, placeholder, anyText, (base, prefix, name, text) => {
      const path = `/${prefix}/{${name}}`;
      const url = urlOrNull({ method: 'GET', path, ids: { [name]: text } }, base);
      expect(url !== null).toBe(PLACEHOLDERS[name](text));
      if (url === null) return;
      const { origin, pathname } = new URL(base);
      expect(url.origin).toBe(origin);
      expect(segments(url.pathname)).toEqual([...segments(pathname), prefix, text]);
    }),
  );
});

test('two placeholders are two segments, and what follows them stands where it stood', () => {
  const id = fc.oneof(anyText, fc.stringMatching(/^[\w-]{1,64}$/));
  holds(
    fc.property(baseUrl, id, id, (base, customerUid, merchantUid) => {
      const path = '/subscribe/{customer_uid}/of/{merchant_uid}/end';
      const url = urlOrNull(
        { method: 'GET', path, ids: { customer_uid: customerUid, merchant_uid: merchantUid } },
        base,
      );
      if (url === null) return;
      expect(segments(url.pathname).slice(-5)).toEqual(['subscribe', customerUid, 'of', merchantUid, 'end']);
    }),
  );
});

test('no identifier makes a query, a fragment or a user of an address', () => {
  holds(
    fc.property(baseUrl, placeholder, anyText, (base, name, text) => {
      const url = urlOrNull({ method: 'GET', path: `/payments/{${name}}`, ids: { [name]: text } }, base);
      if (url === null) return;
      expect([url.search, url.hash, url.username, url.password]).toEqual(['', '', '', '']);
      expect(url.href).not.toMatch(/[?#@\\]/);
    }),
  );
});

test('each value of a query comes out as it went in, under its name on the wire, and moves no path', () => {
  const value = fc.oneof(
    fc.string(),
    trick.map((text) => text.replaceAll('\ud800', '')),
    fc.integer(),
  );
  const query = fc.record({
    q: value,
    'name[]': fc.array(fc.string(), { maxLength: 3 }),
    'svc_uid[]': fc.array(fc.string(), { maxLength: 3 }),
  });
  holds(
    fc.property(baseUrl, query, (base, sent) => {
      const url = urlOrNull({ method: 'GET', path: '/payments', query: sent }, base);
      expect(url?.searchParams.getAll('q')).toEqual([String(sent.q)]);
      expect(url?.searchParams.getAll('name[]')).toEqual(sent['name[]']);
      expect(url?.searchParams.getAll('abc_uid[]')).toEqual(sent['svc_uid[]']);
      expect([url?.hash, segments(url?.pathname ?? '').at(-1)]).toEqual(['', 'payments']);
    }),
  );
});

test('a placeholder that has no check stops the call, whatever stands there', () => {
  const unknown = fc
    .stringMatching(/^[a-z_]{1,12}$/)
    .filter(
      (name) => !/_(uid|id|at|to|from|free|quota|status)$|^(amount|checksum|from|to|page|limit)$/.test(name),
    );
  holds(
    fc.property(unknown, anyText, (name, text) => {
      expect(() => fillPath({ method: 'GET', path: `/x/{${name}}` }, { [name]: text })).toThrow(
        'nothing was sent',
      );
    }),
  );
});

test('a malformed value in a body stops the call at any depth, and is not repeated in the error', () => {
  const bad = fc.oneof(
    fc.record({
      name: fc.constant('amount'),
      value: fc.oneof(fc.constantFrom(0, -1, NaN, 2 ** 53, '1000', null), fc.double({ noInteger: true })),
    }),
    fc.record({
      name: placeholder,
      value: anyText.filter((text) => !isMerchantUid(text) && !isCustomerUid(text)),
    }),
  );
  holds(
    fc.property(
      bad,
      fc.array(fc.constantFrom('list', 'object'), { maxLength: 5 }),
      ({ name, value }, wraps) => {
        const body = wraps.reduce<object>(
          (inner, wrap) => (wrap === 'list' ? { schedules: [{ fine: 1 }, inner] } : { extra: inner }),
          { [name]: value },
        );
        const error = thrownBy(() => checkValues({ method: 'POST', path: '/x' }, body));
        expect(error.facts).toEqual({
          kind: 'refused',
          method: 'POST',
          path: '/x',
          detail: `malformed ${name}, nothing was sent`,
        });
      },
    ),
  );
});

function thrownBy(work: () => void): ServiceError {
  try {
    work();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('nothing was thrown');
}
