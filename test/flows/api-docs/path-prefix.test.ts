// The API description under PATH_PREFIX.

import { createMemberBrowser } from '../../support/browsers';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { PATH_PREFIX: '/pay' } });

test('the API description and the pages show addresses with the prefix', async () => {
  const { body } = await world.api('GET', '/pay/openapi.json');
  expect(body.servers).toEqual([{ url: '/pay' }]);
  const { html } = await createMemberBrowser(world).get('/pay/docs/orders');
  expect(html).toContain(`${world.url}/pay/api/orders`);
  expect(html).toContain('href="/pay/docs#error-order_not_found"');
});
