// The demo shop as a place to show: every good has a picture of ours, the header leads to the operator pages and the
// console, and a member sees their own orders only.

import { PRODUCTS } from '../../../src/merchant/options/demo/demo-shop';
import { createMemberBrowser, type MemberBrowser } from '../../support/browsers';
import { memberIdOf, registerKey } from '../../support/keys';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let member: MemberBrowser;
beforeEach(() => {
  member = createMemberBrowser(world);
});

test('each product and the plan have a picture that this server sends', async () => {
  const { html } = await member.get('/demo?lang=en');
  const pictures = [...html.matchAll(/class="picture" src="([^"]+)"/g)].map(([, source]) => source ?? '');
  expect(pictures).toHaveLength(PRODUCTS.length + 1);
  for (const picture of pictures) {
    const { status, headers } = await member.get(picture);
    expect([picture, status, headers.get('content-type')]).toEqual([picture, 200, 'image/svg+xml']);
  }
});

test('the header of a member’s pages marks the place, and the operator and the console are one click away', async () => {
  for (const [path, place] of [
    ['/demo/products/tea', '/demo'],
    ['/demo/orders', '/demo/orders'],
    ['/cards', '/cards'],
  ] as const) {
    const { html } = await member.get(`${path}?lang=en`);
    const here = [...html.matchAll(/<a href="([^"]+)" aria-current="page">/g)].map(([, href]) => href);
    expect([path, here]).toEqual([path, [`${place}?lang=en`]]);
    expect(html).toContain('href="/operator?lang=en"');
    expect(html).toContain(`href="${world.sandbox.url}/console?lang=en"`);
  }
});

test('a member sees their orders and plans, and no other member’s', async () => {
  const { customerUid } = await registerKey(world, { memberId: await memberIdOf(member) });
  const order = /name="merchant_uid" value="([^"]+)"/.exec(
    (await member.get('/demo/products/cup')).html,
  )?.[1];
  await member.post('/demo/orders', { product: 'cup', merchant_uid: order ?? '', pay_with: customerUid });
  const plan = /name="subscription_id" value="([^"]+)"/.exec((await member.get('/demo/plan')).html)?.[1];
  await member.post('/demo/subscriptions', { subscription_id: plan ?? '', pay_with: customerUid });
  const own = (await member.get('/demo/orders?lang=en')).html;
  for (const each of [`/demo/orders/${order}?`, `/demo/subscriptions/${plan}?`, 'White porcelain cup'])
    expect(own).toContain(each);
  // The order of the plan's first payment is on its own page.
  expect([...own.matchAll(/href="\/demo\/orders\/demo-/g)]).toHaveLength(1);
  const { html } = await createMemberBrowser(world).get('/demo/orders?lang=en');
  expect(html).toContain('No orders yet');
});
