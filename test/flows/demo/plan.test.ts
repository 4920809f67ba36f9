// The plan page follows its payment, counts what was paid, and shows a removed card before the next payment fails.

import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { memberIdOf, registerKey } from '../../support/keys';
import { escapedIn, fillWithMarkup } from '../../support/markup';
import { hasOption } from '../../support/options';
import { pass } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let member: MemberBrowser;
let customerUid: string;
beforeEach(async () => {
  member = createMemberBrowser(world);
  ({ customerUid } = await registerKey(world, { memberId: await memberIdOf(member) }));
});

async function startPlan(): Promise<string> {
  const { html } = await member.get('/demo/plan');
  const id = /name="subscription_id" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const started = await member.post('/demo/subscriptions', { subscription_id: id, pay_with: customerUid });
  expect(started.location).toBe(`/demo/subscriptions/${id}`);
  return `/demo/subscriptions/${id}`;
}

/** The text of the page, without its markup. */
async function show(path: string) {
  const { html, headers } = await member.get(`${path}${path.includes('?') ? '&' : '?'}lang=en`);
  return { text: html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' '), refresh: headers.get('refresh') };
}

test('the page follows a payment until it is complete, and counts the payments that were made', async () => {
  const plan = await startPlan();
  await pass(world, 60);
  const first = await show(plan);
  for (const text of ['Payments1 made', '(2nd payment)']) expect(first.text).toContain(text);
  expect(first.refresh).toBeNull();

  await member.post(`${plan}/next`, {});
  const paying = await show(plan);
  expect([paying.text, paying.refresh]).toEqual([
    expect.stringContaining('Your 2nd payment is due'),
    `2; url=${plan}?refreshed=1&lang=en`,
  ]);
  await pass(world, 60);
  await pass(world, 60);
  const paid = await show(`${plan}?refreshed=1`);
  for (const text of ['Your 2nd payment of ₩9,900 went through', 'Payments2 made', '(3rd payment)'])
    expect(paid.text).toContain(text);
  expect(paid.text).toMatch(/What happened since .* 2nd payment Paid .* order\.paid Delivered /);
  expect([paid.refresh, paid.text]).toEqual([null, expect.not.stringContaining('Failed attempts')]);
  await member.post('/demo/clock/reset', { back: '/demo' });
});

test('a removed card shows on its plan before the next payment fails', async () => {
  const plan = await startPlan();
  await pass(world, 60);
  expect((await show(plan)).text).not.toContain('This plan has no card');
  const cards = (await member.get('/cards?lang=en')).html;
  expect(cards).toContain(`<a href="${plan.split('?')[0]}?lang=en">`);
  expect(cards).toMatch(/Your plan “[^”]+” loses its card/);
  if (hasOption('card-form')) {
    const form = (await member.get(`/cards/${customerUid}/replace?lang=en`)).html;
    expect(form).toMatch(/Current card:.*\*\*.*Your plan \(/s);
  }
  await member.remove(await member.openRemoval(customerUid));
  const { text } = await show(plan);
  for (const each of ['This plan has no card', 'Pays withRemoved', 'StatusActive'])
    expect(text).toContain(each);

  const other = await registerKey(world, { memberId: await memberIdOf(member) });
  const changed = await member.post(`${plan}/card?lang=en`, { pay_with: other.customerUid });
  expect(changed.location).toMatch(/card=card(WillChange|Changed)/);
  await pass(world, 60);
  expect((await show(plan)).text).not.toContain('This plan has no card');
});

test('every page of the demo escapes what the database holds', async () => {
  const plan = await startPlan();
  await pass(world, 60);
  const html = (await member.get('/demo/products/tea')).html;
  const merchant_uid = /name="merchant_uid" value="([^"]+)"/.exec(html)?.[1] ?? '';
  await member.post('/demo/orders', { product: 'tea', merchant_uid, pay_with: customerUid });
  const order = `/demo/orders/${merchant_uid}`;
  await fillWithMarkup(world.rows);
  for (const [path, least] of [
    ['/demo/orders', 0],
    [order, 1],
    [plan, 2],
    ['/demo/plan', 1],
    ['/demo/products/tea', 1],
  ] as const)
    expect([path, escapedIn(path, await member.get(path)) >= least]).toEqual([path, true]);
});
