// The demo shop, from the product to what the shop is told: with a card, in the payment window, and as a plan whose
// payments are reached by moving both clocks.

import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { CARD_THAT_FAILS } from '../../support/cards';
import { getOrder, orderStatus, registerOrder } from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { CHARGE_KEY } from '../../support/sandbox-controls';
import { getSubscription } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let member: MemberBrowser;
beforeEach(() => {
  member = createMemberBrowser(world);
});

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';

/** The form of a checkout, for the order that the page has made. */
const openCheckout = async (payWith = 'window', product = 'tea', browser = member) => ({
  product,
  merchant_uid: hidden((await browser.get(`/demo/products/${product}`)).html, 'merchant_uid'),
  pay_with: payWith,
});

const runJobs = async () => {
  await world.sandbox.waitForNotifications();
  for (let minutes = 0; minutes < 3; minutes += 1) await world.runEveryMinute(60);
};

test('a card pays for a product, and the page shows the order as paid and what the shop was told', async () => {
  const { customerUid } = await member.register();
  const form = await openCheckout(customerUid);
  const bought = await member.post('/demo/orders', form);
  expect([bought.status, bought.location]).toEqual([303, `/demo/orders/${form.merchant_uid}`]);
  await runJobs();
  expect(await orderStatus(world, form.merchant_uid)).toBe('paid');
  const { html } = await member.get(`/demo/orders/${form.merchant_uid}?lang=en`);
  for (const text of ['data-tone="good">paid<', 'order.paid', 'delivered']) expect(html).toContain(text);
});

test('a form that is sent twice buys once', async () => {
  const { customerUid } = await member.register();
  const form = await openCheckout(customerUid, 'cup');
  const calls = await world.sandbox.requestsDuring(CHARGE_KEY, () =>
    Promise.all([member.post('/demo/orders', form), member.post('/demo/orders', form)]),
  );
  expect(calls).toBe(1);
  expect((await getOrder(world, form.merchant_uid)).payments).toMatchObject([{ amount: 18_000 }]);
});

test('the price is the shop’s: a form says nothing of it, and an order of another price is not taken over', async () => {
  const form = { ...(await openCheckout()), amount: '1' };
  await member.post('/demo/orders', form);
  await member.post('/demo/orders', { ...form, product: 'teapot' });
  expect(await getOrder(world, form.merchant_uid)).toMatchObject({ amount: 12_000 });
});

test('nobody sees or pays the order of another member, or one of another shop, or pays with another member’s card', async () => {
  const { customerUid } = await member.register();
  const form = await openCheckout();
  await member.post('/demo/orders', form);
  const ofTheShop = await registerOrder(world);
  const stranger = createMemberBrowser(world);
  for (const id of [form.merchant_uid, ofTheShop])
    for (const path of [`/demo/orders/${id}`, `/demo/orders/${id}/window`])
      expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
  const forged = { ...form, merchant_uid: ofTheShop };
  expect((await expectNoEffect(world, () => stranger.post('/demo/orders', forged))).status).toBe(403);
  const foreign = await openCheckout(customerUid, 'tea', stranger);
  const pay = () => stranger.post('/demo/orders', foreign);
  expect(await world.sandbox.requestsDuring(CHARGE_KEY, pay)).toBe(0);
  expect(await orderStatus(world, foreign.merchant_uid)).toBe('open');
});

test('a plan is paid month after month, fails with a card that fails, and is paid at the next try with another', async () => {
  const { customerUid } = await member.register();
  const plan = hidden((await member.get('/demo/plan')).html, 'subscription_id');
  const started = await member.post('/demo/subscriptions', { subscription_id: plan, pay_with: customerUid });
  expect(started.location).toBe(`/demo/subscriptions/${plan}`);
  await runJobs();
  const next = async () => {
    await member.post(`/demo/subscriptions/${plan}/next`, {});
    await runJobs();
    return getSubscription(world, plan);
  };
  expect(await getSubscription(world, plan)).toMatchObject({ status: 'active', cycle: 2 });
  expect(await next()).toMatchObject({ status: 'active', cycle: 3 });
  await member.replace(customerUid, { card_number: CARD_THAT_FAILS });
  expect(await next()).toMatchObject({ status: 'past_due', cycle: 3, attempt: 1 });
  const { html } = await member.get(`/demo/subscriptions/${plan}?lang=en`);
  expect(html).toContain('subscription.payment_failed');
  await member.replace(customerUid);
  expect(await next()).toMatchObject({ status: 'active', cycle: 4 });
  for (const cycle of [1, 2, 3]) expect(await orderStatus(world, `${plan}-${cycle}`)).toBe('paid');
  expect((await member.post(`/demo/subscriptions/${plan}/cancel`, {})).status).toBe(303);
  expect(await getSubscription(world, plan)).toMatchObject({ status: 'cancelled' });
});
