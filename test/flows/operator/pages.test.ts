// The operator pages, as plain requests without JavaScript: one payment, a refund, and the action queue with differences, notes, and
// concurrent decisions. markup.test.ts has what every page escapes.

import { en } from '../../../src/merchant/options/operator/texts';
import { useOperator } from '../../support/browsers';
import {
  CANCEL_PAYMENT,
  discrepancyOf,
  payForNobody,
  payTwice,
  refundsOf,
} from '../../support/discrepancies';
import { newUid, orderStatus, paySilently, registerOrder } from '../../support/orders';
import { runReconcileJob } from '../../support/reconciliation';
import { expectNoEffect } from '../../support/rows';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const kim = useOperator(world, 'kim');
const lee = useOperator(world, 'lee');

async function pay(amount = 1000) {
  const merchantUid = await registerOrder(world, newUid(), { amount });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount });
  return { merchantUid, svcUid };
}

/** What the form of a page sends without input: the last form of the page. */
const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.slice(html.lastIndexOf('<form')).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

test('the page of a payment shows its history in order, and no page shows the buyer', async () => {
  const { svcUid, merchantUid } = await pay(12_000);
  const { html, status } = await kim.get(`/operator/payments/${svcUid}?lang=en`);
  expect(status).toBe(200);
  const at = (text: string) => html.indexOf(text, html.indexOf('class="timeline"'));
  expect(at('Notification received')).toBeLessThan(at('Verified with the payment service'));
  expect(at('Notification received')).toBeGreaterThan(0);
  for (const text of ['₩12,000', 'order.paid', `/api/payments/${svcUid}`, '$API_KEY', merchantUid])
    expect([text, html.includes(text)]).toEqual([text, true]);
  expect(html).not.toMatch(/buyer_/);
  // The event with each delivery, and the same in the list, the newest event first.
  expect(at(en.operator.targets.handler)).toBeGreaterThan(at('order.paid'));
  const events = (await kim.get('/operator/events?lang=en')).html;
  const [, order, payment] =
    /<td[^>]*>order\.paid<[^]*?orders\/([\w-]+)\?[^]*?payments\/(\w+)\?/.exec(events) ?? [];
  expect([order, payment]).toEqual([merchantUid, svcUid]);
  expect((await kim.get('/operator/payments/svc_0000000000')).status).toBe(404);
});

test('"Re-check with the service" stores changes at the service', async () => {
  const { svcUid, merchantUid } = await pay();
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  const answer = await kim.post(`/operator/payments/${svcUid}/sync`, {});
  expect([answer.status, answer.location]).toEqual([303, `/operator/payments/${svcUid}?done=recorded`]);
  expect(await orderStatus(world, merchantUid)).toBe('cancelled');
  expect(world.log.lines().filter(({ action }) => action === 'look_again')).toMatchObject([{ by: 'kim' }]);
});

test('a part of a payment is refunded once, in the name of the operator, after a page that names it', async () => {
  const { svcUid, merchantUid } = await pay();
  const path = `/operator/payments/${svcUid}/refund`;
  const fields = { how: 'part', amount: '300', tax_free: '0', checksum: '1000', reason: 'cold tea' };
  const asked = await expectNoEffect(world, () => kim.post(`${path}/check?lang=en`, fields));
  expect(asked.status).toBe(200);
  for (const text of ['Refund ₩300', '₩1,000', '₩700', 'cold tea', '4242'])
    expect([text, asked.html.includes(text)]).toEqual([text, true]);
  const answer = await kim.post(path, hiddenFields(asked.html));
  expect([answer.status, answer.location]).toEqual([303, `/operator/payments/${svcUid}?done=refunded`]);
  const refunded = { amount: '300', tax_free: '0', currency: 'KRW', requested_by: 'kim', status: 'refunded' };
  expect(await refundsOf(world, svcUid)).toMatchObject([refunded]);
  expect((await kim.get(`${answer.location}&lang=en`)).html).toMatch(/role="status"><p>[^<]* <strong>₩300</);
  expect(await orderStatus(world, merchantUid)).toBe('partially_cancelled');
  // The service calls the payment cancelled (§2.4).
  const { html } = await lee.get(`/operator/payments/${svcUid}?lang=en`);
  expect(html).toContain('Partially refunded</span>');
  expect(html).not.toContain('>Cancelled</span>');
  expect((await lee.get('/operator/refunds?lang=en')).html).toContain('>₩300</td>');
  await expectNoEffect(world, async () => {
    for (const again of [fields, { how: 'all', checksum: '1000', reason: 'cold tea' }])
      for (const step of ['', '/check']) {
        const second = await lee.post(`${path}${step}`, again);
        expect([second.status, second.html.includes('balance_differs')]).toEqual([409, true]);
      }
  });
});

test('an empty or unclear form refunds nothing', async () => {
  const { svcUid } = await pay();
  const path = `/operator/payments/${svcUid}/refund`;
  // Opening the page publishes the events that it shows.
  await kim.get(`/operator/payments/${svcUid}`);
  const right = { how: 'part', amount: '300', checksum: '1000', reason: 'cold tea' };
  const wrongs: [wrong: Record<string, string>, status: number][] = [
    [{ how: '' }, 400],
    [{ amount: '' }, 400],
    // An amount, and all.
    [{ how: 'all' }, 400],
    // Could be misread as a thousand.
    [{ amount: '1.000' }, 400],
    [{ amount: '1001' }, 409],
    [{ tax_free: '301' }, 400],
    [{ reason: '' }, 400],
    [{ checksum: '' }, 400],
    [{ by: 'x' }, 400],
  ];
  await expectNoEffect(world, async () => {
    for (const [wrong, status] of wrongs)
      for (const step of ['', '/check']) {
        const answer = await kim.post(`${path}${step}`, { ...right, ...wrong });
        expect([wrong, step, answer.status]).toEqual([wrong, step, status]);
      }
  });
  const marked = async (wrong: Record<string, string>) => {
    const { html } = await kim.post(`${path}/check?lang=en`, { ...right, ...wrong });
    return /name="amount"[^>]*aria-invalid="true"[^>]*>\s*<p class="wrong" [^>]*>([^<]*)</.exec(html)?.[1];
  };
  const { codes, fields } = en.operator.failed;
  expect(await marked({ amount: '1.000' })).toBe(fields.amount);
  expect(await marked({ how: 'all' })).toBe(fields.amount_of_all);
  expect(await marked({ amount: '1001' })).toBe(codes.amount_exceeds_balance);
  const all = await kim.post(path, { how: 'all', checksum: '1000', reason: 'cold tea' });
  expect(all.location).toContain('done=refunded');
  expect(await refundsOf(world, svcUid)).toMatchObject([{ amount: '1000' }]);
});

test('a dispute from a letter waits in the action queue with its note, and can be entered again once it is resolved', async () => {
  const { svcUid, merchantUid } = await pay(12_000);
  const path = `/operator/payments/${svcUid}`;
  expect((await kim.get(`${path}?lang=ko`)).html).toContain('이의 제기 등록');
  const enter = (fields: Record<string, string>) => kim.post(`${path}/dispute`, fields);
  await expectNoEffect(world, async () => {
    for (const wrong of [{ amount: '12001' }, { amount: '0' }, { note: '' }, { by: 'x' }]) {
      const fields = { amount: '5,000', note: 'letter of the PG', ...wrong };
      expect([wrong, (await enter(fields)).status]).toEqual([wrong, 400]);
    }
  });
  const answer = await enter({ amount: '5,000', note: 'letter of the PG, until 5 December' });
  expect([answer.status, answer.location]).toEqual([303, `${path}?done=dispute_entered`]);
  const dispute = await discrepancyOf(world, svcUid, 'dispute_opened');
  const amounts = { expected: '12000 KRW', actual: '5000 KRW' };
  expect(dispute).toMatchObject({ ...amounts, merchant_uid: merchantUid, resolved_at: null });
  expect(world.log.events('discrepancy_noted')).toContainEqual(
    expect.objectContaining({ kind: 'dispute_opened', svc_uid: svcUid }),
  );
  const queue = (await lee.get(`/operator/desk/discrepancies/${dispute.id}?lang=en`)).html;
  for (const text of ['Disputed', '₩5,000', 'letter of the PG, until 5 December', 'chargeback'])
    expect([text, queue.includes(text)]).toEqual([text, true]);
  // Nothing has moved, and the form is gone while the dispute is open.
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect((await kim.get(`${path}?lang=ko`)).html).not.toContain('이의 제기 등록');
  expect((await enter({ amount: '1', note: 'a second letter' })).location).toBe(`${path}?done=noted`);
  expect(await discrepancyOf(world, svcUid, 'dispute_opened')).toMatchObject(amounts);

  const decision = { resolution: 'accepted', note: 'lost' };
  expect((await kim.post(`/operator/desk/discrepancies/${dispute.id}/resolve`, decision)).status).toBe(303);
  expect((await enter({ amount: '5,000', note: 'another letter' })).location).toContain('dispute_entered');
  const again = await discrepancyOf(world, svcUid, 'dispute_opened');
  expect(again).toMatchObject({ ...amounts, times_seen: 2, resolution: null, resolved_at: null });
});

test.each([
  ['virtual_account', true, '자동 발급</dd>'],
  ['virtual_account', false, '자동 발급 안 됨</dd>'],
  ['paid', false, null],
])('of a payment by %s the cash receipt is shown: %s', async (outcome, issued, text) => {
  const merchantUid = await registerOrder(world, newUid());
  const payment = { merchant_uid: merchantUid, amount: 1000, outcome, cash_receipt_issued: issued };
  const { svc_uid: svcUid } = await world.sandbox.pay(payment);
  const { body } = await world.api('GET', `/api/payments/${svcUid}`);
  expect(body.cash_receipt_issued).toBe(issued);
  const { html } = await kim.get(`/operator/payments/${svcUid}?lang=ko`);
  expect(html.includes('현금영수증</dt>')).toBe(text !== null);
  if (text !== null) expect(html).toContain(text);
});

test('the action queue shows the difference and what to do, and refuses the second of two decisions', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  const queue = await kim.get('/operator/desk?lang=en');
  expect(queue.html).toContain(`href="/operator/desk/discrepancies/${id}?lang=en"`);
  const item = await kim.get(`/operator/desk/discrepancies/${id}?lang=en`);
  expect(queue.html).toMatch(new RegExp(`/discrepancies/${id}\\?[^]{0,600}₩1,000`));
  // The payment is not stored; the discrepancy has its amount.
  for (const text of [svcUid, '₩1,000', 'The order of this payment is not registered', 'What to do:'])
    expect([text, item.html.includes(text)]).toEqual([text, true]);
  const decision = { resolution: 'ignored', note: 'a test of ours' };
  // The navigation of an error page has the number, too.
  for (const { html } of [queue, await kim.get('/operator/nothing')])
    expect(html).toMatch(/class="waiting">[1-9]/);
  const forged = await kim.post(`/operator/desk/discrepancies/${id}/resolve`, { ...decision, by: 'lee' });
  expect([forged.status, forged.location]).toEqual([303, '/operator/desk?done=settled']);
  const settled = { resolution: 'ignored', resolved_by: 'kim', resolution_note: 'a test of ours' };
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toMatchObject(settled);
  const other = { resolution: 'accepted', note: 'the buyer agrees' };
  const resolve = () => lee.post(`/operator/desk/discrepancies/${id}/resolve`, other);
  // A session keeps the time of its last use, and another test may have moved the clock since.
  await lee.get('/operator');
  const second = await expectNoEffect(world, resolve);
  expect([second.status, second.html.includes('already_settled')]).toEqual([409, true]);
});

test('a decision that the service contradicts is refused with what it shows, in the reader’s language, and then corrected', async () => {
  const { svcUid } = await pay();
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  const part = { amount: 300, checksum: 1000, reason: 'cold' };
  expect((await world.api('POST', `/api/payments/${svcUid}/cancel`, part)).status).toBe(202);
  // Until then a poll may still find the outcome.
  world.clock.advance(600);
  const [lost] = await refundsOf(world, svcUid);
  const decide = (outcome: string, lang: string) =>
    kim.post(`/operator/desk/refunds/${lost?.id}/settle?lang=${lang}`, { outcome, note: 'seen there' });
  const inKorean = `결제 서비스에서 ${svcUid} 결제의 취소 금액은 300입니다. 이 환불 전에는 0이었고, 환불 금액은 300입니다.`;
  const inEnglish = `The payment service shows 300 of ${svcUid} as cancelled. Before this refund of 300 it was 0.`;
  for (const [lang, text] of Object.entries({ ko: inKorean, en: inEnglish })) {
    const refused = await decide('not_executed', lang);
    expect([refused.status, refused.html.includes(text)]).toEqual([409, true]);
  }
  expect((await decide('refunded', 'en')).location).toMatch('done=settled');
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded', settled_by: 'kim' }]);
});

test('O15 a payment whose amount has a fraction is refunded in full from the action queue, with its amount as shown', async () => {
  const { svc_uid: svcUid } = await paySilently(world, await registerOrder(world));
  await world.sandbox.control(svcUid, 'tamper', { amount: 10.5 });
  await runReconcileJob(world);
  const { id } = await discrepancyOf(world, svcUid, 'needs_review');
  const item = await kim.get(`/operator/desk/discrepancies/${id}?lang=ko`);
  expect(item.html).toContain('10.5 KRW paid; 읽을 수 없는 항목: amount');
  const path = `/operator/desk/discrepancies/${id}/refund`;
  const asked = await kim.post(`${path}/check?lang=en`, { reason: 'unreadable' });
  expect(asked.html).toContain('Refund all that is left (shown as 10.5 KRW)?');
  const answer = await kim.post(path, hiddenFields(asked.html));
  expect([answer.status, answer.location]).toEqual([303, '/operator/desk?done=refunded']);
  expect(await refundsOf(world, svcUid)).toMatchObject([{ status: 'refunded', amount: null }]);
  expect((await kim.get('/operator/refunds')).status).toBe(200);
});

test('a second payment is refunded from the action queue, in the name of the operator', async () => {
  const { second, id } = await payTwice(world, newUid());
  const path = `/operator/desk/discrepancies/${id}/refund`;
  const asked = await kim.post(`${path}/check?lang=en`, { reason: 'paid twice' });
  expect(asked.html).toContain('Refund ₩1,000');
  const other = { reason: 'paid twice', checksum: '999' };
  expect([(await kim.post(path, other)).status, (await kim.post(path, { reason: 'x' })).status]).toEqual([
    409, 400,
  ]);
  expect(await refundsOf(world, second)).toEqual([]);
  const answer = await kim.post(path, hiddenFields(asked.html));
  expect([answer.status, answer.location]).toEqual([303, '/operator/desk?done=refunded']);
  expect(await refundsOf(world, second)).toMatchObject([{ status: 'refunded', requested_by: 'kim' }]);
  const settled = { resolution: 'refunded', resolved_by: 'kim' };
  expect(await discrepancyOf(world, second, 'duplicate_payment')).toMatchObject(settled);
});

test('a note is stored with time and operator, is shown in the action queue and in the history, and resolves nothing', async () => {
  const { svcUid, id } = await payForNobody(world, newUid());
  const before = await discrepancyOf(world, svcUid, 'unknown_order');
  const asked = 'Asked the shop: 4242-4242-4242-4242 is theirs <b>';
  const path = `/operator/desk/discrepancies/${id}/note`;
  expect((await kim.post(path, { note: asked, by: 'park' })).status).toBe(400);
  const written = await kim.post(path, { note: asked });
  expect([written.status, written.location]).toEqual([303, `/operator/desk/discrepancies/${id}?done=noted`]);
  await lee.post(path, { note: 'They call back' });
  const notes = await world.rows.query(
    `select written_by || ': ' || text as note from notes
     where subject = 'discrepancy' and subject_id = $1 order by id`,
    [id],
  );
  const masked = 'kim: Asked the shop: 424242******4242 is theirs <b>';
  expect(notes).toEqual([{ note: masked }, { note: 'lee: They call back' }]);
  expect(await discrepancyOf(world, svcUid, 'unknown_order')).toEqual(before);
  for (const place of [`desk/discrepancies/${id}`, `payments/${svcUid}`]) {
    const { html } = await lee.get(`/operator/${place}?lang=en`);
    expect([place, html.includes('is theirs &lt;b&gt;')]).toEqual([place, true]);
    expect(html.indexOf('is theirs')).toBeLessThan(html.indexOf('They call back'));
    expect(html).toMatch(new RegExp(`kim[^]{0,120}<time datetime=|${en.operator.columns.written_by}: kim`));
  }
  expect(world.log.text()).not.toContain('They call back');
});
