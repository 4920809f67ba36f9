// An identifier that could change the path of a call is never sent.

import { isCustomerUid, isMerchantUid, isSvcUid } from '../../../src/merchant/payment-service/identifiers';
import { checkValues, fillPath } from '../../../src/merchant/payment-service/transport/request';

const BENDING: [row: string, value: unknown][] = [
  ['C1', '../users/getToken'],
  ['C2', '..'],
  ['C2', '.'],
  ['C2', ''],
  ['C3', '..%2Fusers'],
  ['C3', '%2e%2e'],
  ['C3', '..\\users'],
  ['C3', 'status/all'],
  ['C3', 'a?x=1'],
  ['C3', 'a#f'],
  ['C3', 'a;x'],
  ['C4', 'http://evil.example/x'],
  ['C4', '//evil.example/x'],
  ['line end', 'svc_1\n'],
  ['full width', 'svc_１'],
  ['NUL', 'svc\u0000'],
  ['too long', 'a'.repeat(81)],
  ['a number', 12],
  ['a list', ['svc_1']],
  ['nothing', undefined],
];

describe('identifiers', () => {
  test.each(BENDING)('%s: %j is no identifier', (_, value) => {
    expect([isSvcUid(value), isMerchantUid(value), isCustomerUid(value)]).toEqual([false, false, false]);
  });

  test('only a merchant_uid may have dots, and not dots only', () => {
    expect([isSvcUid('a.b'), isMerchantUid('a.b'), isCustomerUid('a.b')]).toEqual([false, true, false]);
    expect(['...', '.', '.a', 'a.', '..a'].map(isMerchantUid)).toEqual([false, false, true, true, true]);
  });

  test('lengths are those that the service knows, with room', () => {
    const accepted = [64, 65, 80, 81].map((length) => {
      const id = 'a'.repeat(length);
      return [isSvcUid(id), isMerchantUid(id), isCustomerUid(id)];
    });
    expect(accepted).toEqual([
      [true, true, true],
      [false, false, true],
      [false, false, true],
      [false, false, false],
    ]);
  });
});

describe('outgoing', () => {
  const call = { method: 'GET', path: '/payments/{svc_uid}' };

  test.each(BENDING)('%s: %j never stands in a path', (_, value) => {
    expect(() => fillPath(call, { svc_uid: value as string })).toThrow('malformed svc_uid, nothing was sent');
  });

  test('a placeholder without a check stops the call', () => {
    expect(() => fillPath({ method: 'GET', path: '/x/{new_thing}' }, { new_thing: 'a' })).toThrow(
      'malformed',
    );
  });

  test.each([
    [{ amount: 0 }],
    [{ amount: -1 }],
    [{ amount: 1.5 }],
    [{ amount: 2 ** 53 }],
    [{ amount: Number.NaN }],
    [{ amount: '1000' }],
    [{ checksum: -1 }],
    [{ page: 0 }],
    [{ limit: Number.NaN }],
    [{ from: Number.NaN }],
    [{ merchant_uid: ['fine', '../x'] }],
    [{ 'customer_uid[]': ['fine', 'a b'] }],
    [{ schedules: [{ merchant_uid: 'fine', amount: 0 }] }],
  ])('%j is not sent', (values) => {
    expect(() => checkValues(call, values)).toThrow('nothing was sent');
  });

  test('what is absent or unknown is not checked', () => {
    const values = { amount: undefined, reason: null, note: '', checksum: 0, '[]amount': 0, list: [null] };
    expect(() => checkValues(call, values)).not.toThrow();
  });
});
