// A purchase while the service or the database fails: the buyer learns whether money may have left the card, and comes back
// to the order.

import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { memberIdOf, registerKey } from '../../support/keys';
import { orderStatus } from '../../support/orders';
import { CHARGE_KEY, FIND_PAYMENTS } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let member: MemberBrowser;
let payWith: string;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
  payWith = (await registerKey(world, { memberId: await memberIdOf(member) })).customerUid;
});

async function buy(checkout = '/demo/products/tea') {
  const { html } = await member.get(checkout);
  const order = /name="merchant_uid" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const form = { product: 'tea', merchant_uid: order, pay_with: payWith };
  return { order, answer: await member.post('/demo/orders?lang=en', form) };
}

test('without an answer before the charge, the page says that the card was not charged, and the same order is paid later', async () => {
  await world.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'status', status: 503, times: 20 });
  const { order, answer } = await buy();
  expect(answer.location).toBe(`/demo/orders/${order}?problem=not_sent&lang=en`);
  const { html } = await member.get(answer.location ?? '');
  expect(html).toContain('we have not charged the card this time');
  await world.sandbox.clearFaults();
  const again = /href="(\/demo\/products\/tea\?order=[^"&]+)/.exec(html)?.[1] ?? '';
  expect((await buy(again)).order).toBe(order);
  expect(await orderStatus(world, order)).toBe('paid');
  expect((await member.get(answer.location ?? '')).html).not.toContain('we have not charged');
  // A paid order is not offered again.
  expect((await buy(again)).order).not.toBe(order);
});

test('if the answer to the charge is lost, money may have left, until the order is paid', async () => {
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response', times: 1 });
  // The notification would often say that it is paid before the page is opened.
  const { order, answer } = await world.withoutNotifications(() => buy());
  expect(answer.location).toBe(`/demo/orders/${order}?lang=en`);
  const page = await member.get(answer.location ?? '');
  expect([page.html, page.headers.get('refresh')]).toEqual([
    expect.stringContaining('Money may have left your card'),
    `2; url=/demo/orders/${order}?refreshed=1&lang=en`,
  ]);
  await world.runEveryMinute(60);
  expect(await orderStatus(world, order)).toBe('paid');
  expect((await member.get(answer.location ?? '')).html).not.toContain('Money may have left');
});

test('without the database, the page says that money may have left, and leads to the order', async () => {
  const { html } = await member.get('/demo/products/tea');
  const order = /name="merchant_uid" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const form = { product: 'tea', merchant_uid: order, pay_with: payWith };
  const answer = await world.withoutDatabase(() => member.post('/demo/orders?lang=en', form));
  expect(answer.status).toBe(503);
  expect(answer.html).toContain('Money may have left your card');
  expect(answer.html).toContain(`href="/demo/orders/${order}?lang=en"`);
});
