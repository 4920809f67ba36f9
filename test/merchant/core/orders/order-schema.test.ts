// Accepted and refused fields in bodies and queries about orders and money. Unknown fields are refused in every body of the JSON API
// and at every depth: `memberid` instead of `member_id` would register an order that any key may pay.

import { z } from 'zod';
import { chargeSchema } from '../../../../src/merchant/core/charges/charge-schema';
import { newOrderSchema } from '../../../../src/merchant/core/orders/order-schema';
import { discrepancyRefundSchema, refundSchema } from '../../../../src/merchant/core/refunds/refund-schema';
import { revocationSchema, scheduleSchema } from '../../../../src/merchant/core/schedules/schedule-schema';
import { API } from '../../../../src/merchant/features';
import { parseRequest } from '../../../../src/merchant/platform/http/body-fields';

const order = { merchant_uid: 'order-1', name: 'Tea', amount: 60_000 };
const charge = { customer_uid: 'cust-1' };
const entry = { ...order, schedule_at: 1_800_000_000 };
const BODIES: Record<string, [z.ZodType, object]> = {
  order: [newOrderSchema, order],
  charge: [chargeSchema, charge],
  schedule: [scheduleSchema, { ...entry, ...charge }],
  'list of schedules': [scheduleSchema, { ...charge, schedules: [entry] }],
  revocation: [revocationSchema, charge],
  refund: [refundSchema, { reason: 'cold', amount: 300, checksum: 1000 }],
  'refund of a discrepancy': [discrepancyRefundSchema, { reason: 'cold' }],
};
const readWith = (name: string, fields: object): any => {
  const [schema, body] = BODIES[name] as [z.ZodType, object];
  return parseRequest(schema, { ...body, ...fields });
};
const account = { holder: 'Kim', bank: '088', account: '110' };

test.each([
  ['order', { amount: 0 }, 'amount'],
  ['order', { amount: '1000' }, 'amount'],
  ['order', { amount: 2 ** 53 }, 'amount'],
  ['order', { merchant_uid: '..' }, 'merchant_uid'],
  ['order', { merchant_uid: 'a'.repeat(41) }, 'merchant_uid'],
  ['order', { name: 'Tea\u0000' }, 'name: must not hold control characters'],
  ['order', { card_quota: 1 }, 'card_quota: must be 0, or 2 and more'],
  ['order', { amount: 49_999, card_quota: 2 }, 'card_quota: must be 0: instalments'],
  ['order', { tax_free: 60_001 }, 'tax_free: must not be more than the amount'],
  ['order', { notice_url: 'https://evil.example' }, 'notice_url: is not taken: notifications'],
  ['order', { pg: 'nice' }, 'pg: is not taken: only a key-in payment'],
  ['charge', { notice_url: 'https://evil.example' }, 'notice_url: is not taken'],
  ['schedule', { card_quota: 0 }, 'card_quota: is not taken'],
  ['schedule', { tax_free: 1000 }, 'tax_free: is not taken'],
  ['schedule', { notice_url: 'https://evil.example' }, 'notice_url: is not taken'],
  ['schedule', { schedule_at: '2030-01-01' }, 'schedule_at'],
  ['list of schedules', { schedules: [entry, { ...entry, amount: -1 }] }, 'schedules.1.amount'],
  ['list of schedules', { schedules: [entry, { ...entry, memberid: 'm' }] }, 'fields: memberid'],
  ['list of schedules', { schedules: [entry, entry] }, 'each merchant_uid at most once'],
  ['revocation', { merchant_uid: ['../x'] }, 'merchant_uid'],
  // For the service it would mean everything.
  ['revocation', { merchant_uid: [] }, 'merchant_uid'],
  ['refund', { checksum: undefined }, 'checksum: is required with amount'],
  ['refund', { by: 'ki\u202em' }, 'by: must not hold invisible'],
  ['refund', { refund_account: { ...account, holder: ' ' } }, 'refund_account.holder'],
  ['refund of a discrepancy', { amount: 300 }, 'has unknown fields: amount'],
])('the body of %s with %j is refused by the name of its field', (name, fields, reason) => {
  expect(() => readWith(name, {})).not.toThrow();
  expect(() => readWith(name, fields)).toThrow(reason);
  expect(() => readWith(name, fields)).not.toThrow('evil');
});

test.each([
  ['order', 'custom_data', 1898, (text: string) => ({ custom_data: text })],
  ['order', 'buyer.name', 16, (name: string) => ({ buyer: { name } })],
  ['order', 'buyer.email', 64, (email: string) => ({ buyer: { email } })],
  ['order', 'buyer.tel', 16, (tel: string) => ({ buyer: { tel } })],
  ['order', 'buyer.addr', 128, (addr: string) => ({ buyer: { addr } })],
  ['order', 'buyer.postcode', 8, (postcode: string) => ({ buyer: { postcode } })],
  ['refund', 'reason', 256, (reason: string) => ({ reason })],
])('in the body of %s, %s has at most %i characters', (name, field, length, withText) => {
  expect(() => readWith(name, withText('가'.repeat(length)))).not.toThrow();
  expect(() => readWith(name, withText('가'.repeat(length + 1)))).toThrow(field);
});

test('custom data that is nested too deeply is refused', () => {
  const nested = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000)) as unknown;
  expect(() => readWith('order', { custom_data: nested })).toThrow('custom_data');
});

test('a card number that was typed into a reason is masked', () => {
  for (const schema of [refundSchema, discrepancyRefundSchema])
    expect(schema.parse({ reason: 'paid with 4242-4242-4242-4242' }).reason).toBe(
      'paid with 424242******4242',
    );
});

test('M33 no body of the API accepts a field that is not described, at any depth', () => {
  const bodies = API.routes.filter(({ access, body }) => access !== 'open' && body);
  expect(bodies.length).toBeGreaterThan(5);
  const open = bodies.filter(({ body }) => {
    const described = JSON.stringify(z.toJSONSchema(body?.schema ?? z.unknown(), { io: 'input' }));
    return objectsIn(JSON.parse(described)).some((each) => each['additionalProperties'] !== false);
  });
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('an unknown field is named with its path; a name that may be a value is not repeated', () => {
  expect(() => readWith('order', { buyer: { nmae: 'Kim' } })).toThrow('buyer: has unknown fields: nmae');
  for (const name of ['5409-1357-2468-9012', `a${'b'.repeat(60)}`])
    expect(() => readWith('order', { [name]: 1 })).toThrow(
      /^body: has unknown fields: a name that is not repeated here$/,
    );
});

/** Every schema of an object within a JSON schema. */
function objectsIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return 'properties' in schema && 'type' in schema ? [schema, ...inner] : inner;
}
