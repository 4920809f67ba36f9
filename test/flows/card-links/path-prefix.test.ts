// A card link under PATH_PREFIX, beside a shop on the same host.

import { createMemberBrowser } from '../../support/browsers';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { PATH_PREFIX: '/pay' } });

test('a link leads to the form under the prefix, and a return path belongs to the shop', async () => {
  const link = await world.api('POST', '/pay/api/members/kim/card-link', { return_url: '/checkout' });
  const { pathname, search, searchParams } = new URL(link.body.url as string);
  expect([link.status, pathname]).toEqual([201, '/pay/cards/link']);
  const visitor = createMemberBrowser(world);
  expect((await visitor.get(`${pathname}${search}`)).html).toContain('action="/pay/cards/link"');
  const answer = await visitor.post('/pay/cards/link', { token: searchParams.get('token') ?? '' });
  expect(answer.location).toBe('/pay/cards/new?return_url=%2Fcheckout');
  expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('; Path=/pay;')]);
  expect((await visitor.get(answer.location ?? '')).html).toContain('name="return_url" value="/checkout"');
});
