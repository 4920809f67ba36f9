// A discrepancy of any kind is one line at warn and one count when it is new, and neither when it is seen again.

import { metric } from '../../support/card-attempts';
import { discrepancyOf, payTwice } from '../../support/discrepancies';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { registerKey } from '../../support/member-cards';
import { expectRefused, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

const countOf = (kind: string) => metric(world, `merchant_discrepancies_total{kind="${kind}"}`);
const warningsOf = (svcUid: string) =>
  world.log
    .events('discrepancy_noted')
    .filter((line) => line['svc_uid'] === svcUid)
    .map(({ level, kind, merchant_uid: merchantUid }) => [level, kind, merchantUid]);
/** As the level of a line has it. */
const WARN = 40;

/** Each arranges a payment that does not fit, and returns what a notification claims of it. */
const MISMATCHES: [string, () => Promise<{ svcUid: string; merchantUid: string }>][] = [
  ['amount_mismatch', () => payOrder({ amount: 1 })],
  ['currency_mismatch', () => payOrder({ currency: 'USD' })],
  ['order_mismatch', async () => ({ ...(await payOrder()), merchantUid: await registerOrder(world) })],
  [
    'unknown_order',
    async () => ({ svcUid: (await paySilently(world, 'never')).svc_uid, merchantUid: 'never' }),
  ],
  ['unknown_payment', async () => ({ svcUid: 'svc_invented', merchantUid: await registerOrder(world) })],
];
async function payOrder(changes: Record<string, unknown> = {}) {
  const merchantUid = await registerOrder(world);
  return { svcUid: (await paySilently(world, merchantUid, changes)).svc_uid, merchantUid };
}

test.each(MISMATCHES)(
  'M13 %s is one warning and one count when it is new, and none when it is notified or looked at again',
  async (kind, arrange) => {
    const before = await countOf(kind);
    const { svcUid, merchantUid } = await arrange();
    for (let copy = 0; copy < 3; copy += 1) await expectRefused(world, svcUid, merchantUid, kind);
    await world.advance(120);
    await world.api('POST', `/api/payments/${svcUid}/sync`, { merchant_uid: merchantUid });
    const row = await discrepancyOf(world, svcUid, kind);
    expect(row['times_seen']).toBeGreaterThan(3);
    expect(warningsOf(svcUid)).toEqual([[WARN, kind, merchantUid]]);
    expect(await countOf(kind)).toBe(before + 1);

    // A person has decided about it: the same again is nothing new.
    const decision = { resolution: 'ignored', note: 'seen' };
    expect((await world.api('POST', `/api/discrepancies/${row.id}/resolve`, decision)).status).toBe(200);
    await sendNotification(world, svcUid, merchantUid);
    expect(warningsOf(svcUid)).toHaveLength(1);
    expect(await countOf(kind)).toBe(before + 1);
  },
);

test('M13 a discrepancy that wants a person is one warning and one count, however often it is seen', async () => {
  const { svcUid, merchantUid } = await payOrder();
  const response = { abc_uid: svcUid, merchant_uid: merchantUid, status: 'paid', amount: 1000 };
  const body = { code: 0, message: null, response };
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 200, body, times: 2 });
  const queued = { status: 200, outcome: 'queued' };
  expect(await sendNotification(world, svcUid, merchantUid)).toEqual(queued);
  expect(await sendNotification(world, svcUid, merchantUid)).toEqual(queued);
  const noted = { times_seen: 2, expected: 'KRW', actual: null };
  expect(await discrepancyOf(world, svcUid, 'needs_review')).toMatchObject(noted);
  expect(warningsOf(svcUid)).toEqual([[WARN, 'needs_review', merchantUid]]);
  expect(await countOf('needs_review')).toBe(1);
});

test('M13 a second payment, and money for a cancelled order, are a warning and a count each', async () => {
  const { second } = await payTwice(world, 'm13-twice');
  expect(warningsOf(second)).toEqual([[WARN, 'duplicate_payment', 'm13-twice']]);
  expect(await countOf('duplicate_payment')).toBe(1);
  const { status, payments } = (await world.api('GET', '/api/orders/m13-twice')).body;
  expect([status, payments]).toMatchObject(['paid', [{}, {}]]);

  const payment = { merchant_uid: await registerOrder(world, 'm13-closed'), amount: 1000 };
  await world.sandbox.control((await world.sandbox.pay(payment)).svc_uid, 'cancel');
  const { svc_uid: late } = await world.sandbox.pay(payment);
  expect(warningsOf(late)).toEqual([[WARN, 'paid_after_close', 'm13-closed']]);
  expect(await countOf('paid_after_close')).toBe(1);
});

test('M13 a payment with another member’s key is a warning and a count', async () => {
  const { customerUid } = await registerKey(world);
  const merchantUid = await registerOrder(world, 'm13-foreign', { member_id: 'somebody-else' });
  const { svc_uid: svcUid } = await world.sandbox.pay({
    merchant_uid: merchantUid,
    amount: 1000,
    customer_uid: customerUid,
  });
  expect(await discrepancyOf(world, svcUid, 'foreign_billing_key')).toMatchObject({ resolved_at: null });
  expect(warningsOf(svcUid)).toEqual([[WARN, 'foreign_billing_key', merchantUid]]);
  expect(await countOf('foreign_billing_key')).toBe(1);
});
