// A field that nothing reads is refused by its name, in every body of the JSON API and at every depth: `memberid` in place
// of `member_id` would register an order that any key may pay.

import { z } from 'zod';
import { DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { CARD } from '../../support/cards';
import { expectNoEffect } from '../../support/no-effect';
import { useWorld } from '../../support/use-world';

const world = useWorld();

const order = { merchant_uid: 'strict-1', name: 'Tea', amount: 1000 };
const schedule = { ...order, schedule_at: 4_000_000_000 };

async function refusal(path: string, body: unknown): Promise<string> {
  const answer = await expectNoEffect(world, () => world.api('POST', path, body));
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_request']);
  return answer.body.error.message as string;
}

test.each([
  ['POST /api/orders', '/api/orders', { ...order, memberid: 'm' }, 'memberid'],
  [
    'a buyer of an order',
    '/api/orders',
    { ...order, buyer: { nmae: 'Kim' } },
    'buyer: has unknown fields: nmae',
  ],
  ['POST …/charge', '/api/orders/strict-1/charge', { customer_uid: 'c', amount: 1 }, 'amount'],
  ['a buyer of a charge', '/api/orders/strict-1/charge', { customer_uid: 'c', buyer: { Name: 'K' } }, 'Name'],
  ['POST /api/onetime', '/api/onetime', { ...order, ...CARD, cvc: '123' }, 'cvc'],
  ['POST /api/schedules', '/api/schedules', { ...schedule, customer_uid: 'c', at: 1 }, 'at'],
  [
    'an entry of POST /api/schedules',
    '/api/schedules',
    { customer_uid: 'c', schedules: [schedule, { ...schedule, merchant_uid: 'strict-2', memberid: 'm' }] },
    'schedules.1: has unknown fields: memberid',
  ],
  [
    'a list of POST /api/schedules',
    '/api/schedules',
    { customer_uid: 'c', schedules: [schedule], member_id: 'm' },
    'member_id',
  ],
  [
    'POST /api/schedules/revoke',
    '/api/schedules/revoke',
    { customer_uid: 'c', merchantuid: 'x' },
    'merchantuid',
  ],
  ['POST …/cancel', '/api/payments/svc_1/cancel', { reason: 'cold', ammount: 1 }, 'ammount'],
  [
    'an account of POST …/cancel',
    '/api/payments/svc_1/cancel',
    { reason: 'cold', refund_account: { holder: 'K', bank: '088', account: '1', iban: 'x' } },
    'refund_account: has unknown fields: iban',
  ],
])(
  'M33 an unknown field in %s is 400 and named; nothing is sent or written',
  async (_, path, body, named) => {
    expect(await refusal(path, body)).toContain(named);
  },
);

test('M33 no body of the API, and nothing within one, takes a field that it does not describe', () => {
  const bodies = DESCRIBED_ROUTES.filter(({ access, body }) => access === 'key' && body);
  expect(bodies.length).toBeGreaterThan(5);
  const open = bodies.filter(({ body }) => {
    const described = JSON.stringify(z.toJSONSchema(body?.schema ?? z.unknown(), { io: 'input' }));
    return objectsIn(JSON.parse(described)).some((each) => each['additionalProperties'] !== false);
  });
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('a name that may be a value is not repeated, and no more than five names are', async () => {
  expect(await refusal('/api/orders', { ...order, '5409-1357-2468-9012': 1 })).not.toContain('5409');
  expect(await refusal('/api/orders', { ...order, [`a${'b'.repeat(60)}`]: 1 })).not.toContain('bbb');
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
  expect(await refusal('/api/orders', { ...order, ...many })).toMatch(/field4$/);
});

test.each([
  ['a name', { name: 'Tea\u0000' }],
  ['a member', { member_id: 'm\u0000' }],
  ['half a character', { name: 'Tea\ud83d' }],
  ['a buyer', { buyer: { name: 'Kim\n' + 'Lee' } }],
])('%s that no row can hold as it is is 400, not 503', async (_, changes) => {
  expect(await refusal('/api/orders', { ...order, ...changes })).toContain('control characters');
});

/** Every schema of an object within a JSON schema. */
function objectsIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return 'properties' in schema && 'type' in schema ? [schema, ...inner] : inner;
}
