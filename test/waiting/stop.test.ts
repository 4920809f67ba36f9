// The stop of a process: after SIGTERM the load balancer is informed before anything is closed, and no client can prevent the end. A
// stop that is cut off after 25 s exits with 1, an orderly one with 0.

import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { API_KEY } from '../support/config';
import { eventually } from '../support/eventually';
import { startHttpServer } from '../support/http-server';
import { FETCH_PAYMENT, LIST_PAYMENTS } from '../support/sandbox-controls';
import { EVENTS_SECRET } from '../support/shop-events';
import { useSurroundings, type Merchant } from '../support/use-surroundings';
import { SERVICE_ADDRESS } from '../support/world';

/** A stop is cut off after this time. */
const CUT_OFF_MS = 25_000;

/** Another process on its database would publish events for its own targets, or make the delayed fetch. */
const around = useSurroundings();
const other = useSurroundings();
beforeAll(async () => {
  await around.holdReconciliation();
  await other.holdReconciliation();
});

test(
  'after SIGTERM a process serves requests for some seconds, finishes open ones and exits with 0 within 25 s (G9)',
  sideBySide(async () => {
    const { rows, sandbox } = around;
    const merchant = await around.startMerchant();
    const slow = await merchant.payOrder('under-way');
    const late = await merchant.payOrder('while-stopping');
    // Longer than the server goes on to listen.
    await sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 7_000, times: 1 });
    const before = await sandbox.requests(FETCH_PAYMENT);
    const underWay = notify(merchant, slow, 'under-way');
    await eventually(async () => (await sandbox.requests(FETCH_PAYMENT)) > before);

    const ended = merchant.kill('SIGTERM');
    await eventually(async () => (await readyz(merchant)).status === 503);
    const verdict = await readyz(merchant);
    const draining = { status: 'not_ready', reasons: ['draining'] };
    expect(verdict).toEqual({ status: 503, connection: 'close', body: draining });
    const recorded = { status: 200, connection: 'close', body: { outcome: 'recorded' } };
    expect(await notify(merchant, late, 'while-stopping')).toEqual(recorded);
    expect(await underWay).toMatchObject({ status: 200, body: { outcome: 'recorded' } });
    expect(await ended).toBe(0);
    await expect(readyz(merchant)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    const paid = `select merchant_uid from orders where status = 'paid' order by merchant_uid`;
    expect(await rows.query(paid)).toEqual([
      { merchant_uid: 'under-way' },
      { merchant_uid: 'while-stopping' },
    ]);
  }),
);

test(
  'a stop closes idle connections at once, and one with an incomplete body at its deadline (G10)',
  sideBySide(async () => {
    const merchant = await around.startMerchant();
    const idle = await connected(merchant);
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');
    const silent = await connected(merchant);
    const halfSent = await connected(merchant);
    halfSent.write('POST /api/orders HTTP/1.1\r\nHost: localhost\r\n');
    halfSent.write(
      `Authorization: Bearer ${API_KEY}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    );
    // It is answered after the incomplete request has arrived, which is older.
    expect((await readyz(merchant)).status).toBe(200);
    const ended = merchant.kill('SIGINT');
    // Nothing was ever sent over the second.
    await Promise.all([once(idle, 'close'), once(silent, 'close')]);
    expect(halfSent.closed).toBe(false);
    expect(await ended).toBe(0);
  }),
);

test(
  'a second SIGTERM ends the process at once with a code other than 0 (G11)',
  sideBySide(async () => {
    const merchant = await around.startMerchant();
    const began = performance.now();
    const ended = merchant.kill('SIGTERM');
    await eventually(async () => (await readyz(merchant)).status === 503);
    await merchant.kill('SIGTERM');
    expect(await ended).toBe(1);
    expect(performance.now() - began).toBeLessThan(CUT_OFF_MS);
  }),
);

test(
  'after SIGTERM with a hanging call, a running job, a waiting statement and an open connection the exit code is 0 within 25 s',
  sideBySide(async () => {
    const { rows, sandbox } = other;
    let posts = 0;
    const events = await startHttpServer(() => (posts += 1));
    const merchant = await other.startMerchant({
      ORDER_EVENTS_URL: events.url,
      ORDER_EVENTS_SECRET: EVENTS_SECRET,
    });
    await merchant.payOrder('told-to-nobody');
    expect((await merchant.api('POST', '/api/orders/told-to-nobody/close', {})).status).toBe(200);
    // The job that posts the event gets no answer.
    await eventually(() => posts > 0);

    await merchant.payOrder('locked');
    const locking = new Client({ connectionString: other.database.url });
    await locking.connect();
    await locking.query(`begin; select from orders where merchant_uid = 'locked' for update`);
    const waits = merchant.api('POST', '/api/orders/locked/close', {});
    const before = await sandbox.requests(LIST_PAYMENTS);
    await sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'delay', delay_ms: 60_000, times: 1 });
    const hangs = merchant.api('GET', '/api/payments?status=paid');
    await eventually(async () => (await sandbox.requests(LIST_PAYMENTS)) > before);
    const open = await connected(merchant);

    expect(await merchant.kill('SIGTERM')).toBe(0);
    await locking.query('rollback');
    await locking.end();
    open.destroy();
    await events.close();
    expect([(await waits).status, (await hangs).status]).toEqual([503, 503]);
    // The event is not lost.
    const undelivered = 'select event_id from event_deliveries where delivered_at is null';
    expect(await rows.query(undelivered)).not.toEqual([]);
    const held = 'select id from graphile_worker._private_jobs where locked_at is not null';
    expect(await rows.query(held)).toEqual([]);
  }),
);

/** The tests begin together, because they wait. */
function sideBySide(story: () => Promise<void>): () => Promise<void> {
  let told: Promise<void> | undefined;
  beforeAll(() => {
    told = story();
    told.catch(() => undefined);
  });
  return async () => told;
}

const readyz = ({ url }: Merchant) => answerOf(fetch(`${url}/readyz`));
const notify = ({ url }: Merchant, svc_uid: string, merchant_uid: string) =>
  answerOf(
    fetch(`${url}/webhooks/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
      body: JSON.stringify({ svc_uid, merchant_uid, status: 'paid' }),
    }),
  );

/** On a connection that the client would keep. */
async function answerOf(asked: Promise<Response>) {
  const answer = await asked;
  return { status: answer.status, connection: answer.headers.get('connection'), body: await answer.json() };
}

async function connected({ port }: Merchant) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
