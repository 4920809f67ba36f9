// The demo shop, from the product to the events. No member sees another member’s order, or pays with another member’s card.

import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { memberIdOf, registerKey } from '../../support/keys';
import { hasOption } from '../../support/options';
import { orderStatus, registerOrder } from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { CHARGE_KEY } from '../../support/sandbox-controls';
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
  const { customerUid } = await registerKey(world, { memberId: await memberIdOf(member) });
  const form = await openCheckout(customerUid);
  const bought = await member.post('/demo/orders', form);
  expect([bought.status, bought.location]).toEqual([303, `/demo/orders/${form.merchant_uid}`]);
  await runJobs();
  expect(await orderStatus(world, form.merchant_uid)).toBe('paid');
  const { html } = await member.get(`/demo/orders/${form.merchant_uid}?lang=en`);
  for (const text of ['data-tone="good">Paid<', 'order.paid', 'Delivered', '>View receipt<'])
    expect(html).toContain(text);
  expect(html).toMatch(/\/console\?q=(?!demo-)\w+&amp;lang=en"/);
  const steps = [...(await member.get('/?lang=en')).html.matchAll(/<li><span class="state"[^>]*>([^<]*)</g)];
  const done = hasOption('card-form') ? ['Done', 'Done'] : ['Done'];
  expect(steps.slice(0, done.length).map(([, state]) => state)).toEqual(done);
});

test('a member cannot see or pay the order of another member or shop, or pay with another member’s card', async () => {
  const { customerUid } = await registerKey(world, { memberId: await memberIdOf(member) });
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

test('only the page of the payment window may load the service’s script and frame its window', async () => {
  const policyOf = async (path: string) => (await member.get(path)).headers.get('content-security-policy');
  const form = await openCheckout();
  await member.post('/demo/orders', form);
  const order = `/demo/orders/${form.merchant_uid}`;
  const policy = await policyOf(`${order}/window`);
  for (const directive of [`script-src 'self' ${world.sandbox.url};`, `frame-src ${world.sandbox.url};`])
    expect(policy).toContain(directive);
  for (const path of [order, '/demo', '/cards'])
    expect([path, await policyOf(path)]).toEqual([path, expect.stringContaining("script-src 'self';")]);
});

test('the window of a paid order does not open again', async () => {
  const { customerUid } = await registerKey(world, { memberId: await memberIdOf(member) });
  const form = await openCheckout(customerUid);
  await member.post('/demo/orders', form);
  const order = `/demo/orders/${form.merchant_uid}`;
  const { status, location } = await member.get(`${order}/window`);
  expect([status, location]).toEqual([303, order]);
});
