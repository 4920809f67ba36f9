// The desk of the operators: what differs and what to do, notes, decisions of two at once, forms that are refused, and what
// the polls should have settled. As plain requests, without JavaScript.

import {
  CANCEL_PAYMENT,
  discrepancyOf,
  payForNobody,
  payTwice,
  refundsOf,
} from '../../support/discrepancies';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { expectNoEffect } from '../../support/no-effect';
import { useOperator } from '../../support/operator-browser';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const kim = useOperator(world, 'kim');
const lee = useOperator(world, 'lee');

const notes = () => world.rows.query('select subject, subject_id, written_by, text from notes order by id');

test('the desk shows what differs and what to do; of two who decide, the second is told and changes nothing', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  const desk = await kim.get('/operator/desk?lang=en');
  for (const text of [svcUid, 'Nobody has registered the order', 'What to do:'])
    expect(desk.html).toContain(text);
  const decision = { resolution: 'ignored', note: 'a test of ours' };
  const forged = await kim.post(`/operator/desk/discrepancies/${id}/resolve`, { ...decision, by: 'lee' });
  expect([forged.status, forged.location]).toEqual([303, '/operator/desk?done=settled']);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({
    resolution: 'ignored',
    resolved_by: 'kim',
    resolution_note: 'a test of ours',
  });
  const second = await expectNoEffect(world, () =>
    lee.post(`/operator/desk/discrepancies/${id}/resolve`, { resolution: 'accepted', note: 'fine' }),
  );
  expect([second.status, second.html.includes('already_settled')]).toEqual([409, true]);
  expect((await lee.get(`/operator/desk/discrepancies/${id}`)).html).toContain('a test of ours');
});

test('a payment that was made twice is given back at the desk, and a decision that the service contradicts is not written', async () => {
  const { second, id } = await payTwice(world, newUid());
  for (const [lang, says] of [
    ['ko', `${second} 결제는 ‘결제됨’ 상태이고 1,000원이 남아 있어요`],
    ['en', 'it holds 1000 KRW'],
  ]) {
    const path = `/operator/desk/discrepancies/${id}/resolve?lang=${lang}`;
    const contradicted = await expectNoRows(() =>
      kim.post(path, { resolution: 'refunded', note: 'I think' }),
    );
    expect([contradicted.status, contradicted.html.includes(says ?? '')]).toEqual([409, true]);
  }
  const answer = await kim.post(`/operator/desk/discrepancies/${id}/refund`, { reason: 'paid twice' });
  expect([answer.status, answer.location]).toEqual([303, '/operator/desk?done=refunded']);
  expect(await refundsOf(world, second)).toMatchObject([{ status: 'refunded', requested_by: 'kim' }]);
  expect(await discrepancyOf(world, second, 'duplicate_payment')).toMatchObject({
    resolution: 'refunded',
    resolved_by: 'kim',
  });

  /** The service is asked, and nothing is written. */
  async function expectNoRows<T>(act: () => Promise<T>): Promise<T> {
    const before = await discrepancyOf(world, second, 'duplicate_payment');
    const result = await act();
    expect(await discrepancyOf(world, second, 'duplicate_payment')).toEqual(before);
    return result;
  }
});

test('a note is written with time and operator, shows at the desk and in the history, and decides nothing', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  const before = await discrepancyOf(world, svcUid, 'unknown_order');
  const asked = 'Asked the shop: 4242-4242-4242-4242 is theirs <b>';
  for (const [who, text] of [
    [kim, asked],
    [lee, 'They call back'],
  ] as const) {
    const answer = await who.post(`/operator/desk/discrepancies/${id}/note`, { note: text, by: 'park' });
    expect([answer.status, answer.location]).toEqual([400, null]);
    const written = await who.post(`/operator/desk/discrepancies/${id}/note`, { note: text });
    expect([written.status, written.location]).toEqual([303, '/operator/desk?done=noted']);
  }
  const subject = { subject: 'discrepancy', subject_id: id };
  expect(await notes()).toEqual([
    { ...subject, written_by: 'kim', text: 'Asked the shop: 424242******4242 is theirs <b>' },
    { ...subject, written_by: 'lee', text: 'They call back' },
  ]);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toEqual(before);
  for (const path of ['desk', `desk/discrepancies/${id}`, `payments/${svcUid}`]) {
    const { html } = await lee.get(`/operator/${path}?lang=en`);
    expect([path, html.indexOf('is theirs &lt;b&gt;') > 0]).toEqual([path, true]);
    expect(html.indexOf('is theirs')).toBeLessThan(html.indexOf('They call back'));
    expect(html).toMatch(/kim[^]{0,120}<time datetime=|Written by: kim/);
  }
  expect(world.log.lines().filter(({ action }) => action === 'note')).toMatchObject([
    { by: 'kim', ...{ subject: 'discrepancy', id } },
    { by: 'lee', ...{ subject: 'discrepancy', id } },
  ]);
  expect(JSON.stringify(world.log.lines())).not.toContain('They call back');
});

test('a note about nothing, without a text or too long is refused and not written', async () => {
  const { id } = await payForNobody(world, newUid());
  const about = `/operator/desk/discrepancies/${id}/note`;
  const refused = (path: string, note: string) => expectNoEffect(world, () => kim.post(path, { note }));
  expect((await refused(about, ' ')).status).toBe(400);
  const { status, html } = await refused(about, 'x '.repeat(300));
  expect([status, html.includes('x '.repeat(300))]).toEqual([400, true]);
  for (const kind of ['discrepancies', 'refunds', 'issuances', 'charges'])
    for (const none of ['999999', 'x.y'])
      expect([kind, (await refused(`/operator/desk/${kind}/${none}/note`, 'x')).status]).toEqual([kind, 404]);
});

test('a refused form stands there again with what was typed, but for the account that money goes back to', async () => {
  const { id } = await payForNobody(world, newUid());
  const base = `/operator/desk/discrepancies/${id}`;
  const account = { holder: 'Hong Gildong', bank: '088', account: '110123456789' };
  const reason = 'wrong <amount> '.repeat(30);
  const refund = await expectNoEffect(world, () => kim.post(`${base}/refund`, { reason, ...account }));
  expect([refund.status, refund.html.includes(reason.replace('<', '&lt;').slice(0, 10))]).toEqual([
    400,
    true,
  ]);
  expect(refund.html).toContain('wrong &lt;amount&gt; wrong &lt;amount&gt; ');
  for (const text of [account.holder, account.account]) expect(refund.html).not.toContain(text);
  expect(refund.html.match(/ open id="refused"/g)).toHaveLength(1);

  const body = { code: 1, message: 'the shop is closed', response: null };
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'status', status: 200, body, times: 1 });
  const closed = await kim.post(`${base}/refund`, { reason: 'cold tea' });
  expect([closed.status, closed.html.includes('결제 서비스의 말: <q>the shop is closed</q>')]).toEqual([
    400,
    true,
  ]);

  const decided = await kim.post(`${base}/resolve`, { resolution: 'refunded', note: 'I gave it back' });
  expect([decided.status, decided.html.includes('service_contradicts')]).toEqual([409, true]);
  expect(decided.html).toContain('value="I gave it back"');
  expect(decided.html).toContain('<option value="refunded" selected>');

  const merchantUid = await registerOrder(world);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  await kim.get(`/operator/payments/${svcUid}`);
  const fields = { amount: '5000', checksum: '1000', reason: 'too much' };
  const tooMuch = await kim.post(`/operator/payments/${svcUid}/refund`, fields);
  expect([tooMuch.status, await refundsOf(world, svcUid)]).toEqual([409, []]);
  // Korean on a Korean page: nothing of the message that the API has for the same.
  expect(tooMuch.html).toContain('남은 금액 안에서 적어 주세요');
  expect(tooMuch.html).not.toContain('larger than what the payment holds');
  expect(tooMuch.html).toContain('value="5000"');
  expect(tooMuch.html).toContain('value="too much"');
});

test('whoever decides second sees who has decided, and does not lose what was typed', async () => {
  const { id } = await payForNobody(world, newUid());
  const path = `/operator/desk/discrepancies/${id}/resolve`;
  await kim.post(path, { resolution: 'ignored', note: 'a test of ours' });
  const second = await expectNoEffect(world, () =>
    lee.post(path, { resolution: 'accepted', note: 'the buyer agrees' }),
  );
  expect(second.status).toBe(409);
  for (const text of ['kim', 'a test of ours', '<q>the buyer agrees</q>'])
    expect(second.html).toContain(text);
  expect(second.html).not.toContain('refused"');
});

test('of two who decide at the same moment one is told that it is settled', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  const path = `/operator/desk/discrepancies/${id}/resolve`;
  const answers = await Promise.all([
    kim.post(path, { resolution: 'ignored', note: 'by kim' }),
    lee.post(path, { resolution: 'accepted', note: 'by lee' }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  const [winner, resolution] = answers[0].status === 303 ? ['kim', 'ignored'] : ['lee', 'accepted'];
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject({
    resolution,
    resolved_by: winner,
    resolution_note: `by ${winner}`,
  });
});

test('without the database a form is refused, and what was typed is told', async () => {
  const note = { note: 'somebody called about it' };
  const answer = await world.withoutDatabase(() => kim.post('/operator/desk/charges/x/note', note));
  expect([answer.status, answer.html.includes('<q>somebody called about it</q>')]).toEqual([503, true]);
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
  const noted = await kim.post(`/operator/desk/refunds/${refund?.id}/note`, { note: 'asked the service' });
  expect(noted.location).toBe('/operator/desk?done=noted');
  expect(await desk()).toContain('asked the service');
  expect((await kim.get(`/operator/payments/${svcUid}?lang=en`)).html).toContain('A note on the refund');
  await world.sandbox.clearFaults();
  await world.runEveryMinute(3600);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded' }]);
  expect(await desk()).not.toContain(title);
});
