// What a scheduled payment carries beside its amount reaches the service, and what the service does not take for one is
// refused: it would be lost without a word.

import { BUYER, BUYER_ON_RECORD } from '../../support/buyer';
import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { chargesOf, getOrder, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const SCHEDULE = 'POST /subscribe/payments/schedule';
const HOUR = 3600;
const FIELDS = { buyer: BUYER, custom_data: { cart: [7, 8] } };

const world = useWorld({ logLevel: 'trace' });
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});

const entry = (merchantUid: string, fields: Record<string, unknown> = {}) => ({
  merchant_uid: merchantUid,
  schedule_at: Math.floor(world.clock.now().getTime() / 1000) + HOUR,
  amount: 60_000,
  name: 'Tea of the month',
  ...fields,
});
const schedule = (...schedules: unknown[]) =>
  world.api('POST', '/api/schedules', { customer_uid: key.customerUid, schedules });
/** The sandbox's own record of the payment of an order, as we fetched it. */
const recordOf = async (merchantUid: string) => (await getOrder(world, merchantUid)).payments[0].record;

test('each schedule carries its own fields, which its order is registered with', async () => {
  const other = { buyer: { name: 'Lee' }, custom_data: 'other' };
  expect((await schedule(entry('plan-fields', FIELDS), entry('plan-other', other))).status).toBe(201);
  expect(await getOrder(world, 'plan-fields')).toMatchObject(FIELDS);
  await world.advance(HOUR);
  const record = await recordOf('plan-fields');
  expect(record).toMatchObject(BUYER_ON_RECORD);
  expect(JSON.parse(record.custom_data)).toEqual({
    charge: (await chargesOf(world, 'plan-fields'))[0]?.['id'],
    custom_data: FIELDS.custom_data,
  });
  const otherRecord = await recordOf('plan-other');
  expect(otherRecord).toMatchObject({ buyer_name: 'Lee', buyer_tel: null });
  expect(JSON.parse(otherRecord.custom_data)).toMatchObject({ custom_data: 'other' });
});

test('a known order is scheduled with what it was registered with, unless the schedule says otherwise', async () => {
  for (const uid of ['plan-known', 'plan-said'])
    await registerOrder(world, uid, { amount: 60_000, ...FIELDS });
  await schedule(entry('plan-known'), entry('plan-said', { buyer: { name: 'Lee' } }));
  await world.advance(HOUR);
  const known = await recordOf('plan-known');
  expect(known).toMatchObject(BUYER_ON_RECORD);
  expect(JSON.parse(known.custom_data)).toMatchObject({ custom_data: FIELDS.custom_data });
  expect(await recordOf('plan-said')).toMatchObject({ buyer_name: 'Lee', buyer_tel: null });
  expect(await getOrder(world, 'plan-said')).toMatchObject(FIELDS);
});

test.each([
  ['instalments', { card_quota: 3 }, 'card_quota: is not taken: the service takes no instalments'],
  ['no instalments, by name', { card_quota: 0 }, 'card_quota: is not taken'],
  ['a part without tax', { tax_free: 1000 }, 'tax_free: is not taken'],
  ['a notification address', { notice_url: 'https://evil.example' }, 'notice_url: is not taken'],
  ['a provider', { pg: 'nice' }, 'pg: is not taken'],
])('a schedule with %s is 400 with the reason; nothing is registered or sent', async (_, fields, why) => {
  const refused = entry('plan-refused', fields);
  const listed = await expectNoEffect(world, () => schedule(entry('plan-a'), refused));
  const flat = await expectNoEffect(world, () =>
    world.api('POST', '/api/schedules', { customer_uid: key.customerUid, ...refused }),
  );
  expect([listed.status, listed.body.error?.code, flat.status]).toEqual([400, 'invalid_request', 400]);
  expect(listed.body.error.message).toContain(`schedules.1.${why}`);
  expect(flat.body.error.message).toContain(why);
});

test.each([
  ['card_quota', { card_quota: 3 }],
  ['tax_free', { tax_free: 1000 }],
])(
  'an order that was registered with %s is not scheduled without it: 409, and nothing is sent',
  async (name, fields) => {
    const uid = `plan-${name}`;
    await registerOrder(world, uid, { amount: 60_000, ...fields });
    const { status, body } = await expectNoEffect(world, () => schedule(entry(uid)));
    expect([status, body.error?.code]).toEqual([409, 'order_conflict']);
    expect(body.error.message).toContain(`${uid}: The order is registered with card_quota or tax_free`);
    expect(await chargesOf(world, uid)).toEqual([]);
  },
);

test('an order that was registered as one-off and taxed is scheduled', async () => {
  await registerOrder(world, 'plan-zero', { amount: 60_000, card_quota: 0, tax_free: 0 });
  expect((await schedule(entry('plan-zero'))).status).toBe(201);
});

test('a schedule is found after a lost answer, also with custom data that is masked in records', async () => {
  await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'lost_response' });
  const customData = { at: 1763740800000, text: 'x'.repeat(1800) };
  expect((await schedule(entry('plan-lost', { custom_data: customData }))).status).toBe(202);
  await world.advance(6);
  expect(await chargesOf(world, 'plan-lost')).toMatchObject([{ status: 'scheduled' }]);
});

test('nothing of a buyer is in the log', () => {
  expect(world.log.lines().length).toBeGreaterThan(20);
  for (const value of Object.values(BUYER)) expect(world.log.text()).not.toContain(value);
});
