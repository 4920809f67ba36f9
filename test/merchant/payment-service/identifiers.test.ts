// An identifier that could change the path of a call is never sent.

import {
  isCustomerUid,
  isMerchantUid,
  isSvcUid,
  PG,
} from '../../../src/merchant/payment-service/identifiers';
import { fillPath } from '../../../src/merchant/payment-service/transport/request';

const kinds = (value: unknown) => [isSvcUid(value), isMerchantUid(value), isCustomerUid(value)];

test.each<[row: string, value: unknown]>([
  ['C1', '../users/getToken'],
  ['C2', '..'],
  ['C2', ''],
  ['C3', '..%2Fusers'],
  ['C3', '..\\users'],
  ['C3', 'status/all'],
  ['C3', 'a?x=1'],
  ['C3', 'a#f'],
  ['C4', 'http://evil.example/x'],
  ['line end', 'svc_1\n'],
  ['full width', 'svc_１'],
  ['NUL', 'svc\u0000'],
  ['a list', ['svc_1']],
  ['an object that turns into one', { toString: () => 'svc_1' }],
  ['nothing', undefined],
])('%s: %j is never used in a path', (_, value) => {
  expect(kinds(value)).toEqual([false, false, false]);
  const call = { method: 'GET', path: '/payments/{svc_uid}' };
  expect(() => fillPath(call, { svc_uid: value as string })).toThrow('malformed svc_uid, nothing was sent');
});

test('a placeholder without a check stops the call', () => {
  const call = { method: 'GET', path: '/x/{new_thing}' };
  expect(() => fillPath(call, { new_thing: 'a' })).toThrow('malformed new_thing, nothing was sent');
});

test('only a merchant_uid may have dots, and must not consist of dots', () => {
  expect(kinds('a.b')).toEqual([false, true, false]);
  expect(['...', '.', '.a', 'a.', '..a'].map(isMerchantUid)).toEqual([false, false, true, true, true]);
});

test.each([
  [64, [true, true, true]],
  [65, [false, false, true]],
  [80, [false, false, true]],
  [81, [false, false, false]],
])('an identifier of %i characters is accepted where the service allows one', (length, accepted) => {
  expect(kinds('a'.repeat(length))).toEqual(accepted);
});

test.each([
  [true, ['nice', 'nice_v2', 'a'.repeat(16), 'nice.MID-7', `nice.${'a'.repeat(80)}`]],
  [false, ['a'.repeat(17), 'Nice', 'xNice', 'nice.', '.MID', 'nice MID', `nice.${'a'.repeat(81)}`]],
])('whether a text names a payment gateway as §2.2 does is %j', (isGateway, texts) => {
  expect(texts.filter((text) => PG.test(text) !== isGateway)).toEqual([]);
});
