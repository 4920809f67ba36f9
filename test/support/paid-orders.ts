// What most stories about payments begin with: an order, a payment at the service, and a notification about it.

import type { World } from './world';

export type PaidOrders = ReturnType<typeof createPaidOrders>;

export function createPaidOrders(world: World) {
  let sequence = 0;
  const ring = (svcUid: string, merchantUid: string, status = 'paid') =>
    world.notify({ svc_uid: svcUid, merchant_uid: merchantUid, status });
  return {
    newUid: (): string => `order-${(sequence += 1)}`,

    /** Registers an order over 1000 won, changed where a test says so, and answers its merchant_uid. */
    async order(merchantUid: string, fields: Record<string, unknown> = {}): Promise<string> {
      const body = { merchant_uid: merchantUid, name: 'Tea', amount: 1000, ...fields };
      expect((await world.api('POST', '/api/orders', body)).status).toBe(201);
      return merchantUid;
    },

    /** Pays 1000 won at the service, which notifies nobody. */
    pay: (merchantUid: string, fields: Record<string, unknown> = {}) =>
      world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000, notify: false, ...fields }),

    ring,

    /** A verdict that must leave the money alone. */
    async expectRefused(svcUid: string, merchantUid: string, outcome: string): Promise<void> {
      const before = await world.rows.money();
      expect(await ring(svcUid, merchantUid)).toEqual({ status: 400, outcome });
      expect(await world.rows.money()).toBe(before);
    },

    status: async (merchantUid: string) =>
      (await world.api('GET', `/api/orders/${merchantUid}`)).body.status as string,

    discrepancies: (merchantUid: string) =>
      world.rows.query(
        'select kind, expected, actual, times_seen from discrepancies where merchant_uid = $1 order by kind',
        [merchantUid],
      ),

    outcomes: (merchantUid: string) =>
      world.rows.query('select outcome, reason from notifications where merchant_uid = $1 order by id', [
        merchantUid,
      ]),

    /** The next answer of §4.4: a paid record in won of this payment and order, with these further fields as JSON text. */
    async answerWith(svcUid: string, merchantUid: string, fields: string): Promise<void> {
      const record = `"abc_uid":"${svcUid}","merchant_uid":"${merchantUid}","status":"paid","currency":"KRW"${fields}`;
      await world.sandbox.fault({
        endpoint: 'GET /payments/:svc_uid',
        kind: 'status',
        status: 200,
        body: `{"code":0,"message":null,"response":{${record}}}`,
        headers: { 'content-type': 'application/json' },
      });
    },
  };
}
