// What operators see and do: lists, CSV, one payment, the desk, the overview. As plain requests, without JavaScript.

import { discrepancyOf, payForNobody, payTwice, refundsOf } from '../../support/discrepancies';
import { createMemberBrowser } from '../../support/member-browser';
import { expectNoEffect } from '../../support/no-effect';
import { signedIn, type OperatorBrowser } from '../../support/operator-browser';
import { newUid, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let kim: OperatorBrowser;
let lee: OperatorBrowser;
beforeAll(async () => {
  kim = await signedIn(world, { by: 'kim' });
  lee = await signedIn(world, { by: 'lee' });
});

const HOSTILE = '<script>alert(1)</script>';
const PLACES = [
  '',
  ...'desk payments orders notifications discrepancies charges refunds issuances events'.split(' '),
];

async function pay(amount = 1000, name = 'Tea') {
  const merchantUid = await registerOrder(world, newUid(), { amount, name });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount });
  return { merchantUid, svcUid };
}

test('every page says what to do where there is nothing, in both languages', async () => {
  for (const lang of ['ko', 'en'])
    for (const place of PLACES) {
      const { status, html } = await kim.get(`/operator/${place}?lang=${lang}`.replace('/?', '?'));
      expect([place, status]).toEqual([place, 200]);
      expect(html).not.toContain('undefined');
      if (place !== '')
        expect([place, html]).toEqual([place, expect.stringContaining('class="empty-title"')]);
    }
});

test('what a shop or the service sends is escaped on every page', async () => {
  const { svcUid } = await pay(1000, HOSTILE);
  await payForNobody(world, newUid(), { name: HOSTILE });
  for (const path of [...PLACES, `payments/${svcUid}`]) {
    const { status, html } = await kim.get(`/operator/${path}?lang=en`.replace('/?', '?'));
    expect([path, status, html.includes('<script')]).toEqual([path, 200, false]);
  }
  expect((await kim.get('/operator/orders')).html).toContain('&lt;script&gt;');
});

test('a list is searched by the order number, paged by its cursor, and refuses a filter that it does not know', async () => {
  const { merchantUid, svcUid } = await pay();
  const found = await kim.get(`/operator/payments?merchant_uid=${merchantUid}&status=&from=&to=`);
  expect(found.html).toContain(svcUid);
  expect(found.html.match(/<tr>/g)).toHaveLength(2);
  expect((await kim.get('/operator/orders?merchant_uid=nobody-ordered')).html).toContain('찾은 것이 없어요');
  for (const query of ['status=x', 'nonsense=1', 'from=2026-99-99', 'after=x'])
    expect([query, (await kim.get(`/operator/orders?${query}`)).status]).toEqual([query, 400]);

  for (let number = 0; number < 52; number += 1) await registerOrder(world);
  const first = await kim.get('/operator/orders');
  const next = /rel="next" href="([^"]+)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await kim.get(next);
  const orders = (html: string) => [...html.matchAll(/merchant_uid=([\w-]+)"/g)].map(([, uid]) => uid);
  expect(orders(first.html)).toHaveLength(50);
  expect(orders(second.html).filter((uid) => orders(first.html).includes(uid))).toEqual([]);
  expect(second.status).toBe(200);
});

test('the CSV has every row of the filter, and no cell that a spreadsheet would run', async () => {
  const names = ['=HYPERLINK("x")', '+1', '-1', '@x'];
  for (const name of names) await registerOrder(world, newUid(), { name });
  const answer = await kim.get('/operator/orders.csv');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=orders.csv');
  const lines = answer.html.replace('\ufeff', '').trimEnd().split('\r\n');
  const [{ count }] = (await world.rows.query('select count(*)::int as count from orders')) as [
    { count: number },
  ];
  expect(lines).toHaveLength(count + 1);
  expect(answer.html).toContain('"\'=HYPERLINK(""x"")"');
  for (const name of names.slice(1)) expect(answer.html).toContain(`,'${name},`);
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
  expect(world.log.lines().find(({ event }) => event === 'operator_action')).toMatchObject({
    by: 'kim',
    action: 'look_again',
  });
});

test('a part of a payment goes back, once, in the name of the operator', async () => {
  const { svcUid, merchantUid } = await pay();
  const fields = { amount: '300', checksum: '1000', reason: 'cold tea' };
  const answer = await kim.post(`/operator/payments/${svcUid}/refund`, fields);
  expect([answer.status, answer.location]).toEqual([303, `/operator/payments/${svcUid}?done=refunded`]);
  expect(await refundsOf(world, svcUid)).toMatchObject([
    { amount: '300', requested_by: 'kim', status: 'refunded' },
  ]);
  expect(await orderStatus(world, merchantUid)).toBe('partially_cancelled');
  for (const again of [fields, { ...fields, amount: '' }]) {
    const second = await expectNoEffect(world, () => lee.post(`/operator/payments/${svcUid}/refund`, again));
    expect([second.status, second.html.includes('balance_differs')]).toEqual([409, true]);
  }
  for (const wrong of [
    { ...fields, amount: 'x' },
    { ...fields, amount: '-1' },
    { checksum: '700' },
    { ...fields, by: 'x' },
  ])
    expect(
      (await expectNoEffect(world, () => kim.post(`/operator/payments/${svcUid}/refund`, wrong))).status,
    ).toBe(400);
});

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
  const contradicted = await expectNoRows(() =>
    kim.post(`/operator/desk/discrepancies/${id}/resolve`, { resolution: 'refunded', note: 'I think' }),
  );
  expect([contradicted.status, contradicted.html.includes('it holds 1000 KRW')]).toEqual([409, true]);
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

test('the overview draws what its tables say', async () => {
  const { html } = await kim.get('/operator?lang=en');
  expect(html.match(/<svg class="chart"/g)).toHaveLength(3);
  expect(html.match(/<table>/g)).toHaveLength(3);
  expect(html).toMatch(/<rect [^>]+data-tone="good"/);
  expect(html).not.toMatch(/style=|<script/);
});

test('without the database a page says so, and nobody is signed out', async () => {
  const answer = await world.withoutDatabase(() => kim.get('/operator/orders'));
  expect([answer.status, answer.html.includes('데이터베이스가 답하지 않아요')]).toEqual([503, true]);
  expect((await kim.get('/operator/orders')).status).toBe(200);
  expect((await createMemberBrowser(world).get('/operator/orders')).status).toBe(303);
});
