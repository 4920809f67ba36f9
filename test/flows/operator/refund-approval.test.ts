// A requested refund (REFUND_LIMIT) is made once, after another operator has approved it.

import { createMemberBrowser, signedIn } from '../../support/browsers';
import { CANCEL_PAYMENT, refundsOf } from '../../support/discrepancies';
import { newUid, registerOrder } from '../../support/orders';
import { startWorld } from '../../support/world';
import { makeAccount } from './accounts-setup';
import { doneBy, fieldsOf, useRefundLimit } from './refund-limit-setup';

const { world, as, signOut, removeAccounts, pay, refund, requestOf, requested, decide, expectRefused } =
  useRefundLimit();

test('with OPERATOR_PASSWORD a refund can be requested and rejected, and approved by nobody', async () => {
  // OPERATOR_PASSWORD signs in while there are no accounts.
  await removeAccounts();
  const svcUid = await pay();
  const nobody = await signedIn(world, { by: 'kim' });
  const asked = await nobody.post(`/operator/payments/${svcUid}/refund`, fieldsOf(600, 1000));
  expect(doneBy(asked)).toBe('refund_requested');
  const { id = '' } = (await requestOf(svcUid)) ?? {};
  const other = await signedIn(world, { by: 'lee' });
  const path = `/operator/desk/refund-requests/${id}`;
  const refused = await expectRefused('approver_unknown', 403, () =>
    other.post(`${path}/approve?lang=en`, {}),
  );
  expect(refused.html).toContain('nobody knows whether two people agree');
  expect(refused.html).not.toContain(`${path}/approve`);
  // Nor later, with an account: it may be the one who has requested it.
  await expectRefused('approver_unknown', 403, () => decide(id, 'approve', 'lee'));
  expect(doneBy(await decide(id, 'reject'))).toBe('refund_rejected');
  expect(await refundsOf(world, svcUid)).toEqual([]);
});

test('the requester cannot approve, nor who may not refund; another operator can, and both names are kept', async () => {
  const { svcUid, id } = await requested();
  await expectRefused('same_operator', 403, () => decide(id, 'approve', 'kim'));
  for (const decision of ['approve', 'reject'] as const)
    await expectRefused('role_missing', 403, () => decide(id, decision, 'choi'));
  expect(doneBy(await decide(id, 'approve'))).toBe('refunded');
  const [made, ...others] = await refundsOf(world, svcUid);
  expect([made, others]).toMatchObject([{ amount: '600', status: 'refunded', requested_by: 'kim' }, []]);
  const decided = { decision: 'approved', decided_by: 'lee', refund_id: made?.id };
  expect(await requestOf(svcUid)).toMatchObject(decided);
  await expectRefused('already_settled', 409, () => decide(id, 'reject', 'park'));
  const { html } = await (await as('kim')).get(`/operator/payments/${svcUid}?lang=en`);
  for (const text of ['Refund requested', 'Refund request resolved', 'Resolved by: lee'])
    expect([text, html.includes(text)]).toEqual([text, true]);
  const audited = await world.rows.query(
    `select by, action, outcome, detail from operator_actions where subject = 'refund-requests' and subject_id = $1 order by id`,
    [id],
  );
  const detail = { svc_uid: svcUid, amount: 600, requested_by: 'kim' };
  expect(audited).toMatchObject([
    { by: 'kim', action: 'approve', outcome: 'same_operator', detail },
    { by: 'choi', action: 'approve', outcome: 'role_missing' },
    { by: 'choi', action: 'reject', outcome: 'role_missing' },
    { by: 'lee', action: 'approve', outcome: 'refunded', detail },
    { by: 'park', action: 'reject', outcome: 'already_settled', detail },
  ]);
});

test('a requested refund counts among what waits for a person until it is decided', async () => {
  const kim = await as('kim');
  const waiting = async () => {
    const { html } = await kim.get('/operator?lang=en');
    const found = [/class="waiting">(\d+)</, /<dl class="tiles">[^]*?<dd>(\d+)</].map((each) =>
      each.exec(html),
    );
    return found.map((match) => Number(match?.[1] ?? 0));
  };
  const before = await waiting();
  const { id } = await requested();
  expect(await waiting()).toEqual(before.map((number) => number + 1));
  await decide(id, 'reject');
  expect(await waiting()).toEqual(before);
});

test('two operators who approve at the same time refund once', async () => {
  const { svcUid, id } = await requested();
  // Two refunds of 300 would both fit the balance.
  await world.rows.query('update refund_requests set amount = 300 where id = $1', [id]);
  const answers = await Promise.all([decide(id, 'approve', 'lee'), decide(id, 'approve', 'park')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ amount: '300', status: 'refunded' }]);
});

test('a rejected refund is not made, also by its requester, and a new one can be requested', async () => {
  const { svcUid, id } = await requested();
  expect((await (await as('kim')).get(`/operator/desk/refund-requests/${id}?lang=en`)).html).toContain(
    '>Withdraw</button>',
  );
  expect(doneBy(await decide(id, 'reject', 'kim'))).toBe('refund_rejected');
  await expectRefused('already_settled', 409, () => decide(id, 'approve'));
  expect(await refundsOf(world, svcUid)).toEqual([]);
  expect(await requestOf(svcUid)).toMatchObject({ decision: 'rejected', decided_by: 'kim', refund_id: null });
  expect(doneBy(await refund(svcUid, 600, 1000))).toBe('refund_requested');
});

test('if something else was refunded since, an approval moves no money and says why', async () => {
  const { svcUid, id } = await requested();
  const part = { amount: 100, checksum: 1000, reason: 'by the shop' };
  expect((await world.api('POST', `/api/payments/${svcUid}/cancel`, part)).status).toBe(200);
  // The refund of 600 would still fit the balance.
  const refused = await expectRefused('refund_request_outdated', 409, () => decide(id, 'approve'));
  expect(refused.html).toContain('The refundable balance has changed since the refund was requested');
  expect(await requestOf(svcUid)).toMatchObject({ decision: null, decided_by: null });
  expect(await refundsOf(world, svcUid)).toMatchObject([{ amount: '100' }]);
});

test('if the service refuses an approved refund, the request waits again', async () => {
  const { svcUid, id } = await requested();
  const body = { code: 1, message: 'over the daily limit', response: null };
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'status', status: 200, body });
  const refused = await decide(id, 'approve');
  expect([refused.status, refused.html.includes('over the daily limit')]).toEqual([400, true]);
  expect(await requestOf(svcUid)).toMatchObject({ decision: null, refund_id: null });
  expect(doneBy(await decide(id, 'approve'))).toBe('refunded');
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refused' }, { status: 'refunded' }]);
});

test('if the answer of the refund is lost, the request stays approved and the refund is polled', async () => {
  const { svcUid, id } = await requested();
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  expect(doneBy(await decide(id, 'approve'))).toBe('refund_unknown');
  const [made] = await refundsOf(world, svcUid);
  expect(await requestOf(svcUid)).toMatchObject({ decision: 'approved', refund_id: made?.id });
});

test('an approval whose process has stopped before the refund waits again; after it, nothing is refunded twice', async () => {
  const [before, after] = [await requested(), await requested()];
  expect(doneBy(await decide(after.id, 'approve'))).toBe('refunded');
  await world.rows.query(
    `update refund_requests set decision = 'approved', decided_by = 'park', refund_id = null,
       decided_at = requested_at where id = any($1)`,
    [[before.id, after.id]],
  );
  await expectRefused('already_settled', 409, () => decide(before.id, 'approve'));
  world.clock.advance(6 * 60);
  signOut('lee');
  expect((await decide(after.id, 'approve')).status).toBe(409);
  expect(doneBy(await decide(before.id, 'approve'))).toBe('refunded');
  for (const { svcUid } of [before, after]) {
    const [made, ...others] = await refundsOf(world, svcUid);
    expect([others, await requestOf(svcUid)]).toMatchObject([
      [],
      { decision: 'approved', refund_id: made?.id },
    ]);
  }
});

test('for a deposit to a virtual account the approver enters the account, which is not stored', async () => {
  const svcUid = await pay(1000, { outcome: 'virtual_account' });
  await world.sandbox.control(svcUid, 'deposit');
  const kim = await as('kim');
  const fields = { how: 'all', checksum: '1000', reason: 'cold tea' };
  const asked = await kim.post(`/operator/payments/${svcUid}/refund/check?lang=en`, fields);
  expect([asked.html.includes('name="holder"'), asked.html.includes('who approves it enters')]).toEqual([
    false,
    true,
  ]);
  expect(doneBy(await kim.post(`/operator/payments/${svcUid}/refund`, fields))).toBe('refund_requested');
  const id = (await requestOf(svcUid))?.id ?? '';
  expect((await decide(id, 'approve')).status).toBe(400);
  const account = { holder: 'Kim Account', bank: '088', account: '110-555-000111' };
  expect(doneBy(await decide(id, 'approve', 'lee', account))).toBe('refunded');
  for (const value of [account.holder, account.account]) {
    expect(await world.rows.dump()).not.toContain(value);
    expect(world.log.text()).not.toContain(value);
  }
});

test('where a proxy signs operators in, its names tell the requester from the approver', async () => {
  const behindProxy = await startWorld({
    environment: { REFUND_LIMIT: '0', OPERATOR_IDENTITY_HEADER: 'X-Forwarded-User' },
  });
  try {
    for (const name of ['kim', 'lee']) await makeAccount(behindProxy, name, 'refund');
    const merchantUid = await registerOrder(behindProxy, newUid());
    const { svc_uid: svcUid } = await behindProxy.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
    const post = (path: string, fields: Record<string, string>, name: string) =>
      createMemberBrowser(behindProxy).post(path, fields, { 'x-forwarded-user': name });
    const asked = await post(`/operator/payments/${svcUid}/refund`, fieldsOf(1, 1000), 'kim');
    expect(doneBy(asked)).toBe('refund_requested');
    const path = '/operator/desk/refund-requests/1/approve';
    expect((await post(path, {}, 'kim')).status).toBe(403);
    expect(await refundsOf(behindProxy, svcUid)).toEqual([]);
    expect(doneBy(await post(path, {}, 'lee'))).toBe('refunded');
  } finally {
    await behindProxy.close();
  }
});
