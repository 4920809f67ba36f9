// The row of a charge is written only while its order can be paid: also where the order is paid at the same moment.

import { Client } from 'pg';
import { insertCharges } from '../../../src/merchant/charges/charge-store';
import { registerOrder } from '../../../src/merchant/orders/register-order';
import { useRunningContext } from '../../support/context';

const running = useRunningContext();

test('M37 a charge waits for a payment of its order that is being written, and is not made once that is there', async () => {
  const merchantUid = 'm37-charge';
  const order = { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
  await registerOrder(running.context, order);
  const sync = new Client({ connectionString: running.database.url });
  await sync.connect();
  try {
    await sync.query('begin');
    await sync.query(`update orders set status = 'paid', version = version + 1`);
    const charge = { id: 'charge-1', merchantUid, customerUid: null, scheduleAt: null };
    const inserted = insertCharges(running.context, [{ ...charge, kind: 'onetime' }]);
    await running.rows.waitFor(`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like '%insert into charges%'`);
    await sync.query('commit');
    expect(await inserted).toBe(false);
  } finally {
    await sync.end();
  }
  expect(await running.rows.query('select id from charges')).toEqual([]);
});

test('an order that was erased gets no charge, whatever was known of it before', async () => {
  const merchantUid = 'erased-charge';
  const order = { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
  await registerOrder(running.context, order);
  await running.rows.query('update orders set erased_at = now() where merchant_uid = $1', [merchantUid]);
  const charge = { merchantUid, customerUid: null, scheduleAt: null, kind: 'onetime' } as const;
  expect(await insertCharges(running.context, [{ ...charge, id: 'charge-2' }])).toBe(false);
  expect(await running.rows.query('select id from charges')).toEqual([]);
});
