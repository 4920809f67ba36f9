// A single scheduled payment reads like a list of one, and each problem is named by its field.

import { parseRequest } from '../../../src/merchant/http/parse-request';
import {
  revocationSchema,
  scheduleSchema,
  toScheduleRequest,
} from '../../../src/merchant/schedules/schedule-schema';

/** As the route does it. */
const read = (body: unknown) => toScheduleRequest(parseRequest(scheduleSchema, body));

const entry = { merchant_uid: 'order-1', schedule_at: 1_800_000_000, amount: 1000, name: 'Tea' };

test('a single plan reads like a list of one', () => {
  const order = { merchantUid: 'order-1', name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
  const payments = [{ order, scheduleAt: new Date(1_800_000_000_000) }];
  for (const body of [
    { customer_uid: 'cust-1', ...entry },
    { customer_uid: 'cust-1', schedules: [entry] },
  ])
    expect(read(body)).toEqual({ customerUid: 'cust-1', payments });
});

const planned = { customer_uid: 'c', ...entry };

test.each([
  [
    'an entry of a list',
    { customer_uid: 'c', schedules: [entry, { ...entry, amount: -1 }] },
    'schedules.1.amount',
  ],
  ['a single plan', { ...planned, amount: -1 }, 'amount'],
  ['an order that is planned twice', { customer_uid: 'c', schedules: [entry, entry] }, 'each merchant_uid'],
  ['a list beside a single plan', { ...planned, schedules: [] }, 'schedules'],
  ['a list of plans without a key', { schedules: [entry] }, 'customer_uid'],
  ['no object', 'plan', 'body'],
])('what is wrong with %s is named', (_, body, words) => {
  expect(() => read(body)).toThrow(words);
});

test('an empty list of orders to revoke is refused: on the wire it would mean all', () => {
  expect(revocationSchema.safeParse({ customer_uid: 'c', merchant_uid: [] }).success).toBe(false);
  expect(revocationSchema.safeParse({ customer_uid: 'c' }).success).toBe(true);
});
