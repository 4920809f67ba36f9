// Makes a merchant execute all its statements: notifications of every outcome, orders, charges, refunds, schedules,
// subscriptions, lists, jobs, reconciliation, an erasure and the commands.

import { findFirstPayment, findTestNotification } from '../../../src/merchant/cli/doctor-store';
import { findUnresolvedAttempts } from '../../../src/merchant/core/attempts/attempt-store';
import { findStuck } from '../../../src/merchant/core/attempts/recover-attempt';
import { issuanceAttempt } from '../../../src/merchant/core/billing-keys/attempt';
import { chargeAttempt } from '../../../src/merchant/core/charges/attempt';
import { giveUpUnknownTargets, resetDeliveries } from '../../../src/merchant/core/events/event-store';
import { findHistory } from '../../../src/merchant/core/payments/payment-history-store';
import { findDifferences } from '../../../src/merchant/core/reconciliation/reconciliation-store';
import { refundAttempt } from '../../../src/merchant/core/refunds/attempt';
import { claimDue } from '../../../src/merchant/core/webhooks/due-notification-store';
import { FEATURES } from '../../../src/merchant/features';
import { recentSpan } from '../../../src/merchant/platform/clock';
import { closeContext, tasksOf, type Context } from '../../../src/merchant/platform/context';
import { readFigures } from '../../../src/merchant/platform/gauge-store';
import { openContext } from '../../../test/support/beside-world';
import { signedIn } from '../../../test/support/browsers';
import { payForNobody, payTwice } from '../../../test/support/discrepancies';
import { erase, newMember, paidOrder } from '../../../test/support/erasure';
import {
  charge,
  expectRefused,
  newUid,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../../test/support/orders';
import { runReconcileJob } from '../../../test/support/reconciliation';
import { CHARGE_KEY, FETCH_PAYMENT } from '../../../test/support/sandbox-controls';
import { subscribe } from '../../../test/support/subscriptions';
import type { World } from '../../../test/support/world';
import { listPaths } from './list-paths';

const HOUR = 3600;
/** Whether an option is installed. */
export const has = (option: string) => FEATURES.some(({ name }) => name === option);

export async function doEverything(world: World): Promise<void> {
  await notify(world);
  const member = await newMember(world);
  const { svcUid } = await paidOrder(world, member);
  await world.api('POST', `/api/payments/${svcUid}/cancel`, { amount: 300, reason: 'cold' });
  const lost = await registerOrder(world);
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await charge(world, lost, member.customerUid);
  await world.api('POST', '/api/schedules', {
    customer_uid: member.customerUid,
    merchant_uid: newUid(),
    schedule_at: Math.floor(world.clock.nowMs() / 1000) + HOUR,
    amount: 1000,
    name: 'Tea of the month',
  });
  if (has('subscriptions')) await subscribe(world, member);
  await payTwice(world, newUid());
  const { id } = await payForNobody(world, newUid());
  await world.api('POST', `/api/discrepancies/${id}/refund`, { reason: 'nobody ordered it' });
  await world.api('POST', `/api/orders/${await registerOrder(world)}/close`);
  for (const path of listPaths({ payments: 20_000, orders: 20_000 })) await world.api('GET', path);
  if (has('operator')) await openOperatorPages(world, svcUid);
  if (has('ledger')) await readLedger(world, svcUid);
  await world.runEveryMinute(2 * HOUR);
  await world.sandbox.waitForNotifications();
  await runReconcileJob(world);
  if (has('erasure')) await erase(world, member.memberId);
  await world.runEveryMinute(HOUR);
  await withContext(world, (context) => useStores(context, svcUid));
}

/** Notifications that are recorded, unchanged, false, and queued until the service answers again. */
async function notify(world: World): Promise<void> {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  await sendNotification(world, svcUid, merchantUid);
  await sendNotification(world, svcUid, merchantUid);
  await world.api('POST', `/api/payments/${svcUid}/sync`, { merchant_uid: merchantUid });
  const cheap = await registerOrder(world, newUid(), { amount: 999 });
  const { svc_uid: other } = await paySilently(world, cheap);
  await expectRefused(world, other, cheap, 'amount_mismatch');
  const late = await registerOrder(world);
  const { svc_uid: waits } = await paySilently(world, late);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
  await sendNotification(world, waits, late);
  await world.runEveryMinute(600);
}

/** Whole, and from the middle of a period on. */
async function readLedger(world: World, svcUid: string): Promise<void> {
  const cursor = encodeURIComponent(`${new Date(world.clock.nowMs()).toISOString()},${svcUid},0`);
  for (const query of ['', `?after=${cursor}`]) await world.api('GET', `/api/ledger${query}`);
  await world.rows.query(`select graphile_worker.add_job('complete-ledger')`);
}

/** Opens the pages whose statements the JSON API does not use. */
async function openOperatorPages(world: World, svcUid: string): Promise<void> {
  const operator = await signedIn(world);
  const cursor = encodeURIComponent(`${new Date(world.clock.nowMs()).toISOString()},order-1`);
  const orders = ['', '?status=paid', '?from=2026-01-01&to=2030-01-01', `?after=${cursor}`];
  for (const path of [
    '',
    `/payments/${svcUid}`,
    '/payments',
    `/payments?after=${cursor}`,
    '/payments?status=paid',
    '/payments?status=failed',
    '/payments?sort=largest',
  ])
    await operator.get(`/operator${path}`);
  for (const query of orders) await operator.get(`/operator/orders${query}`);
  for (const sort of ['oldest', 'largest', 'smallest']) await operator.get(`/operator/orders?sort=${sort}`);
  const [row] = await world.rows.query<{ uid: string; member: string | null }>(
    `select o.merchant_uid as uid, (select max(member_id) from orders) as member
     from orders o join payments p using (merchant_uid) where p.svc_uid = $1`,
    [svcUid],
  );
  const texts = ['1000', '4242', '010-1234-5678', svcUid, 'hana@example.com'];
  for (const path of [
    `/orders/${row?.uid}`,
    `/orders?member_id=${row?.member}`,
    `/members/${row?.member}`,
    '/refunds',
    '/refunds?needs_person=true',
    ...texts.map((text) => `/search?q=${encodeURIComponent(text)}`),
  ])
    await operator.get(`/operator${path}`);
  const keys = ['', '?status=active', '?member_id=m', `?after=${world.clock.nowMs()}-key`];
  for (const query of keys) await operator.get(`/operator/keys${query}`);
  const [open] = await world.rows.query<{ id: string }>('select max(id)::text as id from discrepancies');
  await operator.post(`/operator/desk/discrepancies/${open?.id}/note`, { note: 'asked the shop' });
  await operator.get('/operator/desk');
  await operator.get('/operator/desk/kinds/amount_mismatch');
}

async function withContext(world: World, act: (context: Context) => Promise<unknown>): Promise<void> {
  const context = openContext(world);
  try {
    await act(context);
  } finally {
    await closeContext(context);
  }
}

/** Calls stores that the flows above may not reach, and those of the commands. */
async function useStores(context: Context, svcUid: string): Promise<void> {
  const now = context.clock.now();
  await findTestNotification(context);
  await findFirstPayment(context, 1000);
  await findHistory(context, svcUid);
  await readFigures(context);
  await claimDue(context, 'legacy', 100);
  await resetDeliveries(context, 1n, ['handler']);
  await giveUpUnknownTargets(context, now);
  for (const kind of ['issuance', 'charge', 'refund'] as const)
    await findUnresolvedAttempts(context, kind, {
      startedRecently: recentSpan(60_000, now),
      dueBefore: now,
    });
  const listed = Array.from({ length: 1000 }, (_, index) => ({
    svcUid: `svc_${index}`,
    merchantUid: `order-${index}`,
    status: 'paid' as const,
    amount: 1000,
    cancelAmount: 0,
    currency: 'KRW',
  }));
  await findDifferences(context, listed);
  // Also if nothing is stuck.
  await findStuck(context, chargeAttempt);
  await findStuck(context, refundAttempt);
  await findStuck(context, issuanceAttempt);
  await tasksOf(context)
    .find(({ name }) => name === 'delete-old-rows')
    ?.run(new AbortController().signal, {});
}
