// A discrepancy of any kind is one line at warn and one count when it is new, and neither when it is seen again.

import { metric } from '../../support/card-attempts';
import { discrepancyOf } from '../../support/discrepancies';
import { paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

const linesOf = (svcUid: string) =>
  world.log.events('discrepancy_noted').filter((line) => line['svc_uid'] === svcUid);
const countOf = (kind: string) => metric(world, `merchant_discrepancies_total{kind="${kind}"}`);

/** Each arranges a payment that does not fit, and returns what a notification claims of it. */
const MISMATCHES: [string, () => Promise<{ svcUid: string; merchantUid: string }>][] = [
  [
    'amount_mismatch',
    async () => {
      const merchantUid = await registerOrder(world);
      return { svcUid: (await paySilently(world, merchantUid, { amount: 1 })).svc_uid, merchantUid };
    },
  ],
  [
    'currency_mismatch',
    async () => {
      const merchantUid = await registerOrder(world);
      return { svcUid: (await paySilently(world, merchantUid, { currency: 'USD' })).svc_uid, merchantUid };
    },
  ],
  [
    'order_mismatch',
    async () => {
      const paid = await registerOrder(world);
      const merchantUid = await registerOrder(world);
      return { svcUid: (await paySilently(world, paid)).svc_uid, merchantUid };
    },
  ],
  [
    'unknown_order',
    async () => ({ svcUid: (await paySilently(world, 'never')).svc_uid, merchantUid: 'never' }),
  ],
  ['unknown_payment', async () => ({ svcUid: 'svc_invented', merchantUid: await registerOrder(world) })],
];

test.each(MISMATCHES)(
  'M13 %s is one warning and one count when it is new, and none when it is notified or looked at again',
  async (kind, arrange) => {
    const before = await countOf(kind);
    const { svcUid, merchantUid } = await arrange();
    for (let copy = 0; copy < 3; copy += 1)
      expect((await sendNotification(world, svcUid, merchantUid)).outcome).toBe(kind);
    await world.advance(120);
    await world.api('POST', `/api/payments/${svcUid}/sync`, { merchant_uid: merchantUid });
    const row = await discrepancyOf(world, svcUid, kind);
    expect(row['times_seen']).toBeGreaterThan(3);
    expect(linesOf(svcUid)).toEqual([
      expect.objectContaining({ level: 40, kind, svc_uid: svcUid, merchant_uid: merchantUid }),
    ]);
    expect(await countOf(kind)).toBe(before + 1);

    // A person has decided about it: the same again is nothing new.
    const decision = { resolution: 'ignored', note: 'seen' };
    expect((await world.api('POST', `/api/discrepancies/${row.id}/resolve`, decision)).status).toBe(200);
    await sendNotification(world, svcUid, merchantUid);
    expect(linesOf(svcUid)).toHaveLength(1);
    expect(await countOf(kind)).toBe(before + 1);
  },
);
