// The demo shop, from the product to what the shop is told: with a card, in the payment window, and as a plan whose
// payments are reached by moving both clocks.

import { CARD_THAT_FAILS } from '../../support/cards';
import { CHARGE_KEY } from '../../support/endpoints';
import { createMemberBrowser, type MemberBrowser } from '../../support/member-browser';
import { expectNoEffect } from '../../support/no-effect';
import { orderStatus } from '../../support/orders';
import { getSubscription } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let member: MemberBrowser;
beforeEach(() => {
  member = createMemberBrowser(world);
});

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';

/** The id of the order that the page has made. */
async function openCheckout(product = 'tea'): Promise<string> {
  return hidden((await member.get(`/demo/products/${product}`)).html, 'merchant_uid');
}

const runJobs = async () => {
  await world.sandbox.waitForNotifications();
  for (let minutes = 0; minutes < 3; minutes += 1) await world.runEveryMinute(60);
};

test('a card pays for a product, and the page shows the order as paid and what the shop was told', async () => {
  const { customerUid } = await member.register();
  const merchantUid = await openCheckout();
  const bought = await member.post('/demo/orders', {
    product: 'tea',
    merchant_uid: merchantUid,
    pay_with: customerUid,
  });
  expect([bought.status, bought.location]).toEqual([303, `/demo/orders/${merchantUid}`]);
  await runJobs();
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  const { html, headers } = await member.get(`/demo/orders/${merchantUid}?lang=en`);
  expect(html).toContain('data-tone="good">paid<');
  expect(html).toContain('order.paid');
  expect(html).toContain('delivered');
  expect(headers.get('refresh')).toBeNull();
});

test('a form that is sent twice buys once', async () => {
  const { customerUid } = await member.register();
  const fields = { product: 'cup', merchant_uid: await openCheckout('cup'), pay_with: customerUid };
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, () =>
    Promise.all([member.post('/demo/orders', fields), member.post('/demo/orders', fields)]),
  );
  expect(calls).toBe(1);
  const payments = await world.rows.query('select amount from payments where merchant_uid = $1', [
    fields.merchant_uid,
  ]);
  expect(payments).toEqual([{ amount: '18000' }]);
});

test('the price is the shop’s: a form says nothing of it, and an order of another price is not taken over', async () => {
  await member.get('/demo');
  const fields = { product: 'tea', merchant_uid: await openCheckout(), pay_with: 'window', amount: '1' };
  await member.post('/demo/orders', fields);
  await member.post('/demo/orders', { ...fields, product: 'teapot' });
  const orders = await world.rows.query('select amount from orders where merchant_uid = $1', [
    fields.merchant_uid,
  ]);
  expect(orders).toEqual([{ amount: '12000' }]);
});

test('the payment window opens for the order, and the buyer comes back to its page', async () => {
  const merchantUid = await openCheckout();
  const bought = await member.post('/demo/orders', {
    product: 'tea',
    merchant_uid: merchantUid,
    pay_with: 'window',
  });
  expect(bought.location).toBe(`/demo/orders/${merchantUid}/window`);
  const leads = await member.get(`/demo/orders/${merchantUid}/window`);
  const address = /^0; url=(.+)$/.exec(leads.headers.get('refresh') ?? '')?.[1] ?? '';
  expect(leads.html).toContain(`href="${address.replaceAll('&', '&amp;')}"`);

  const window = await (await fetch(address)).text();
  const body = new URLSearchParams({ outcome: 'paid', window_id: hidden(window, 'window_id') });
  const paid = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  const back = paid.headers.get('location') ?? '';
  expect(back.startsWith(`${world.url}/orders/${merchantUid}/return?`)).toBe(true);
  const returned = await member.get(back.slice(world.url.length));
  expect(returned.html).toContain(`href="/demo/orders/${merchantUid}"`);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
});

test('while an order is not paid its page asks again, for a minute', async () => {
  const fields = { product: 'tea', merchant_uid: await openCheckout(), pay_with: 'window' };
  await member.post('/demo/orders', fields);
  const path = `/demo/orders/${fields.merchant_uid}`;
  expect((await member.get(path)).headers.get('refresh')).toBe(`2; url=${path}?refreshed=1`);
  expect((await member.get(`${path}?refreshed=30`)).headers.get('refresh')).toBeNull();
});

test('nobody sees or pays the order of another member, or one of another shop', async () => {
  const fields = { product: 'tea', merchant_uid: await openCheckout(), pay_with: 'window' };
  await member.post('/demo/orders', fields);
  await world.api('POST', '/api/orders', { merchant_uid: 'order-of-the-shop', name: 'x', amount: 1000 });
  const stranger = createMemberBrowser(world);
  for (const id of [fields.merchant_uid, 'order-of-the-shop'])
    for (const path of [`/demo/orders/${id}`, `/demo/orders/${id}/window`])
      expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
  await expectNoEffect(world, async () => {
    const forged = { ...fields, merchant_uid: 'order-of-the-shop' };
    expect((await stranger.post('/demo/orders', forged)).status).toBe(403);
  });
});

test('a card of another member is not charged', async () => {
  const { customerUid } = await member.register();
  const stranger = createMemberBrowser(world);
  const html = (await stranger.get('/demo/products/tea')).html;
  const merchantUid = hidden(html, 'merchant_uid');
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, () =>
    stranger.post('/demo/orders', { product: 'tea', merchant_uid: merchantUid, pay_with: customerUid }),
  );
  expect(calls).toBe(0);
  expect(await orderStatus(world, merchantUid)).toBe('open');
});

test('the landing page names what is here, in both languages', async () => {
  const korean = await member.get('/', { 'accept-language': 'ko' });
  expect(korean.status).toBe(200);
  expect(korean.headers.get('content-language')).toBe('ko');
  for (const path of ['/demo', '/cards/new', '/cards', '/operator', '/docs'])
    expect(korean.html).toContain(`<a href="${path}">`);
  expect(korean.html).toContain(`${new URL(world.sandbox.url).port}/console`);
  expect((await member.get('/?lang=en')).html).toContain('Welcome to the merchant server');
});

test('a plan is paid month after month, fails with a card that fails, and is paid at the next try with another', async () => {
  const { customerUid } = await member.register();
  const plan = hidden((await member.get('/demo/plan')).html, 'subscription_id');
  const started = await member.post('/demo/subscriptions', { subscription_id: plan, pay_with: customerUid });
  expect(started.location).toBe(`/demo/subscriptions/${plan}`);
  await runJobs();
  const next = async () => {
    const moved = await member.post(`/demo/subscriptions/${plan}/next`, {});
    expect(moved.location).toBe(`/demo/subscriptions/${plan}`);
    await runJobs();
    return getSubscription(world, plan);
  };
  expect(await getSubscription(world, plan)).toMatchObject({ status: 'active', cycle: 2 });
  expect(await next()).toMatchObject({ status: 'active', cycle: 3 });

  await member.replace(customerUid, { card_number: CARD_THAT_FAILS });
  expect(await next()).toMatchObject({ status: 'past_due', cycle: 3, attempt: 1 });
  const failed = await member.get(`/demo/subscriptions/${plan}?lang=en`);
  expect(failed.html).toContain('payment failed, tried again');
  expect(failed.html).toContain('subscription.payment_failed');

  await member.replace(customerUid);
  expect(await next()).toMatchObject({ status: 'active', cycle: 4 });
  const paid = await world.rows.query(
    `select merchant_uid from orders where status = 'paid' and merchant_uid like $1 order by 1`,
    [`${plan}-%`],
  );
  expect(paid).toEqual([1, 2, 3].map((cycle) => ({ merchant_uid: `${plan}-${cycle}` })));

  const cancelled = await member.post(`/demo/subscriptions/${plan}/cancel`, {});
  expect(cancelled.status).toBe(303);
  expect(await getSubscription(world, plan)).toMatchObject({ status: 'cancelled' });
}, 60_000);
