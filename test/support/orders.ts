// Orders, their payments at the service, notifications, and stored rows.

import { FETCH_PAYMENT } from './sandbox-controls';
import type { World } from './world';

let sequence = 0;
export const newUid = (): string => `order-${(sequence += 1)}`;

/** Registers an order of 1000 won with these changes. Returns its merchant_uid. */
export async function registerOrder(
  { api }: Pick<World, 'api'>,
  merchantUid = newUid(),
  changes: Record<string, unknown> = {},
): Promise<string> {
  const order = { merchant_uid: merchantUid, name: 'Tea', amount: 1000, ...changes };
  expect((await api('POST', '/api/orders', order)).status).toBe(201);
  return merchantUid;
}

/** Inserts many orders in the state after `POST /api/orders`. */
export async function registerOrders(
  { rows, clock }: World,
  merchantUids: readonly string[],
  amount = 1000,
): Promise<void> {
  await rows.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select uid, 'Tea', $2, 'KRW', $3, $3 from jsonb_array_elements_text($1::jsonb) as uids (uid)`,
    [JSON.stringify(merchantUids), amount, clock.now()],
  );
}

/** Pays 1000 won at the service, which sends no notification. */
export const paySilently = (
  { sandbox }: Pick<World, 'sandbox'>,
  merchantUid: string,
  changes: Record<string, unknown> = {},
) => sandbox.pay({ merchant_uid: merchantUid, amount: 1000, notify: false, ...changes });

export const sendNotification = (world: World, svcUid: string, merchantUid: string, status = 'paid') =>
  world.notify({ svc_uid: svcUid, merchant_uid: merchantUid, status });

/** Sends a notification that must be refused with this outcome, without a change of orders and payments. */
export async function expectRefused(
  world: World,
  svcUid: string,
  merchantUid: string,
  outcome: string,
): Promise<void> {
  const before = await world.rows.money();
  expect(await sendNotification(world, svcUid, merchantUid)).toEqual({ status: 400, outcome });
  expect(await world.rows.money()).toBe(before);
}

/** Sets the next answer of §4.4: a paid record in won for this payment and order, with more fields as JSON text. */
export async function answerNextFetch(
  { sandbox }: World,
  svcUid: string,
  merchantUid: string,
  fields: string,
): Promise<void> {
  const record = `"abc_uid":"${svcUid}","merchant_uid":"${merchantUid}","status":"paid","currency":"KRW"${fields}`;
  await sandbox.fault({
    endpoint: FETCH_PAYMENT,
    kind: 'status',
    status: 200,
    body: `{"code":0,"message":null,"response":{${record}}}`,
    headers: { 'content-type': 'application/json' },
  });
}

/** Charges an order with a stored key. */
export const charge = (world: World, merchantUid: string, customerUid: unknown) =>
  world.api('POST', `/api/orders/${merchantUid}/charge`, { customer_uid: customerUid });

export const getOrder = async (world: World, merchantUid: string) =>
  (await world.api('GET', `/api/orders/${merchantUid}`)).body;

export const orderStatus = async (world: World, merchantUid: string) =>
  (await getOrder(world, merchantUid)).status as string;

export const chargesOf = ({ rows }: World, merchantUid: string) =>
  rows.query('select * from charges where merchant_uid = $1 order by started_at, id', [merchantUid]);

export const discrepanciesOf = ({ rows }: World, merchantUid: string) =>
  rows.query(
    'select kind, expected, actual, times_seen from discrepancies where merchant_uid = $1 order by kind',
    [merchantUid],
  );

export const notificationsOf = ({ rows }: World, merchantUid: string) =>
  rows.query<{ outcome: string; reason: string | null }>(
    'select outcome, reason from notifications where merchant_uid = $1 order by id',
    [merchantUid],
  );

export const BUYER = {
  name: '홍길동',
  email: 'canary-buyer@example.com',
  tel: '010-9999-8888',
  addr: '서울특별시 카나리아로 7',
  postcode: '04599',
};

export const BUYER_ON_RECORD = {
  buyer_name: BUYER.name,
  buyer_email: BUYER.email,
  buyer_tel: BUYER.tel,
  buyer_addr: BUYER.addr,
  buyer_postcode: BUYER.postcode,
};

/** With more than 200 in progress, how many of them are checked would depend on the machine (webhook-routes.ts). */
const SENT_AT_ONCE = 150;

/** Sends one notification for each pair of ids. Returns how often each outcome was answered. */
export async function notifyMany(
  world: Pick<World, 'notify'>,
  ids: readonly { svcUid: string; merchantUid: string }[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let sent = 0; sent < ids.length; sent += SENT_AT_ONCE) {
    const answers = await Promise.all(
      ids
        .slice(sent, sent + SENT_AT_ONCE)
        .map(({ svcUid, merchantUid }) =>
          world.notify({ svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' }),
        ),
    );
    for (const { outcome = 'none' } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Stored notifications by outcome and reason. */
export async function storedOutcomes({ rows }: Pick<World, 'rows'>): Promise<Record<string, number>> {
  const found = await rows.query<{ name: string; count: number }>(
    `select coalesce(outcome::text || coalesce(':' || reason, ''), 'open') as name, count(*)::int as count
     from notifications group by 1 order by 1`,
  );
  return Object.fromEntries(found.map(({ name, count }) => [name, count]));
}

/** An order that is paid, notified and refunded in full. Returns its merchant_uid. */
export async function payAndRefund(world: World): Promise<string> {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  const notified = { svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' };
  expect(await world.notify(notified)).toMatchObject({ status: 200 });
  const refund = await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'Returned' });
  expect(refund).toMatchObject({ status: 200 });
  return merchantUid;
}
