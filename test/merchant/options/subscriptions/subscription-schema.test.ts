// Valid and invalid bodies of a new subscription.

import {
  newSubscriptionExample,
  newSubscriptionSchema,
  toNewSubscription,
} from '../../../../src/merchant/options/subscriptions/subscription-schema';
import { isMerchantUid } from '../../../../src/merchant/payment-service/identifiers';

const read = (changes: object) => newSubscriptionSchema.safeParse({ ...newSubscriptionExample, ...changes });

test('the example is accepted, in won, and its date is read to the second', () => {
  const { data, error } = read({ first_payment_at: '2035-01-31T09:00:00.999+09:00' });
  expect(error).toBeUndefined();
  expect(data && toNewSubscription(data)).toMatchObject({
    currency: 'KRW',
    firstPaymentAt: new Date('2035-01-31T00:00:00Z'),
  });
});

test.each([
  ['an id that is too long', 'subscription_id', 's'.repeat(33)],
  ['an id that is a path', 'subscription_id', '../x'],
  ['no member', 'member_id', undefined],
  ['an amount of nothing', 'amount', 0],
  ['an interval that is none', 'interval', 'hour'],
  ['a date without an offset', 'first_payment_at', '2030-01-01T00:00:00'],
])('%s is refused', (_, field, value) => {
  expect(read({ [field]: value }).error?.issues.map(({ path }) => path)).toEqual([[field]]);
});

test('the orders of the longest id have valid ids up to seven digits', () => {
  const subscription_id = 's'.repeat(32);
  expect(read({ subscription_id }).success).toBe(true);
  expect(isMerchantUid(`${subscription_id}-9999999`)).toBe(true);
});
