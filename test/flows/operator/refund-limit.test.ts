// REFUND_LIMIT: above it, a refund by an operator waits until another operator approves it, and is then made once.

import { createMemberBrowser, signedIn, type Answer, type OperatorBrowser } from '../../support/browsers';
import { CANCEL_PAYMENT, discrepancyOf, payTwice, refundsOf } from '../../support/discrepancies';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';
import { makeAccount, signInAs } from './accounts-setup';

const world = useWorld({ environment: { REFUND_LIMIT: '500' } });
const browsers: Record<string, OperatorBrowser> = {};
/** kim and park may refund, lee is an administrator, choi only decides. */
async function as(name: 'kim' | 'park' | 'lee' | 'choi'): Promise<OperatorBrowser> {
  const role = ({ kim: 'refund', park: 'refund', lee: 'admin', choi: 'decide' } as const)[name];
  if (!browsers[name]) await makeAccount(world, name, role);
  return (browsers[name] ??= (await signInAs(world, name)).browser);
}
/** The one without an account, before there is one. */
let nobody: OperatorBrowser;
beforeAll(async () => {
  nobody = await signedIn(world, { by: 'kim' });
});

async function pay(amount = 1000, payment: Record<string, unknown> = {}, order: object = {}) {
  const merchantUid = await registerOrder(world, newUid(), { amount, ...order });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount, ...payment });
  return svcUid;
}
const fieldsOf = (amount: number, checksum: number) => ({
  how: 'part',
  amount: String(amount),
  checksum: String(checksum),
  reason: 'cold tea',
});
const refund = async (svcUid: string, amount: number, checksum: number, by: 'kim' | 'park' = 'kim') =>
  (await as(by)).post(`/operator/payments/${svcUid}/refund`, fieldsOf(amount, checksum));
const DONE = /[?&]done=(\w+)/;
const doneBy = ({ location }: { location: string | null }) => DONE.exec(location ?? '')?.[1];

type Row = Record<string, unknown> & { id: string };
async function requestOf(svcUid: string): Promise<Row | undefined> {
  const rows = await world.rows.query<Row>(
    'select * from refund_requests where svc_uid = $1 order by id desc',
    [svcUid],
  );
  return rows[0];
}
/** Requests a refund of 600, which is above the limit. */
async function requested() {
  const svcUid = await pay();
  expect(doneBy(await refund(svcUid, 600, 1000))).toBe('refund_requested');
  return { svcUid, id: (await requestOf(svcUid))?.id ?? '' };
}
const decide = async (
  id: string,
  decision: 'approve' | 'reject',
  by: 'kim' | 'park' | 'lee' | 'choi' = 'lee',
  fields: Record<string, string> = {},
) => (await as(by)).post(`/operator/desk/refund-requests/${id}/${decision}?lang=en`, fields);
/** What moves money, or asks for it. */
async function books(): Promise<string> {
  const rows = async (table: string) =>
    JSON.stringify(await world.rows.query(`select * from ${table} order by id`));
  return `${await rows('refunds')} ${await rows('refund_requests')} ${await world.rows.money()}`;
}
/** What is refused has no effect, and says why by this code. */
async function expectRefused(code: string, status: number, act: () => Promise<Answer>): Promise<Answer> {
  const before = await books();
  let answer: Answer | null = null;
  const sent = await world.sandbox.requestsDuring(CANCEL_PAYMENT, async () => {
    answer = await act();
  });
  const { status: shown, html } = answer as unknown as Answer;
  expect([shown, html.includes(`<code>${code}</code>`), sent]).toEqual([status, true, 0]);
  expect(await books()).toBe(before);
  return answer as unknown as Answer;
}

test('with OPERATOR_PASSWORD a refund can be requested and rejected, and approved by nobody', async () => {
  const svcUid = await pay();
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
  for (const page of ['/operator/desk', `/operator/payments/${svcUid}`]) {
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
  for (const text of ['Refund requested', 'Refund request decided', 'Decided by: lee'])
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

test('two operators who approve at the same time refund once', async () => {
  const { svcUid, id } = await requested();
  // Two refunds of 300 would both fit the balance.
  await world.rows.query('update refund_requests set amount = 300 where id = $1', [id]);
  const answers = await Promise.all([decide(id, 'approve', 'lee'), decide(id, 'approve', 'park')]);
  // The second one finds another balance, or has to be requested.
  for (const { status } of answers) expect([303, 409]).toContain(status);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ amount: '300', status: 'refunded' }]);
});

test('a rejected refund is not made, also by its requester, and a new one can be requested', async () => {
  const { svcUid, id } = await requested();
  expect((await (await as('kim')).get('/operator/desk?lang=en')).html).toContain('>Withdraw</button>');
  expect(doneBy(await decide(id, 'reject', 'kim'))).toBe('refund_rejected');
  await expectRefused('already_settled', 409, () => decide(id, 'approve'));
  expect(await refundsOf(world, svcUid)).toEqual([]);
  expect(await requestOf(svcUid)).toMatchObject({ decision: 'rejected', decided_by: 'kim', refund_id: null });
  expect(doneBy(await refund(svcUid, 600, 1000))).toBe('refund_requested');
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
  delete browsers['lee'];
  browsers['lee'] = (await signInAs(world, 'lee')).browser;
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

test('the API is not limited', async () => {
  const svcUid = await pay();
  const answer = await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'cold tea' });
  expect([answer.status, (await refundsOf(world, svcUid)).length]).toEqual([200, 1]);
});
