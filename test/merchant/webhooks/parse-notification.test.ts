// A notification names its payment in the words of one generation, or it is malformed. It can claim a later status than the
// one that was fetched: the payment is synced again then.

import { claimsLaterStatus, parseNotification } from '../../../src/merchant/webhooks/parse-notification';

const LEGACY = { svc_uid: 'svc_1', merchant_uid: 'order.1', status: 'paid' };
const NEWER = { tx_id: 'tx_1', payment_id: 'order.1', status: 'PAID' };

test('the words of either generation become the same, and what else is said is dropped', () => {
  const payment = { merchantUid: 'order.1' };
  expect(parseNotification({ ...LEGACY, amount: 1 })).toEqual({
    ...payment,
    generation: 'legacy',
    svcUid: 'svc_1',
    claimedStatus: 'paid',
  });
  expect(parseNotification({ ...NEWER, cancellation_id: 'c' })).toEqual({
    ...payment,
    generation: 'newer',
    svcUid: 'tx_1',
    claimedStatus: 'PAID',
  });
});

test.each([
  ['absent', undefined, null],
  ['empty', '', ''],
  ['of 64 signs', 'a'.repeat(64), 'a'.repeat(64)],
  ['of letters, digits, "_" and "-"', 'A_9-z', 'A_9-z'],
])('a status that is %s is no reason to refuse a notification', (_name, status, claimedStatus) => {
  expect(parseNotification({ ...LEGACY, status })).toMatchObject({ svcUid: 'svc_1', claimedStatus });
});

test.each<[string, unknown]>([
  ['no object', null],
  ['a list', [LEGACY]],
  ['a text', 'svc_uid=svc_1'],
  ['an empty object', {}],
  ['no svc_uid', { ...LEGACY, svc_uid: undefined }],
  ['no merchant_uid', { svc_uid: 'svc_1' }],
  ['a merchant_uid alone', { merchant_uid: 'order.1' }],
  ['no tx_id', { payment_id: 'order.1' }],
  ['a tx_id alone', { tx_id: 'tx_1' }],
  ['both generations', { ...LEGACY, ...NEWER }],
  ['a word of the newer generation in a legacy one', { ...LEGACY, payment_id: 'order.1' }],
  ['another word of it', { ...LEGACY, tx_id: 'tx_1' }],
  ['a legacy word in the newer generation', { ...NEWER, merchant_uid: 'order.1' }],
  ['another one', { ...NEWER, svc_uid: 'svc_1' }],
  ['an svc_uid that is a path', { ...LEGACY, svc_uid: '../x' }],
  ['an svc_uid with a dot', { ...LEGACY, svc_uid: 'svc.1' }],
  ['a merchant_uid that is a path', { ...LEGACY, merchant_uid: '..' }],
  ['a doubled field', { ...LEGACY, svc_uid: ['svc_1', 'svc_1'] }],
  ['a status of 65 signs', { ...LEGACY, status: 'a'.repeat(65) }],
  ['a status of other signs', { ...LEGACY, status: 'paid now' }],
  ['a status that only begins well', { ...LEGACY, status: 'paid<' }],
  ['a status that only ends well', { ...LEGACY, status: '>paid' }],
  ['a status that is no text', { ...LEGACY, status: 1 }],
])('a body with %s is malformed', (_name, body) => {
  expect(parseNotification(body)).toBeNull();
});

test.each([
  ['paid', 'ready', true],
  ['PAID', 'failed', true],
  ['cancelled', 'paid', true],
  ['paid', 'paid', false],
  ['failed', 'paid', false],
  ['virtual_account_issued', 'ready', false],
  ['something_new', 'ready', false],
  ['constructor', 'ready', false],
  ['cancelled', 'failed', true],
  ['ready', 'failed', false],
  ['failed', 'ready', false],
  ['cancelled', 'cancelled', false],
  ['paid', 'cancelled', false],
  [null, 'ready', false],
  ['paid', null, false],
] as const)('a word %s over a fetched %s promises more: %s', (claimed, fetched, isLater) => {
  expect(claimsLaterStatus(claimed, fetched)).toBe(isLater);
});
