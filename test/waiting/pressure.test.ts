// A merchant process under load, with its real job engine and the host's clock: a backlog is processed when the service is back, a
// hanging generation does not delay the other, and a wrong clock does not change the gaps.

import { systemClock } from '../../src/merchant/platform/clock';
import { createLogger } from '../../src/merchant/platform/logger';
import { startMerchant } from '../../src/merchant/start-merchant';
import { payAsBuyer } from '../../src/sandbox/controls/payment-actions';
import { CARD } from '../support/cards';
import { testConfig } from '../support/config';
import { eventually } from '../support/eventually';
import { startHttpServer } from '../support/http-server';
import { withCardForm } from '../support/keys';
import { FETCH_PAYMENT } from '../support/sandbox-controls';
import { useFreshSurroundings } from '../support/use-surroundings';
import { SERVICE_ADDRESS } from '../support/world';

const PAY_ONETIME = 'POST /subscribe/payments/onetime';

const around = useFreshSurroundings();
// Reconciliation may begin at any moment, and would store the payments before the retries.
beforeEach(() => around.holdReconciliation());

/**
 * Notifications that were queued while the service was away, one each second, whose next attempts have been due for a
 * quarter of an hour.
 */
async function queueBacklog(count: number): Promise<void> {
  const ids = await Promise.all(Array.from({ length: count }, (_, n) => payUnannounced(`late-${n}`)));
  await around.rows.query(
    `with paid as (select * from rows from (jsonb_to_recordset($1::jsonb) as (svc_uid text, merchant_uid text))
         with ordinality p (svc_uid, merchant_uid, n)), o as (
       insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
       select merchant_uid, 'Tea', 1000, 'KRW', now(), now() from paid)
     insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address,
       outcome, reason, attempts, judged_at, next_attempt_at)
     select now() - interval '1 day' + n * interval '1 second', 'legacy', svc_uid, merchant_uid, 'paid', $2,
       'queued', 'server_error', 9, now(), now() - interval '14 minutes' + n * interval '10 milliseconds' from paid`,
    [JSON.stringify(ids), SERVICE_ADDRESS],
  );
}

async function payUnannounced(merchantUid: string): Promise<{ svc_uid: string; merchant_uid: string }> {
  const { svcUid } = await payAsBuyer(around.atService, {
    merchant_uid: merchantUid,
    amount: 1000,
    notify: false,
  });
  return { svc_uid: svcUid, merchant_uid: merchantUid };
}

async function openCount(): Promise<number> {
  const count = 'select count(*)::int as open from notifications where next_attempt_at is not null';
  const [row] = await around.rows.query<{ open: number }>(count);
  return row?.open ?? 0;
}

test('M35 three thousand waiting notifications are checked within a minute, oldest first, and new ones within a second', async () => {
  const { rows, sandbox } = around;
  await queueBacklog(3000);
  await sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1_000_000 });
  const merchant = await around.startMerchant();
  for (let n = 0; n < 4; n += 1)
    expect(await merchant.notify(await merchant.payOrder(`new-${n}`), `new-${n}`)).toMatchObject({
      outcome: 'queued',
    });
  const meanwhile = await merchant.payOrder('meanwhile');
  await sandbox.clearFaults();
  await eventually(async () => (await openCount()) < 2900);
  const order = await rows.query<{ n: number; is_open: boolean }>(
    `select substring(merchant_uid from 6)::int as n, next_attempt_at is not null as is_open
     from notifications where merchant_uid like 'late-%' order by n`,
  );
  // Some are in progress, and one was the probe of the service.
  const judged = order.filter(({ is_open }) => !is_open).map(({ n }) => n);
  expect(judged.at(-2)).toBeLessThan(judged.length + 200);
  // A new notification is checked before its answer, and waits for none of the others.
  expect(await merchant.notify(meanwhile, 'meanwhile')).toEqual({ status: 200, outcome: 'recorded' });
  await eventually(async () => (await openCount()) === 0);
  expect(await rows.query(`select merchant_uid from orders where status <> 'paid'`)).toEqual([]);
});

withCardForm(
  'M6 a charge without an answer is resolved within 15 s while notifications of a generation that hangs wait',
  async () => {
    const { rows, sandbox } = around;
    // Accepts everything and answers nothing.
    const silent = await startHttpServer(() => undefined);
    const merchant = await around.startMerchant({ SERVICE_V2_BASE_URL: silent.url });
    await rows.query(
      `with o as (
       insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
       select 'hang-' || n, 'Tea', 1000, 'KRW', now(), now() from generate_series(0, 59) n)
     insert into notifications (received_at, generation, svc_uid, merchant_uid, source_address, next_attempt_at)
     select now(), 'newer', 'tx_' || n, 'hang-' || n, $1, now() from generate_series(0, 59) n`,
      [SERVICE_ADDRESS],
    );
    await rows.query(`select graphile_worker.add_job('retry-due-notifications') from generate_series(1, 12)`);
    const hanging = Array.from({ length: 60 }, (_, n) =>
      fetch(`${merchant.url}/webhooks/payments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
        body: JSON.stringify({ tx_id: `tx_new_${n}`, payment_id: `hang-${n}`, status: 'Paid' }),
      }).catch(() => undefined),
    );
    await sandbox.fault({ endpoint: PAY_ONETIME, kind: 'lost_response' });
    const payment = { merchant_uid: 'lost', name: 'Tea', amount: 1000, ...CARD };
    expect((await merchant.api('POST', '/api/onetime', payment)).status).toBe(202);
    await rows.waitFor(`select from charges where merchant_uid = 'lost' and status = 'paid'`);
    const [charge] = await rows.query<{ seconds: number }>(
      'select extract(epoch from resolved_at - started_at)::float8 as seconds from charges',
    );
    expect(charge?.seconds).toBeLessThan(RESOLVED_WITHIN_S);
    expect(await rows.query(`select status from orders where merchant_uid = 'lost'`)).toEqual([
      { status: 'paid' },
    ]);
    expect(await rows.query(`select from notifications where outcome = 'recorded'`)).toEqual([]);
    expect(await sandbox.requests(PAY_ONETIME)).toBe(1);
    await silent.close();
    await Promise.all(hanging);
  },
);

/** Fifteen seconds and the delay of a busy machine. If it waited for the hanging calls, it would be minutes. */
const RESOLVED_WITHIN_S = 60;

test.each([-300, 300])(
  'M12 a host whose clock is off by %i s retries an unknown order at the right times',
  async (offSeconds) => {
    const { rows } = around;
    const off = { ...systemClock, now: () => new Date(Date.now() + offSeconds * 1000) };
    const running = await startMerchant({
      config: testConfig({ ...around.environment, SERVICE_NAME_PREFIX: 'svc' }),
      clock: off,
      logger: createLogger('silent'),
      role: 'all',
    });
    const checkedAfter = async () => {
      const [row] = await rows.query<{ seconds: number; attempts: number }>(
        `select extract(epoch from judged_at - received_at)::float8 as seconds, attempts from notifications`,
      );
      return row;
    };
    try {
      // Its clock is right once the jobs have begun.
      await rows.waitFor(`select from graphile_worker._private_known_crontabs`);
      const { svc_uid } = await payUnannounced('early');
      const answer = await fetch(`http://127.0.0.1:${running.port}/webhooks/payments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
        body: JSON.stringify({ svc_uid, merchant_uid: 'early', status: 'paid' }),
      });
      expect(await answer.json()).toEqual({ outcome: 'unknown_order' });
      await rows.waitFor('select from notifications where attempts = 2');
      // With the wrong clock it would be at once or after five minutes.
      const second = await checkedAfter();
      expect(second?.attempts).toBe(2);
      expect(second?.seconds).toBeGreaterThan(2);
      await rows.query(
        `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
         values ('early', 'Tea', 1000, 'KRW', now(), now())`,
      );
      await rows.waitFor(`select from notifications where outcome = 'recorded'`);
      expect(await rows.query('select status from orders')).toEqual([{ status: 'paid' }]);
      const third = await checkedAfter();
      expect(third?.attempts).toBe(3);
      expect(third?.seconds).toBeGreaterThan(6.9);
    } finally {
      await running.close();
    }
  },
);
