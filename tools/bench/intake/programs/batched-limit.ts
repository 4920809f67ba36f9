// The batched limit: like the plain limit, but concurrent notifications share their statements. Notifications that arrive while
// a statement is running wait for the next one.

import { fetchPayment, type Payment } from './fetch-payment';
import { batched, listen, openPool, readNotice, type Notice } from './program';

const database = openPool();

const store = batched<Notice, string>(async (notices) => {
  const values = [notices.map(({ svc_uid }) => svc_uid), notices.map(({ merchant_uid }) => merchant_uid)];
  const { rows } = await database.query<{ id: string }>({ ...STORE, values });
  return rows.map(({ id }) => id);
});
const STORE = {
  name: 'store',
  text: `insert into notifications (received_at, svc_uid, merchant_uid)
    select now(), svc_uid, merchant_uid from unnest($1::text[], $2::text[]) as n (svc_uid, merchant_uid) returning id`,
};

type Fetched = { id: string; notice: Notice; payment: Payment };
const write = batched<Fetched, string>(async (fetched) => {
  const rows = fetched.filter(
    ({ notice, payment }) =>
      payment.svc_uid === notice.svc_uid && payment.merchant_uid === notice.merchant_uid,
  );
  const values = [
    rows.map(({ id }) => id),
    rows.map(({ notice }) => notice.merchant_uid),
    rows.map(({ notice }) => notice.svc_uid),
    rows.map(({ payment }) => payment.status),
    rows.map(({ payment }) => payment.amount),
    rows.map(({ payment }) => payment.currency),
    rows.map(({ payment }) => JSON.stringify(payment)),
  ];
  const result = await database.query<{ id: string; outcome: string }>({ ...WRITE, values });
  const outcomes = new Map(result.rows.map(({ id, outcome }) => [id, outcome]));
  return fetched.map(({ id }) => outcomes.get(id) ?? 'mismatch');
});
const WRITE = {
  name: 'write',
  text: `
    with input as materialized (
      select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::jsonb[])
        as i (id, merchant_uid, svc_uid, status, amount, currency, record)
    ), expected as (
      update orders o set status = i.status, version = o.version + 1 from input i
      where o.merchant_uid = i.merchant_uid and o.amount = i.amount and o.currency = i.currency returning i.id
    ), saved as (
      insert into payments (svc_uid, merchant_uid, status, amount, currency, record, updated_at)
      select i.svc_uid, i.merchant_uid, i.status, i.amount, i.currency, i.record, now()
      from input i join expected using (id)
      on conflict (svc_uid) do update set status = excluded.status, record = excluded.record, updated_at = now()
    )
    update notifications n
    set outcome = case when exists (select from expected e where e.id = i.id) then 'recorded' else 'mismatch' end
    from input i where n.id = i.id returning n.id, n.outcome`,
};

listen((request, response) => {
  void readNotice(request).then(async (notice) => {
    const id = await store(notice);
    const payment = await fetchPayment(notice.svc_uid);
    const body = JSON.stringify({ outcome: await write({ id, notice, payment }) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});
