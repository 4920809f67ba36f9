// REFUND_LIMIT: a refund by an operator above it is requested, and waits for another operator (refund-approval.test.ts).

import { CANCEL_PAYMENT, discrepancyOf, payTwice, refundsOf } from '../../support/discrepancies';
import { newUid } from '../../support/orders';
import { doneBy, fieldsOf, useRefundLimit } from './refund-limit-setup';

const { world, as, pay, refund, requestOf, decide, expectRefused } = useRefundLimit();

test('a refund up to the limit is made at once; above it, the form says that it is requested, and it waits', async () => {
  const atOnce = await pay();
  const kim = await as('kim');
  const small = await kim.post(`/operator/payments/${atOnce}/refund/check?lang=en`, fieldsOf(500, 1000));
  expect(small.html).toContain('>Refund ₩500</button>');
  expect(doneBy(await refund(atOnce, 500, 1000))).toBe('refunded');

  const svcUid = await pay();
  const path = `/operator/payments/${svcUid}/refund`;
  const asked = await kim.post(`${path}/check?lang=en`, fieldsOf(600, 1000));
  expect(await requestOf(svcUid)).toBeUndefined();
  expect(asked.html).toContain('>Request a refund of ₩600</button>');
  const sent = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    expect(doneBy(await refund(svcUid, 600, 1000))).toBe('refund_requested');
  });
  expect([sent, await refundsOf(world, svcUid)]).toEqual([0, []]);
  const request = await requestOf(svcUid);
  const money = { amount: '600', balance: '1000', currency: 'KRW', reason: 'cold tea' };
  expect(request).toMatchObject({ ...money, requested_by: 'kim', decision: null, decided_by: null });
  for (const page of [`/operator/desk/refund-requests/${request?.id}`, `/operator/payments/${svcUid}`]) {
    const html = (await (await as('lee')).get(`${page}?lang=en`)).html;
    for (const text of [
      'Refunds to approve',
      '₩600',
      'cold tea',
      'kim',
      `refund-requests/${request?.id}/approve`,
    ])
      expect([page, text, html.includes(text)]).toEqual([page, text, true]);
    expect((await kim.get(page)).html).not.toContain(`refund-requests/${request?.id}/approve`);
    expect((await (await as('choi')).get(page)).html).not.toContain(`refund-requests/${request?.id}/`);
  }
  // The number beside the action queue counts it.
  const waiting = await world.rows.query('select from refund_requests where decision is null');
  expect((await kim.get('/operator?lang=en')).html).toContain(
    `<span class="waiting">${waiting.length}</span>`,
  );
});

test('small parts do not pass the limit: all that operators have refunded or requested of a payment counts', async () => {
  const svcUid = await pay();
  expect(doneBy(await refund(svcUid, 300, 1000))).toBe('refunded');
  await world.rows.query(
    "update refunds set started_at = started_at - interval '90 days' where svc_uid = $1",
    [svcUid],
  );
  expect(doneBy(await refund(svcUid, 201, 700, 'park'))).toBe('refund_requested');
  // While it waits, nothing else is refunded or requested, not even the rest below the limit.
  for (const amount of [1, 400])
    await expectRefused('refund_request_waiting', 409, () => refund(svcUid, amount, 700));
  await decide((await requestOf(svcUid))?.id ?? '', 'reject');
  expect(doneBy(await refund(svcUid, 200, 700, 'park'))).toBe('refunded');
  expect(doneBy(await refund(svcUid, 1, 500))).toBe('refund_requested');
  // What was approved counts, too.
  expect(doneBy(await decide((await requestOf(svcUid))?.id ?? '', 'approve'))).toBe('refunded');
  expect(doneBy(await refund(svcUid, 1, 499, 'park'))).toBe('refund_requested');
});

test('two parts at the same time do not pass the limit', async () => {
  const svcUid = await pay();
  const answers = await Promise.all([refund(svcUid, 300, 1000), refund(svcUid, 300, 1000, 'park')]);
  // The second one finds another balance, or the first one's row and has to be requested.
  const done = answers.map((answer) => (answer.status === 409 ? 'balance_differs' : doneBy(answer)));
  expect(done.filter((each) => each === 'refunded')).toHaveLength(1);
  expect(['balance_differs', 'refund_requested']).toContain(done.find((each) => each !== 'refunded'));
  expect(await refundsOf(world, svcUid)).toMatchObject([{ amount: '300', status: 'refunded' }]);
});

test('the refund of a discrepancy has the same limit, and the approval resolves it', async () => {
  const { second, id } = await payTwice(world, newUid());
  const path = `/operator/desk/discrepancies/${id}/refund`;
  const kim = await as('kim');
  const asked = await kim.post(`${path}/check?lang=en`, { reason: 'paid twice' });
  expect(asked.html).toContain('>Request a refund of ₩1,000</button>');
  expect(doneBy(await kim.post(path, { reason: 'paid twice', checksum: '1000' }))).toBe('refund_requested');
  expect(await refundsOf(world, second)).toEqual([]);
  const request = await requestOf(second);
  expect(request).toMatchObject({ discrepancy_id: id, balance: '1000' });
  expect(doneBy(await decide(request?.id ?? '', 'approve'))).toBe('refunded');
  expect(await refundsOf(world, second)).toMatchObject([{ status: 'refunded', requested_by: 'kim' }]);
  expect(await discrepancyOf(world, second, 'duplicate_payment')).toMatchObject({
    resolution: 'refunded',
    resolved_by: 'kim',
  });
});

test('a refund in another currency than won always needs a second person', async () => {
  const svcUid = await pay(1000, { currency: 'USD' }, { currency: 'USD' });
  expect(doneBy(await refund(svcUid, 1, 1000))).toBe('refund_requested');
  expect(await requestOf(svcUid)).toMatchObject({ amount: '1', currency: 'USD' });
});

test('the API is not limited', async () => {
  const svcUid = await pay();
  const answer = await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'cold tea' });
  expect([answer.status, (await refundsOf(world, svcUid)).length]).toEqual([200, 1]);
});
