// The API description under PATH_PREFIX.

import { createMemberBrowser } from '../../support/browsers';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { PATH_PREFIX: '/pay' } });

test('the API description and the pages show addresses with the prefix', async () => {
  const { body } = await world.api('GET', '/pay/openapi.json');
  expect(body.servers).toEqual([{ url: '/pay' }]);
  const { html } = await createMemberBrowser(world).get('/pay/docs?lang=en');
  expect(html).toContain('data-document="/pay/openapi.json?lang=en"');
  expect(html).toContain('"/pay/docs/viewer/swagger-ui-bundle.js?');
  const { body: refusal } = await world.api('GET', '/pay/api/orders/nobody');
  expect(refusal.error.doc_url).toBe(`${world.url}/pay/docs#error-order_not_found`);
});
