// The landing page and the demo shop under PATH_PREFIX: nothing leads out of it, and a purchase comes back to it.

import { createMemberBrowser } from '../../../support/browsers';
import { CARD_FORM } from '../../../support/cards';
import { crawl } from '../../../support/crawl';
import { useWorld } from '../../../support/use-world';

const world = useWorld({ environment: { PATH_PREFIX: '/pay' } });

test('a visitor walks the demo shop, registers a card from it, and never leaves the prefix', async () => {
  const visitor = createMemberBrowser(world);
  const opened = await crawl(visitor, '/pay', ['/pay', '/pay/', '/pay/demo']);
  const toForm = opened.find((path) => path.startsWith('/pay/cards/new?return_url='));
  const returnUrl = new URLSearchParams(toForm?.split('?')[1]).get('return_url') ?? '';
  expect(returnUrl).toMatch(/^\/pay\/demo\//);
  const fields = { ...(await visitor.openForm(toForm)), ...CARD_FORM, return_url: returnUrl };
  const { status, location } = await visitor.post('/pay/cards', fields);
  expect([status, location]).toEqual([303, `${returnUrl}?customer_uid=${fields.customer_uid}`]);
  expect((await visitor.get(location ?? '')).status).toBe(200);
});
