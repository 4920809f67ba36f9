// A notification names its payment with the fields of one generation, or it is malformed (rows B10, B11, B13 and B15 of
// docs/13-faults.md). test/properties/bodies.test.ts tests all bodies, and their status.

import { parseNotification } from '../../../../src/merchant/core/webhooks/parse-notification';

const LEGACY = { svc_uid: 'svc_1', merchant_uid: 'order.1', status: 'paid' };
const NEWER = { tx_id: 'tx_1', payment_id: 'order.1', status: 'PAID' };

test.each<[string, object, object]>([
  ['of the legacy generation', { ...LEGACY, amount: 1 }, { claimedStatus: 'paid' }],
  ['of the newer one', { ...NEWER, a: 1 }, { generation: 'newer', svcUid: 'tx_1', claimedStatus: 'PAID' }],
  ['without a status', { ...LEGACY, status: undefined }, { claimedStatus: null }],
  ['with an empty status', { ...LEGACY, status: '' }, { claimedStatus: '' }],
  [
    'with a status of 64 signs',
    { ...LEGACY, status: 'A_9-'.repeat(16) },
    { claimedStatus: 'A_9-'.repeat(16) },
  ],
])('a notification %s is read, and its other fields are dropped', (_name, body, read) => {
  const legacy = { generation: 'legacy', svcUid: 'svc_1', merchantUid: 'order.1' };
  expect(parseNotification(body)).toEqual({ ...legacy, ...read });
});

test.each([
  ['a number', { ...LEGACY, svc_uid: 5 }],
  ['an object', { ...LEGACY, merchant_uid: { not: '' } }],
  ['an array', { ...LEGACY, svc_uid: ['svc_1', 'svc_1'] }],
  ['a status that is no text', { ...LEGACY, status: {} }],
  ['a status of 65 signs', { ...LEGACY, status: 'a'.repeat(65) }],
  ['a status that only begins well', { ...LEGACY, status: 'paid<' }],
  ['a status that only ends well', { ...LEGACY, status: '>paid' }],
])('B10 %s is malformed', (_name, body) => expect(parseNotification(body)).toBeNull());

test.each<[string, unknown]>([
  ['no object', null],
  ['a missing id', { merchant_uid: 'o' }],
  ['a missing order id of the newer generation', { tx_id: 'tx_1' }],
  ['an empty id', { ...LEGACY, svc_uid: '' }],
  ['an order id of 65 characters', { ...LEGACY, merchant_uid: 'o'.repeat(65) }],
  ['an id that is a path', { ...LEGACY, svc_uid: '../x' }],
])('B11 %s is malformed', (_name, body) => expect(parseNotification(body)).toBeNull());

test.each(['a\u0000b', 'a\r\nb', 'a\tb', '\ud800', 'a\u200bb', 'a\u00a0b', '１２', 'a b', 'ä'])(
  'B13 the id %j is malformed',
  (id) => {
    expect(parseNotification({ ...LEGACY, svc_uid: id })).toBeNull();
    expect(parseNotification({ ...LEGACY, merchant_uid: id })).toBeNull();
  },
);

test('B15 a body that mixes both generations is malformed', () => {
  expect(parseNotification({ ...LEGACY, ...NEWER })).toBeNull();
  for (const name of ['tx_id', 'payment_id'] as const)
    expect(parseNotification({ ...LEGACY, [name]: NEWER[name] })).toBeNull();
  for (const name of ['svc_uid', 'merchant_uid'] as const)
    expect(parseNotification({ ...NEWER, [name]: LEGACY[name] })).toBeNull();
});
