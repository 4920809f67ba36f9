// The audit log: what each operator did or was refused, in rows that cannot be changed.

import { createMemberBrowser, signedIn } from '../../support/browsers';
import { OPERATOR_PASSWORD } from '../../support/config';
import { payForNobody } from '../../support/discrepancies';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { ACCOUNT_PASSWORD, makeAccount, signInAs } from './accounts-setup';

const world = useWorld();
beforeEach(async () => {
  await beginRecording();
  await world.rows.query('delete from operator_sessions');
  await world.rows.query('delete from operators');
});

type Row = Record<string, unknown> & { id: string; detail: Record<string, unknown> };
/** Rows can be neither deleted nor truncated, so each test reads those after its beginning. */
let last = '0';
async function beginRecording(): Promise<void> {
  const [row] = await world.rows.query<{ id: string }>(
    'select coalesce(max(id), 0) as id from operator_actions',
  );
  last = row?.id ?? '0';
}
const recorded = () =>
  world.rows.query<Row>('select * from operator_actions where id > $1 order by id', [last]);
const WRONG = 'not-the-password-0123456789';
const FROM_HERE = { source_address: '127.0.0.1' };

async function as(name: string, role: 'view' | 'decide' | 'refund' | 'admin' = 'admin') {
  await makeAccount(world, name, role);
  const { browser } = await signInAs(world, name);
  await beginRecording();
  return browser;
}

test('sign-ins, also wrong ones, and sign-outs are recorded, and never what may be a password', async () => {
  await makeAccount(world, 'choi', 'view');
  const { browser } = await signInAs(world, 'choi');
  await browser.post('/operator/sign-out', {});
  await signInAs(world, 'choi', { password: WRONG });
  await signInAs(world, WRONG);
  const row = { ...FROM_HERE, subject: null, subject_id: null, detail: {} };
  expect(await recorded()).toMatchObject([
    { ...row, by: 'choi', action: 'sign-in', outcome: 'signed_in' },
    { ...row, by: 'choi', action: 'sign-out', outcome: 'done' },
    { ...row, by: 'choi', action: 'sign-in', outcome: 'wrong_password' },
    { ...row, by: null, action: 'sign-in', outcome: 'wrong_password' },
  ]);
  for (const password of [WRONG, ACCOUNT_PASSWORD])
    expect(JSON.stringify(await recorded())).not.toContain(password);
});

test('with OPERATOR_PASSWORD each row says that the name was only typed', async () => {
  const browser = await signedIn(world, { by: 'choi 4242-4242-4242-4242' });
  await createMemberBrowser(world).post('/operator/sign-in', { by: OPERATOR_PASSWORD, password: WRONG });
  await browser.get('/operator/orders.csv');
  const detail = { signed_in_with: 'OPERATOR_PASSWORD' };
  expect(await recorded()).toMatchObject([
    { by: 'choi 424242******4242', action: 'sign-in', outcome: 'signed_in', detail },
    { by: null, action: 'sign-in', outcome: 'wrong_password', detail: {} },
    { by: 'choi 424242******4242', action: 'download', detail },
  ]);
  expect(JSON.stringify(await recorded())).not.toContain(OPERATOR_PASSWORD);
});

test('tries above the limit of a network add no rows', async () => {
  const from = { 'x-forwarded-for': '203.0.113.77' };
  for (let tries = 1; tries <= 12; tries += 1)
    await createMemberBrowser(world).post('/operator/sign-in', { by: 'x', password: WRONG }, from);
  expect((await recorded()).map(({ outcome }) => outcome)).toEqual(Array<string>(10).fill('wrong_password'));
});

test('a refund, decisions and notes are recorded with their outcome, refused ones too, and no typed text', async () => {
  const kim = await as('kim');
  const merchantUid = await registerOrder(world, newUid(), { amount: 1000 });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const nobody = await payForNobody(world, newUid());
  const fields = { how: 'part', amount: '300', checksum: '1000', reason: 'the secret reason' };
  await kim.post(`/operator/payments/${svcUid}/refund/check`, fields);
  await kim.post(`/operator/payments/${svcUid}/refund`, fields);
  await kim.post(`/operator/payments/${svcUid}/refund`, fields);
  const decision = { resolution: 'ignored', note: 'the secret reason' };
  await kim.post(`/operator/desk/discrepancies/${nobody.id}/resolve`, decision);
  await kim.post(`/operator/desk/discrepancies/${nobody.id}/resolve`, decision);
  await kim.post('/operator/desk/refunds/4242424242424242/note', { note: 'the secret reason' });
  await kim.post('/operator/desk/charges/%00x/note', { note: 'the secret reason' });
  const refund = { action: 'refund', subject: 'payments', subject_id: svcUid };
  const resolution = { action: 'resolve', subject: 'discrepancies', subject_id: String(nobody.id) };
  const detail = { decision: 'ignored' };
  expect(await recorded()).toMatchObject([
    // The first step of a refund changes nothing.
    { ...FROM_HERE, ...refund, by: 'kim', outcome: 'refunded', detail: { amount: 300 } },
    { ...refund, outcome: 'balance_differs' },
    { ...resolution, outcome: 'settled', detail },
    { ...resolution, outcome: 'already_settled', detail },
    { action: 'note', subject: 'refunds', subject_id: '424242******4242', outcome: 'refund_not_found' },
    { action: 'note', subject: 'charges', subject_id: '?x', outcome: 'charge_not_found' },
  ]);
  expect(JSON.stringify(await recorded())).not.toContain('secret reason');
  const { html } = await kim.get('/operator/audit?lang=en');
  for (const said of [
    'Amount: 300',
    'Resolution: False alarm',
    '>Resolved</span>',
    '>Refused (balance_differs)<',
  ])
    expect(html).toContain(said);
});

test('what the role does not allow is recorded: an action, the first step of one, and a download', async () => {
  const lee = await as('lee', 'view');
  await lee.post('/operator/payments/svc_1/refund/check', {});
  await lee.post('/operator/accounts', { name: 'park', role: 'admin' });
  await lee.get('/operator/audit.csv');
  await lee.get('/operator/audit');
  const refused = { by: 'lee', outcome: 'role_missing', detail: {} };
  expect(await recorded()).toMatchObject([
    { ...refused, action: 'refund', subject: 'payments', subject_id: 'svc_1' },
    { ...refused, action: 'add', subject: 'accounts' },
    { ...refused, action: 'download', subject: 'audit' },
  ]);
});

test('a download is recorded with the names of its filters, and without their values', async () => {
  const kim = await as('kim');
  await kim.get('/operator/orders.csv?member_id=a-member&from=2026-01-01&status=');
  await kim.get('/operator/payments.csv');
  await kim.get('/operator/orders.csv?nonsense=1');
  expect(await recorded()).toMatchObject([
    { action: 'download', subject: 'orders', outcome: 'done', detail: { filters: 'from member_id' } },
    { action: 'download', subject: 'payments', outcome: 'done', detail: {} },
    { action: 'download', subject: 'orders', outcome: 'invalid_request' },
  ]);
  expect(JSON.stringify(await recorded())).not.toContain('a-member');
  expect((await kim.get('/operator/audit?lang=en')).html).toContain('Filters: From · Customer ID');
});

test('changes of accounts are recorded, without the new password', async () => {
  const kim = await as('kim');
  const added = await kim.post('/operator/accounts', { name: 'lee', role: 'view' });
  const password = /id="made-password"[^>]*value="([\w-]{20})"/.exec(added.html)?.[1] ?? '-';
  await kim.post('/operator/accounts', { name: 'lee', role: 'view' });
  const [{ id } = { id: '' }] = await world.rows.query<{ id: string }>(
    `select id from operators where name = 'lee'`,
  );
  await kim.post(`/operator/accounts/${id}/role`, { role: 'refund' });
  await kim.post(`/operator/accounts/${id}/disable`, {});
  await kim.post('/operator/me/password', { current: WRONG, next: 'violet-harbour-77' });
  const rows = await recorded();
  const of = { subject: 'accounts', subject_id: id };
  expect(rows).toMatchObject([
    { action: 'add', subject: 'accounts', outcome: 'done', detail: { account: 'lee', role: 'view' } },
    { action: 'add', subject: 'accounts', outcome: 'taken' },
    { ...of, action: 'role', outcome: 'done', detail: { account: 'lee', role: 'refund' } },
    { ...of, action: 'disable', outcome: 'done', detail: { account: 'lee' } },
    { action: 'password', subject: 'me', outcome: 'wrong_password' },
  ]);
  for (const secret of [password, WRONG, 'violet-harbour-77'])
    expect(JSON.stringify(rows)).not.toContain(secret);
});

test('the page has the newest first, filters by operator, action and day, and downloads as CSV', async () => {
  const kim = await as('kim');
  await makeAccount(world, 'jung', 'view');
  await (await signInAs(world, 'jung')).browser.post('/operator/sign-out', {});
  const { html } = await kim.get('/operator/audit?lang=en&by=jung');
  const shown = [...html.matchAll(/data-label="Action"[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(shown).toEqual(['Sign-out', 'Sign-in']);
  const csv = async (query: string) =>
    (await kim.get(`/operator/audit.csv?lang=en&${query}`)).html.trim().split(/\r?\n/);
  expect((await csv('by=jung&action=sign-in')).slice(1)).toEqual([
    expect.stringMatching(/^[^,]+,jung,sign-in,,,signed_in,,127\.0\.0\.1$/),
  ]);
  expect(await csv('by=jung&to=2001-01-01')).toHaveLength(1);
  expect((await kim.get('/operator/audit?action=nothing')).status).toBe(400);
  // A person sees names instead of the words of paths.
  expect((await kim.get('/operator/audit?lang=ko&action=download')).html).toContain('감사 로그</td>');
});

test('if a row cannot be written, the action stays done and the log has it', async () => {
  const kim = await as('kim');
  const merchantUid = await registerOrder(world, newUid());
  await world.rows.query('alter table operator_actions rename to away');
  const answer = await kim.post(`/operator/orders/${merchantUid}/note`, { note: 'seen' });
  await world.rows.query('alter table away rename to operator_actions');
  expect(answer.status).toBe(303);
  expect(world.log.events('operator_action_not_recorded')).toMatchObject([
    { by: 'kim', action: 'note', subject: 'orders', outcome: 'done' },
  ]);
});

test('O11 the database refuses to truncate the audit log, also with what it refers to, and also for the owner of the table', async () => {
  await as('kim');
  await signInAs(world, 'kim');
  const before = await recorded();
  for (const statement of [
    'truncate operator_actions',
    'truncate operators, operator_actions cascade',
    'truncate operator_actions restart identity',
  ])
    await expect(world.rows.query(statement)).rejects.toThrow('rows are not changed');
  expect(await recorded()).toEqual(before);
});

test('the database refuses to change a row, and to delete one before a year is over', async () => {
  await as('kim');
  await signInAs(world, 'kim');
  await world.rows.query(
    `insert into operator_actions (at, action, outcome, detail) values (now() - interval '366 days', 'sign-in', 'signed_in', '{}')`,
  );
  for (const statement of [`update operator_actions set by = 'x'`, 'delete from operator_actions'])
    await expect(world.rows.query(statement)).rejects.toThrow('rows are not changed');
  await world.rows.query(`delete from operator_actions where at < now() - interval '365 days'`);
  expect(await recorded()).toHaveLength(1);
});
