// A single scheduled payment reads like a list of one, and each problem is named by its field.

import { z } from 'zod';
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
  const flat = read({ customer_uid: 'cust-1', ...entry });
  expect(flat).toEqual(read({ customer_uid: 'cust-1', schedules: [entry] }));
  expect(flat).toEqual({
    customerUid: 'cust-1',
    payments: [
      {
        order: { merchantUid: 'order-1', name: 'Tea', amount: 1000, currency: 'KRW', memberId: null },
        scheduleAt: new Date(1_800_000_000_000),
      },
    ],
  });
});

test.each([
  [
    'an entry of a list',
    { customer_uid: 'c', schedules: [entry, { ...entry, amount: -1 }] },
    'schedules.1.amount',
  ],
  ['a single plan', { customer_uid: 'c', ...entry, amount: -1 }, 'amount'],
  ['an order that is planned twice', { customer_uid: 'c', schedules: [entry, entry] }, 'each merchant_uid'],
  ['a list beside a single plan', { customer_uid: 'c', ...entry, schedules: [] }, 'schedules'],
  ['a list of plans without a key', { schedules: [entry] }, 'customer_uid'],
  ['no object', 'plan', 'body'],
  ['nothing', undefined, 'body'],
])('what is wrong with %s is named', (_, body, words) => {
  expect(() => read(body)).toThrow(words);
});

test('an empty list of orders to revoke is refused: on the wire it would mean all', () => {
  expect(revocationSchema.safeParse({ customer_uid: 'c', merchant_uid: [] }).success).toBe(false);
  expect(revocationSchema.safeParse({ customer_uid: 'c' }).success).toBe(true);
});

test('the schemas can be described as JSON Schema', () => {
  for (const schema of [scheduleSchema, revocationSchema])
    expect(z.toJSONSchema(schema, { io: 'input' })).toHaveProperty('$schema');
});
