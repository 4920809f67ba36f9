// A refund above REFUND_LIMIT needs two persons: two accounts of which one person has made or changed one do not count as two.

import type { OperatorBrowser } from '../../support/browsers';
import { refundsOf } from '../../support/discrepancies';
import { ACCOUNT_PASSWORD, giveKnownPassword, makeAccount, signInAs } from './accounts-setup';
import { doneBy, fieldsOf, useRefundLimit } from './refund-limit-setup';

const { world, as, signOut, pay, refund, requestOf, decide, expectRefused } = useRefundLimit();

const NEXT = 'violet-harbour-77';
const DAY = 24 * 3600;

async function idOf(name: string): Promise<string> {
  const [row] = await world.rows.query('select id from operators where name = $1', [name]);
  return String(row?.['id']);
}

/** An account with a generated password signs in, after it has got another one. */
async function firstSignIn(name: string): Promise<OperatorBrowser> {
  await giveKnownPassword(world, name);
  return (await signInAs(world, name)).browser;
}

async function add(by: OperatorBrowser, name: string, role: string): Promise<OperatorBrowser> {
  await by.post('/operator/accounts', { name, role });
  return firstSignIn(name);
}

async function requestedBy(browser: OperatorBrowser) {
  const svcUid = await pay();
  await browser.post(`/operator/payments/${svcUid}/refund`, fieldsOf(600, 1000));
  const { id = '' } = (await requestOf(svcUid)) ?? {};
  return { svcUid, id, approve: `/operator/desk/refund-requests/${id}/approve?lang=en` };
}

const expectNotIndependent = (path: string, browser: OperatorBrowser) =>
  expectRefused('approver_not_independent', 403, () => browser.post(path, {}));

test('O9 an administrator cannot approve the own request with an account that they have made, and the audit log has the try', async () => {
  const lee = await as('lee');
  const { svcUid, id, approve } = await requestedBy(lee);
  const second = await add(lee, 'second', 'refund');
  await expectNotIndependent(approve, second);
  // Nor with one that the second one has made, nor the other way round.
  const third = await add(await add(lee, 'helper', 'admin'), 'third', 'refund');
  await expectNotIndependent(approve, third);
  const { id: idOfSecond, approve: ofSecond } = await requestedBy(second);
  await expectNotIndependent(ofSecond, lee);
  await expectNotIndependent(ofSecond, third);
  const audited = await world.rows.query(
    `select by from operator_actions
     where outcome = 'approver_not_independent' and subject = 'refund-requests' and subject_id = any($1) order by id`,
    [[id, idOfSecond]],
  );
  expect(audited.map(({ by }) => by)).toEqual(['second', 'third', 'lee', 'third']);
  expect(await refundsOf(world, svcUid)).toEqual([]);
  expect(doneBy(await (await as('park')).post(approve, {}))).toBe('refunded');
});

test('O9 nor with an account that they have reset, enabled or given a role; after a day, they count as two again', async () => {
  const lee = await as('lee');
  await makeAccount(world, 'yoon', 'view');
  const id = await idOf('yoon');
  await lee.post(`/operator/accounts/${id}/role`, { role: 'refund' });
  const { svcUid, approve } = await requestedBy(lee);
  await expectNotIndependent(approve, (await signInAs(world, 'yoon')).browser);
  world.clock.advance(DAY - 60);
  signOut('lee');
  await (await as('lee')).post(`/operator/accounts/${id}/disable`, {});
  await (await as('lee')).post(`/operator/accounts/${id}/reset`, {});
  await firstSignIn('yoon');
  world.clock.advance(DAY - 60);
  const yoon = async () => (await signInAs(world, 'yoon')).browser;
  await expectNotIndependent(approve, await yoon());
  world.clock.advance(61);
  expect(doneBy(await (await yoon()).post(approve, {}))).toBe('refunded');
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
});

test('O9 an account whose own password was changed, whose sessions were ended, or that was only disabled stays independent', async () => {
  const lee = await as('lee');
  await makeAccount(world, 'song', 'refund');
  const song = (await signInAs(world, 'song')).browser;
  await song.post('/operator/me/password', { current: ACCOUNT_PASSWORD, next: NEXT });
  await lee.post(`/operator/accounts/${await idOf('song')}/end-sessions`, {});
  const { approve } = await requestedBy(lee);
  const again = (await signInAs(world, 'song', { password: NEXT })).browser;
  expect(doneBy(await again.post(approve, {}))).toBe('refunded');
});

test('each line and audit row of an operator has the address and the id of its request, and that of a refund its order and amount', async () => {
  const kim = await as('kim');
  const svcUid = await pay();
  const [payment] = await world.rows.query('select merchant_uid from payments where svc_uid = $1', [svcUid]);
  world.log.clear();
  const answer = await kim.post(`/operator/payments/${svcUid}/refund`, fieldsOf(100, 1000));
  expect(doneBy(answer)).toBe('refunded');
  const requestId = answer.headers.get('x-request-id');
  const from = { by: 'kim', source: '127.0.0.1', request_id: requestId };
  const facts = {
    merchant_uid: payment?.['merchant_uid'],
    svc_uid: svcUid,
    amount: 100,
    outcome: 'refunded',
  };
  expect(world.log.events('operator_action')).toMatchObject([{ action: 'refund', ...from, ...facts }]);
  const [row] = await world.rows.query('select * from operator_actions order by id desc limit 1');
  expect(row).toMatchObject({ by: 'kim', source_address: '127.0.0.1', request_id: requestId });
  await (await as('lee')).post('/operator/accounts', { name: 'new', role: 'view' });
  expect(world.log.events('operator_account_changed')).toMatchObject([
    { by: 'lee', source: '127.0.0.1', request_id: expect.stringMatching(/^[\da-f-]{36}$/) as string },
  ]);
  // The refund by the API: its request line.
  await refund(svcUid, 100, 900, 'kim');
  world.log.clear();
  await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'cold tea' });
  const line = JSON.stringify(world.log.text());
  expect(line).toContain(String(payment?.['merchant_uid']));
  expect(line).toMatch(/amount\D+800/);
  expect(await decide('999999', 'reject', 'lee')).toMatchObject({ status: 404 });
});
