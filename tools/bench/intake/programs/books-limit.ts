// The limit with the same books: as the batched limit, and it keeps what the product keeps. The order changes only where it has
// the version that was read with the notification, and each change is an event with a delivery, which is marked when its handler,
// which does nothing, has been called.

import { fetchPayment, type Payment } from './fetch-payment';
import { batched, listen, openPool, readNotice, type Notice } from './program';

const database = openPool();

type Stored = { id: string; version: number; amount: string; currency: string };
const store = batched<Notice, Stored>(async (notices) => {
  const values = [notices.map(({ svc_uid }) => svc_uid), notices.map(({ merchant_uid }) => merchant_uid)];
  const { rows } = await database.query<Stored>({ ...STORE, values });
  return rows;
});
const STORE = {
  name: 'store',
  text: `
    with input as materialized (
      select nextval('notifications_id_seq') as id, n.* from unnest($1::text[], $2::text[]) as n (svc_uid, merchant_uid)
    ), stored as (
      insert into notifications (id, received_at, svc_uid, merchant_uid)
      select id, now(), svc_uid, merchant_uid from input
    )
    select input.id, o.version, o.amount, o.currency from input join orders o using (merchant_uid) order by input.id`,
};

type Fetched = { stored: Stored; notice: Notice; payment: Payment };
const write = batched<Fetched, string>(async (fetched) => {
  const fitting = fetched.filter(
    ({ stored, notice, payment }) =>
      payment.svc_uid === notice.svc_uid &&
      payment.merchant_uid === notice.merchant_uid &&
      payment.amount === Number(stored.amount) &&
      payment.currency === stored.currency,
  );
  const values = [
    fitting.map(({ stored }) => stored.id),
    fitting.map(({ notice }) => notice.merchant_uid),
    fitting.map(({ stored }) => stored.version),
    fitting.map(({ notice }) => notice.svc_uid),
    fitting.map(({ payment }) => payment.status),
    fitting.map(({ payment }) => payment.amount),
    fitting.map(({ payment }) => payment.currency),
    fitting.map(({ payment }) => JSON.stringify(payment)),
  ];
  const { rows } = await database.query<{ id: string; event_id: string }>({ ...WRITE, values });
  const recorded = new Set(rows.map(({ id }) => id));
  void Promise.all(rows.map(({ event_id }) => markDelivered(event_id)));
  return fetched.map(({ stored }) => (recorded.has(stored.id) ? 'recorded' : 'mismatch'));
});
const WRITE = {
  name: 'write',
  text: `
    with input as materialized (
      select * from unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::jsonb[])
        as i (id, merchant_uid, version, svc_uid, status, amount, currency, record)
    ), moved as (
      update orders o set status = i.status, version = o.version + 1 from input i
      where o.merchant_uid = i.merchant_uid and o.version = i.version returning i.*, o.version as moved_to
    ), saved as (
      insert into payments (svc_uid, merchant_uid, status, amount, currency, record, updated_at)
      select svc_uid, merchant_uid, status, amount, currency, record, now() from moved
      on conflict (svc_uid) do update set status = excluded.status, record = excluded.record, updated_at = now()
    ), events_inserted as (
      insert into events (stream, version, type, data, occurred_at)
      select merchant_uid, moved_to, 'order.paid', record, now() from moved returning id, stream
    ), due as (
      insert into event_deliveries (event_id) select id from events_inserted
    ), judged as (
      update notifications n set outcome = 'recorded' from moved where n.id = moved.id
    )
    select moved.id, events_inserted.id as event_id from moved join events_inserted on events_inserted.stream = moved.merchant_uid`,
};

const markDelivered = batched<string, null>(async (ids) => {
  await database.query({ ...DELIVERED, values: [ids] });
  return ids.map(() => null);
});
const DELIVERED = {
  name: 'delivered',
  text: 'update event_deliveries set delivered_at = now() where event_id = any($1::bigint[])',
};

listen((request, response) => {
  void readNotice(request).then(async (notice) => {
    const stored = await store(notice);
    const payment = await fetchPayment(notice.svc_uid);
    const body = JSON.stringify({ outcome: await write({ stored, notice, payment }) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});
