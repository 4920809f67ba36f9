// The plain limit: the minimum cost of the work. Node's http, pg and undici; each notification is two statements: one stores it,
// one writes payment, order and outcome after the fetch. No address check, no limits, no log, no retry.

import { fetchPayment } from './fetch-payment';
import { listen, openPool, readNotice } from './program';

const database = openPool();

const STORE = {
  name: 'store',
  text: `insert into notifications (received_at, svc_uid, merchant_uid) values (now(), $1, $2) returning id`,
};
const WRITE = {
  name: 'write',
  text: `
    with expected as (
      update orders set status = $4, version = version + 1
      where merchant_uid = $2 and amount = $5 and currency = $6 returning merchant_uid
    ), saved as (
      insert into payments (svc_uid, merchant_uid, status, amount, currency, record, updated_at)
      select $3, merchant_uid, $4, $5, $6, $7, now() from expected
      on conflict (svc_uid) do update set status = excluded.status, record = excluded.record, updated_at = now()
      returning svc_uid
    )
    update notifications set outcome = case when exists (select from saved) then 'recorded' else 'mismatch' end
    where id = $1 returning outcome`,
};

listen((request, response) => {
  void readNotice(request).then(async ({ svc_uid: svcUid, merchant_uid: merchantUid }) => {
    const stored = await database.query<{ id: string }>({ ...STORE, values: [svcUid, merchantUid] });
    const payment = await fetchPayment(svcUid);
    const { status, amount, currency } = payment;
    const fits = payment.svc_uid === svcUid && payment.merchant_uid === merchantUid;
    const id = stored.rows[0]?.id;
    const values = [id, fits ? merchantUid : null, svcUid, status, amount, currency, JSON.stringify(payment)];
    const { rows } = await database.query<{ outcome: string }>({ ...WRITE, values });
    const body = JSON.stringify({ outcome: rows[0]?.outcome });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});
