// The desk of the operators: what differs and what to do, notes, decisions of two at once, forms that are refused, and what
// the polls should have settled. As plain requests, without JavaScript.

import { useOperator } from '../../support/browsers';
import {
  CANCEL_PAYMENT,
  discrepancyOf,
  payForNobody,
  payTwice,
  refundsOf,
} from '../../support/discrepancies';
import { newUid, registerOrder } from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const kim = useOperator(world, 'kim');
const lee = useOperator(world, 'lee');

test('the desk shows what differs and what to do; of two who decide, the second is told and changes nothing', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  const desk = await kim.get('/operator/desk?lang=en');
  for (const text of [svcUid, 'Nobody has registered the order', 'What to do:'])
    expect(desk.html).toContain(text);
  const decision = { resolution: 'ignored', note: 'a test of ours' };
  const forged = await kim.post(`/operator/desk/discrepancies/${id}/resolve`, { ...decision, by: 'lee' });
  expect([forged.status, forged.location]).toEqual([303, '/operator/desk?done=settled']);
  const settled = { resolution: 'ignored', resolved_by: 'kim', resolution_note: 'a test of ours' };
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject(settled);
  const other = { resolution: 'accepted', note: 'the buyer agrees' };
  const resolve = () => lee.post(`/operator/desk/discrepancies/${id}/resolve`, other);
  const second = await expectNoEffect(world, resolve);
  expect([second.status, second.html.includes('already_settled')]).toEqual([409, true]);
});

test('a payment that was made twice is given back at the desk, in the name of the operator', async () => {
  const { second, id } = await payTwice(world, newUid());
  const answer = await kim.post(`/operator/desk/discrepancies/${id}/refund`, { reason: 'paid twice' });
  expect([answer.status, answer.location]).toEqual([303, '/operator/desk?done=refunded']);
  expect(await refundsOf(world, second)).toMatchObject([{ status: 'refunded', requested_by: 'kim' }]);
  const settled = { resolution: 'refunded', resolved_by: 'kim' };
  expect(await discrepancyOf(world, second, 'duplicate_payment')).toMatchObject(settled);
});

test('a note is written with time and operator, shows at the desk and in the history, and decides nothing', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  const before = await discrepancyOf(world, svcUid, 'unknown_order');
  const asked = 'Asked the shop: 4242-4242-4242-4242 is theirs <b>';
  const path = `/operator/desk/discrepancies/${id}/note`;
  expect((await kim.post(path, { note: asked, by: 'park' })).status).toBe(400);
  const written = await kim.post(path, { note: asked });
  expect([written.status, written.location]).toEqual([303, '/operator/desk?done=noted']);
  await lee.post(path, { note: 'They call back' });
  const notes = await world.rows.query(
    `select written_by || ': ' || text as note from notes
     where subject = 'discrepancy' and subject_id = $1 order by id`,
    [id],
  );
  const masked = 'kim: Asked the shop: 424242******4242 is theirs <b>';
  expect(notes).toEqual([{ note: masked }, { note: 'lee: They call back' }]);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toEqual(before);
  for (const place of ['desk', `desk/discrepancies/${id}`, `payments/${svcUid}`]) {
    const { html } = await lee.get(`/operator/${place}?lang=en`);
    expect([place, html.includes('is theirs &lt;b&gt;')]).toEqual([place, true]);
    expect(html.indexOf('is theirs')).toBeLessThan(html.indexOf('They call back'));
    expect(html).toMatch(/kim[^]{0,120}<time datetime=|Written by: kim/);
  }
  expect(world.log.text()).not.toContain('They call back');
});

test('a refused form stands there again with what was typed, but for the account that money goes back to', async () => {
  const { id } = await payForNobody(world, newUid());
  const base = `/operator/desk/discrepancies/${id}`;
  const account = { holder: 'Hong Gildong', bank: '088', account: '110123456789' };
  const reason = 'wrong <amount> '.repeat(30);
  const refund = await expectNoEffect(world, () => kim.post(`${base}/refund`, { reason, ...account }));
  expect(refund.status).toBe(400);
  expect(refund.html).toContain('wrong &lt;amount&gt; wrong &lt;amount&gt; ');
  for (const text of [account.holder, account.account]) expect(refund.html).not.toContain(text);

  const decided = await kim.post(`${base}/resolve`, { resolution: 'refunded', note: 'I gave it back' });
  expect(decided.status).toBe(409);
  for (const text of ['service_contradicts', 'value="I gave it back"', '<option value="refunded" selected>'])
    expect(decided.html).toContain(text);
});

test('without the database a page and a form say so, with what was typed, and nobody is signed out', async () => {
  const note = { note: 'somebody called about it' };
  const [page, form] = await world.withoutDatabase(() =>
    Promise.all([kim.get('/operator/orders'), kim.post('/operator/desk/charges/x/note', note)]),
  );
  expect([page.status, page.html.includes('데이터베이스가 답하지 않아요')]).toEqual([503, true]);
  expect([form.status, form.html.includes('<q>somebody called about it</q>')]).toEqual([503, true]);
  expect((await kim.get('/operator/orders')).status).toBe(200);
});

test('an attempt that the polls should have settled by now stands on the desk, takes a note, and leaves when it is settled', async () => {
  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response', times: 1 });
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 20 });
  await kim.post(`/operator/payments/${svcUid}/refund`, { checksum: '1000', reason: 'cold tea' });
  const [refund] = await refundsOf(world, svcUid);
  const desk = async () => (await kim.get('/operator/desk?lang=en')).html;
  const title = 'Refunds without an outcome';
  world.clock.advance(29 * 60);
  expect(await desk()).not.toContain(title);
  world.clock.advance(2 * 60);
  const html = await desk();
  for (const text of [title, svcUid, 'asking for half an hour has not settled it'])
    expect(html).toContain(text);
  await kim.post(`/operator/desk/refunds/${refund?.id}/note`, { note: 'asked the service' });
  expect(await desk()).toContain('asked the service');
  await world.sandbox.clearFaults();
  await world.runEveryMinute(3600);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect(await desk()).not.toContain(title);
});
