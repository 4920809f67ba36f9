// What operators see and do: lists, CSV, one payment, events, the overview. As plain requests, without JavaScript.

import { useOperator } from '../../support/browsers';
import { keyOf, registerKey } from '../../support/card-form';
import { payForNobody, refundsOf } from '../../support/discrepancies';
import { charge, getOrder, newUid, orderStatus, registerOrder } from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const kim = useOperator(world, 'kim');
const lee = useOperator(world, 'lee');

const HOSTILE = '<script>alert(1)</script>';
const PLACES = 'desk payments orders notifications discrepancies charges refunds issuances keys events'.split(
  ' ',
);

/** The rows of a table, but for its head. */
const rowsIn = (html: string) => (html.match(/<tr>/g) ?? []).length - 1;
const nextIn = (html: string) => /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

async function pay(amount = 1000, name = 'Tea') {
  const merchantUid = await registerOrder(world, newUid(), { amount, name });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount });
  return { merchantUid, svcUid };
}

test('what a shop or the service sends is escaped on every page', async () => {
  const { svcUid } = await pay(1000, HOSTILE);
  await payForNobody(world, newUid(), { name: HOSTILE });
  for (const path of ['', ...[...PLACES, `payments/${svcUid}`].map((place) => `/${place}`)]) {
    const { status, html } = await kim.get(`/operator${path}?lang=en`);
    expect([path, status, html.includes('<script')]).toEqual([path, 200, false]);
  }
  expect((await kim.get('/operator/orders')).html).toContain('&lt;script&gt;');
});

test('a list is searched by the order number, and refuses a filter that it does not know', async () => {
  const { merchantUid, svcUid } = await pay();
  const found = await kim.get(`/operator/payments?merchant_uid=${merchantUid}&status=&from=&to=`);
  expect(found.html).toContain(svcUid);
  expect(rowsIn(found.html)).toBe(1);
  expect((await kim.get('/operator/orders?merchant_uid=nobody-ordered')).html).toContain('찾은 것이 없어요');
  for (const query of ['nonsense=1', 'from=2026-99-99', 'after=x'])
    expect([query, (await kim.get(`/operator/orders?${query}`)).status]).toEqual([query, 400]);
});

test('the CSV has every row of the filter, and no cell that a spreadsheet would run', async () => {
  await registerOrder(world, newUid(), { name: '=HYPERLINK("x")' });
  const answer = await kim.get('/operator/orders.csv');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=orders.csv');
  const lines = answer.html.replace('\ufeff', '').trimEnd().split('\r\n');
  expect(lines).toHaveLength((await world.rows.query('select 1 from orders')).length + 1);
  expect(answer.html).toContain('"\'=HYPERLINK(""x"")"');
  expect((await kim.get('/operator/orders.csv?status=x')).status).toBe(400);
});

test('a payment shows what happened in its order, and the buyer on no page', async () => {
  const { svcUid, merchantUid } = await pay(12_000);
  const { html, status } = await kim.get(`/operator/payments/${svcUid}?lang=en`);
  expect(status).toBe(200);
  const at = (text: string) => html.indexOf(text, html.indexOf('class="timeline"'));
  expect(at('A notification came')).toBeLessThan(at('Fetched from the payment service'));
  expect(at('A notification came')).toBeGreaterThan(0);
  for (const text of ['₩12,000', 'order.paid', `/api/payments/${svcUid}`, '$API_KEY', merchantUid])
    expect([text, html.includes(text)]).toEqual([text, true]);
  expect(html).not.toMatch(/buyer_/);
  expect((await kim.get('/operator/payments/svc_0000000000')).status).toBe(404);
});

test('looking again stores what has changed at the service', async () => {
  const { svcUid, merchantUid } = await pay();
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  const answer = await kim.post(`/operator/payments/${svcUid}/sync`, {});
  expect([answer.status, answer.location]).toEqual([303, `/operator/payments/${svcUid}?done=recorded`]);
  expect(await orderStatus(world, merchantUid)).toBe('cancelled');
  expect(world.log.lines().filter(({ action }) => action === 'look_again')).toMatchObject([{ by: 'kim' }]);
});

test('a part of a payment goes back, once, in the name of the operator', async () => {
  const { svcUid, merchantUid } = await pay();
  const fields = { amount: '300', checksum: '1000', reason: 'cold tea' };
  const answer = await kim.post(`/operator/payments/${svcUid}/refund`, fields);
  expect([answer.status, answer.location]).toEqual([303, `/operator/payments/${svcUid}?done=refunded`]);
  const refunded = { amount: '300', requested_by: 'kim', status: 'refunded' };
  expect(await refundsOf(world, svcUid)).toMatchObject([refunded]);
  expect(await orderStatus(world, merchantUid)).toBe('partially_cancelled');
  // Who opens the page publishes the events that it shows.
  await lee.get(`/operator/payments/${svcUid}`);
  for (const again of [fields, { ...fields, amount: '' }]) {
    const second = await expectNoEffect(world, () => lee.post(`/operator/payments/${svcUid}/refund`, again));
    expect([second.status, second.html.includes('balance_differs')]).toEqual([409, true]);
  }
  // One could take the first for a thousand.
  for (const wrong of [{ amount: '1.000' }, { reason: '' }, { by: 'x' }]) {
    const third = { ...fields, checksum: '700', ...wrong };
    const refund = () => kim.post(`/operator/payments/${svcUid}/refund`, third);
    expect([wrong, (await expectNoEffect(world, refund)).status]).toEqual([wrong, 400]);
  }
});

test('an event is sent again from the list, in the name of the operator', async () => {
  const { svcUid, merchantUid } = await pay();
  await world.runEveryMinute();
  const shown = async () =>
    /Function of the shop: (\w+)/.exec((await kim.get(`/operator/payments/${svcUid}?lang=en`)).html)?.[1];
  expect(await shown()).toBe('Delivered');
  const list = `/operator/events?merchant_uid=${merchantUid}`;
  const { html } = await kim.get(list);
  const action = /action="([^"]+\/replay[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const answer = await kim.post(action, {});
  // Back to the list as it was filtered.
  expect([answer.status, answer.location]).toEqual([303, `${list}&done=replayed`]);
  expect(await shown()).toBe('Waiting');
  const again = { action: 'send_event_again', by: 'kim', id: `${merchantUid}:1` };
  expect(world.log.lines().filter(({ action }) => action === 'send_event_again')).toMatchObject([again]);
  const unknown = await expectNoEffect(world, () => kim.post('/operator/events/nobody%3A1/replay', {}));
  expect([unknown.status, unknown.html.includes('event_not_found')]).toEqual([404, true]);
});

test('billing keys are found by member and by state, masked, with when they last paid, and paged', async () => {
  const { customerUid, memberId } = await registerKey(world);
  const merchantUid = await registerOrder(world);
  await charge(world, merchantUid, customerUid);
  const paidAt = (await getOrder(world, merchantUid)).payments[0].paid_at as string;
  const ofMember = await kim.get(`/operator/keys?member_id=${memberId}&status=active&lang=en`);
  expect(rowsIn(ofMember.html)).toBe(1);
  const key = await keyOf(world, customerUid);
  for (const text of [customerUid, memberId, key?.['card_number'], key?.['card_name'], 'In use'])
    expect([text, ofMember.html.includes(String(text))]).toEqual([text, true]);
  expect(ofMember.html).toContain(`datetime="${paidAt}"`);
  const removed = await kim.get(`/operator/keys?member_id=${memberId}&status=removed`);
  expect(removed.html).toContain('class="empty-title"');

  await world.rows.query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     select 'old-' || n, 'member-of-old', 'removed', '2026-01-01Z', now() from generate_series(1, 70) n`,
  );
  const first = await kim.get('/operator/keys?member_id=member-of-old');
  const uids = (html: string) => [...html.matchAll(/<td class="id">(old-\d+)</g)].map(([, uid]) => uid);
  const both = [...uids(first.html), ...uids((await kim.get(nextIn(first.html))).html)];
  expect([uids(first.html).length, both.length, new Set(both).size]).toEqual([50, 70, 70]);
});
