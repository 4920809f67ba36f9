// A member issues a billing key in the payment window. Whatever way we learn of its payment, the key is adopted once, by the member
// who asked; everything else is a case for a person. A payment of 0 is never money.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { closedWindow } from '../../../src/sandbox/stories/closed-window';
import { codeOf } from '../../support/calls';
import { eventually } from '../../support/eventually';
import { traceOf } from '../../support/keys';
import { hasOption } from '../../support/options';
import {
  charge,
  discrepanciesOf,
  newUid,
  notificationsOf,
  orderStatus,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { runReconcileJob } from '../../support/reconciliation';
import { expectNoEffect } from '../../support/rows';
import { FIND_KEYS } from '../../support/sandbox-controls';
import { expectGoodEnding } from '../../support/stories';
import { useWorldWithProxy } from '../../support/use-world';
import { expectNoMoney, finishWindow, newMember, requestKey, returnTo, type KeyRequest } from './setup';

const { world, proxy } = useWorldWithProxy();
beforeEach(() => world.sandbox.clearFaults());

const HOUR = 3600;
const sync = (svcUid: string, merchantUid: string) => syncPayment(world.context(), { svcUid, merchantUid });
const cardsOf = async (memberId: string) => (await world.api('GET', `/api/members/${memberId}/cards`)).body;

async function expectAdopted({ customer_uid, merchant_uid }: KeyRequest, memberId: string, svcUid: string) {
  expect(await traceOf(world, customer_uid)).toEqual({
    key: {
      member_id: memberId,
      status: 'active',
      card_name: '카카오페이',
      card_number: null,
      issued_by: svcUid,
    },
    events: ['card.registered'],
  });
  expect(await discrepanciesOf(world, merchant_uid)).toEqual([]);
}

const expectNoKey = async ({ customer_uid }: KeyRequest) =>
  expect(await traceOf(world, customer_uid)).toEqual({ key: null, events: [] });

test('O17 a key is adopted once by the member who asked, by notification, return page, sync, reconciliation and at its expiry', async () => {
  const ways: Record<string, (svcUid: string, request: KeyRequest) => Promise<unknown>> = {
    notification: (svcUid, { merchant_uid }) => sendNotification(world, svcUid, merchant_uid),
    'newer notification': (svcUid, { merchant_uid }) =>
      world.notify({ tx_id: svcUid, payment_id: merchant_uid, status: 'Paid' }),
    'return page': async (svcUid, request) =>
      expect(await returnTo(world, request, svcUid)).toMatchObject({
        status: 303,
        location: `/thanks?customer_uid=${request.customer_uid}`,
      }),
    sync: async (svcUid, { merchant_uid }) =>
      expect(await sync(svcUid, merchant_uid)).toMatchObject({ outcome: 'recorded' }),
    reconciliation: () => runReconcileJob(world),
    expiry: () => world.runEveryMinute(HOUR + 400),
  };
  for (const learn of Object.values(ways)) {
    const memberId = newMember();
    const request = await requestKey(world, memberId, { return_url: '/thanks' });
    expect(request).toMatchObject({
      amount: 0,
      window: { amount: 0, pg: 'kakaopay', customer_uid: request.customer_uid },
    });
    const svcUid = await finishWindow(world, request);
    await learn(svcUid, request);
    await expectAdopted(request, memberId, svcUid);
    // Twice, and once more by another way.
    expect(await sendNotification(world, svcUid, request.merchant_uid)).toEqual({
      status: 200,
      outcome: 'unchanged',
    });
    expect(await sync(svcUid, request.merchant_uid)).toMatchObject({ outcome: 'unchanged' });
    await expectAdopted(request, memberId, svcUid);
    await expectNoMoney(world, request);
    expect(await cardsOf(memberId)).toMatchObject([
      {
        customer_uid: request.customer_uid,
        card_name: '카카오페이',
        card_number: null,
        state: 'active',
        chargeable: true,
      },
    ]);
  }
  // Reconciliation asks nothing about a key that is stored.
  await runReconcileJob(world);
  expect(world.log.events('payment_not_repaired')).toEqual([]);
});

test('the member sees the wallet without a card number, pays with it and removes it, and so does the API', async () => {
  const [memberId, other] = [newMember(), newMember()];
  const [request, second] = [await requestKey(world, memberId), await requestKey(world, memberId)];
  for (const each of [request, second]) await sync(await finishWindow(world, each), each.merchant_uid);
  const order = await registerOrder(world, newUid(), { member_id: memberId });
  expect(await charge(world, order, request.customer_uid)).toMatchObject({ status: 200 });
  const foreign = await registerOrder(world, newUid(), { member_id: other });
  expect(await codeOf(charge(world, foreign, request.customer_uid))).toEqual([403, 'foreign_billing_key']);

  const remove = (customerUid: string) => world.api('DELETE', `/api/billing-keys/${customerUid}`);
  await world.sandbox.fault({ endpoint: 'DELETE /subscribe/customers/:customer_uid', kind: 'lost_response' });
  const removal = { customer_uid: request.customer_uid };
  expect(await remove(request.customer_uid)).toMatchObject({
    status: 202,
    body: { ...removal, status: 'removing' },
  });
  await world.runEveryMinute(61);
  expect(await remove(request.customer_uid)).toMatchObject({
    status: 200,
    body: { ...removal, status: 'removed' },
  });
  expect((await traceOf(world, request.customer_uid)).events).toEqual(['card.registered', 'card.removed']);
  expect(await codeOf(remove('never-heard-of'))).toEqual([404, 'billing_key_not_found']);
  expect(await cardsOf(memberId)).toMatchObject([{ customer_uid: second.customer_uid }]);

  if (!hasOption('erasure')) return;
  await world.api('POST', `/api/members/${memberId}/erase`);
  expect(await world.rows.query('select from billing_key_requests where member_id = $1', [memberId])).toEqual(
    [],
  );
  expect((await traceOf(world, second.customer_uid)).key).toMatchObject({ member_id: '', status: 'removed' });
});

test('a first payment pays its order like every payment, and its key is adopted, also if the service shows the key later', async () => {
  const memberId = newMember();
  const merchantUid = await registerOrder(world, newUid(), { member_id: memberId, amount: 9900 });
  const request = await requestKey(world, memberId, { order: { merchant_uid: merchantUid } });
  expect(request).toMatchObject({
    merchant_uid: merchantUid,
    amount: 9900,
    window: { name: 'Tea', amount: 9900 },
  });
  const svcUid = await finishWindow(world, request);
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 503 });
  expect(await sendNotification(world, svcUid, merchantUid)).toEqual({ status: 200, outcome: 'queued' });
  const order = async () => (await world.api('GET', `/api/orders/${merchantUid}`)).body as { status: string };
  expect(await order()).toMatchObject({ status: 'paid', payments: [{ svc_uid: svcUid, amount: 9900 }] });
  await world.advance(5);
  expect(await notificationsOf(world, merchantUid)).toEqual([{ outcome: 'recorded', reason: null }]);
  await expectAdopted(request, memberId, svcUid);

  const body = (uid: string) => ({ order: { merchant_uid: uid } });
  const ask = (member: string, uid: string) =>
    codeOf(world.api('POST', `/api/members/${member}/billing-key-requests`, body(uid)));
  expect(await ask(memberId, merchantUid)).toEqual([409, 'order_not_payable']);
  expect(await ask(newMember(), merchantUid)).toEqual([409, 'order_of_another_member']);
  expect(await ask(memberId, 'never-registered')).toEqual([404, 'order_not_found']);
});

test('the story of a window that was closed after the key was issued', () =>
  expectGoodEnding(world, closedWindow));

test('O17 a window that was closed or refused leaves nothing, and its request can still be used', async () => {
  const memberId = newMember();
  const request = await requestKey(world, memberId);
  const closed = await finishWindow(world, request, { outcome: 'failed' });
  expect(await sendNotification(world, closed, request.merchant_uid)).toEqual({
    status: 200,
    outcome: 'unchanged',
  });
  const page = await returnTo(world, request, closed);
  expect([
    page.status,
    page.html.includes('등록하지 못했어요') || page.html.includes('It was not registered'),
  ]).toEqual([200, true]);
  await expectNoKey(request);
  await runReconcileJob(world);
  expect(await discrepanciesOf(world, request.merchant_uid)).toEqual([]);
  const svcUid = await finishWindow(world, request);
  expect(await sync(svcUid, request.merchant_uid)).toMatchObject({ outcome: 'recorded' });
  await expectAdopted(request, memberId, svcUid);
});

test('O17 a key of no request, of another request, of another member’s card or of an expired request is a case, and never a card', async () => {
  const [mine, theirs, late] = [newMember(), newMember(), newMember()];
  const [my, their] = [await requestKey(world, mine), await requestKey(world, theirs)];
  const expectCase = async (svcUid: string, merchantUid: string, customerUid: string, expected: string) => {
    expect(await sendNotification(world, svcUid, merchantUid)).toEqual({
      status: 400,
      outcome: 'unknown_billing_key',
    });
    expect(await discrepanciesOf(world, merchantUid)).toMatchObject([
      { kind: 'unknown_billing_key', expected, actual: customerUid },
    ]);
  };
  const invented = await world.sandbox.pay({
    merchant_uid: 'invented',
    customer_uid: 'invented-key',
    amount: 0,
    notify: false,
  });
  await expectCase(invented.svc_uid, 'invented', 'invented-key', 'a billing key that we asked for');
  const forged = await finishWindow(world, my, { customer_uid: their.customer_uid });
  await expectCase(
    forged,
    my.merchant_uid,
    their.customer_uid,
    'the billing key of the request for this payment',
  );
  await Promise.all([expectNoKey(my), expectNoKey(their)]);

  const adopted = await requestKey(world, theirs);
  await sync(await finishWindow(world, adopted), adopted.merchant_uid);
  const stolen = await requestKey(world, mine);
  const replaced = await finishWindow(world, stolen, { customer_uid: adopted.customer_uid });
  await expectCase(
    replaced,
    stolen.merchant_uid,
    adopted.customer_uid,
    'a billing key that is not stored yet',
  );
  expect(await traceOf(world, adopted.customer_uid)).toMatchObject({
    key: { member_id: theirs },
    events: ['card.registered'],
  });

  const slow = await requestKey(world, late);
  await world.runEveryMinute(HOUR + 400);
  const afterwards = await finishWindow(world, slow);
  await expectCase(
    afterwards,
    slow.merchant_uid,
    slow.customer_uid,
    'a billing key that was issued before its request expired',
  );
  expect(await cardsOf(late)).toEqual([]);
});

test('a member with ten cards gets no window, and a key that arrives then is a case', async () => {
  const memberId = newMember();
  const request = await requestKey(world, memberId);
  const merchantUid = await registerOrder(world, newUid(), { member_id: memberId });
  const paying = await requestKey(world, memberId, { order: { merchant_uid: merchantUid } });
  await world.rows.query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     select $1 || '-' || n, $1, 'active', now(), now() from generate_series(1, 10) n`,
    [memberId],
  );
  const ask = () => world.api('POST', `/api/members/${memberId}/billing-key-requests`, {});
  expect(await codeOf(expectNoEffect(world, ask))).toEqual([409, 'too_many_cards']);

  const expectCase = async ({ merchant_uid, customer_uid }: KeyRequest) =>
    expect(await discrepanciesOf(world, merchant_uid)).toMatchObject([
      { kind: 'unknown_billing_key', expected: 'a member with fewer than 10 cards', actual: customer_uid },
    ]);
  const [alone, paid] = [await finishWindow(world, request), await finishWindow(world, paying)];
  expect((await returnTo(world, request, alone)).status).toBe(200);
  expect(await sync(alone, request.merchant_uid)).toMatchObject({ outcome: 'unknown_billing_key' });
  expect(await sync(paid, merchantUid)).toMatchObject({ outcome: 'recorded' });
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  // The last check of the requests does not change the reason.
  await world.runEveryMinute(HOUR + 400);
  for (const each of [request, paying]) {
    await expectCase(each);
    await expectNoKey(each);
  }
});

test('O17 wherever a process dies, the key is adopted once and the same rows remain', async () => {
  const begun: { memberId: string; request: KeyRequest; svcUid: string }[] = [];
  // Each dies one statement later, until one does not.
  for (let isStopped = true; isStopped;) {
    const memberId = newMember();
    const request = await requestKey(world, memberId);
    const svcUid = await finishWindow(world, request);
    begun.push({ memberId, request, svcUid });
    isStopped = false;
    proxy().stopAfter(begun.length, () => (isStopped = true));
    const answer = sendNotification(world, svcUid, request.merchant_uid);
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    await eventually(() => isStopped || isAnswered);
    // Its connections end as those of a killed process do.
    if (isStopped) await world.withoutDatabase(() => answer);
    proxy().stopAfter(Number.POSITIVE_INFINITY, () => undefined);
  }
  expect(begun.length).toBeGreaterThan(8);
  await world.forgetJobs();
  world.clock.advance(61);
  for (const { request, svcUid } of begun)
    expect((await sendNotification(world, svcUid, request.merchant_uid)).status).toBe(200);
  await world.runEveryMinute(61);
  for (const { memberId, request, svcUid } of begun) {
    await expectAdopted(request, memberId, svcUid);
    await expectNoMoney(world, request);
    expect(new Set((await notificationsOf(world, request.merchant_uid)).map(({ reason }) => reason))).toEqual(
      new Set([null]),
    );
  }
});
