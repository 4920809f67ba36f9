// From a shop to our pages and back in a real browser: after the form is posted, the browser follows redirects only to the listed
// origin, and the return page refreshes itself without a script.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions } from 'playwright-core';
import { describeInChromium, useChromium } from '../../support/chromium';
import { keyOf } from '../../support/keys';
import { newUid, paySilently, registerOrder } from '../../support/orders';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { startWorld, type World } from '../../support/world';
import { openPage, register } from '../pages';

describeInChromium('from a shop to a page of ours and back, in Chromium', () => {
  const browser = useChromium();
  let world: World;
  let shopServer: Server;
  let shop: string;
  beforeAll(async () => {
    shopServer = createServer((request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<title>shop</title><p>${request.url?.split('?', 1)[0]}</p>`);
    });
    await new Promise<void>((resolve) => shopServer.listen(0, '127.0.0.1', resolve));
    // Another host than the merchant's, so that it is another site.
    shop = `http://localhost:${(shopServer.address() as AddressInfo).port}`;
    world = await startWorld({ environment: { RETURN_URLS: shop } });
  });
  afterAll(async () => {
    await world.close();
    shopServer.closeAllConnections();
    shopServer.close();
  });

  const openForm = (returnUrl: string, options?: BrowserContextOptions) =>
    openPage(browser, `${world.url}/cards/new?return_url=${encodeURIComponent(returnUrl)}`, options);

  test.each([true, false])(
    'the member returns to the shop with the key (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { page, complaints } = await openForm(`${shop}/checkout?order=7`, { javaScriptEnabled });
      await register(page);
      await page.waitForURL(`${shop}/checkout?order=7&customer_uid=*`);
      expect(await page.textContent('p')).toBe('/checkout');
      const customerUid = new URL(page.url()).searchParams.get('customer_uid') ?? '';
      expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active' });
      expect(complaints).toEqual([]);
    },
  );

  test('an unlisted address shows a page without a form and without a link', async () => {
    const { page } = await openForm('https://evil.example/');
    expect(await page.title()).toMatch(/^오류: 돌아갈 주소를 쓸 수 없어요/);
    expect(await page.locator('form').count()).toBe(0);
    expect(await page.locator('[href*=evil]').count()).toBe(0);
  });

  test('the page of a payment refreshes without JavaScript until the state is known, and links to the shop', async () => {
    const uid = await registerOrder(world, newUid());
    const { svc_uid: svcUid } = await paySilently(world, uid, { outcome: 'failed' });
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
    const query = new URLSearchParams({
      abc_uid: svcUid,
      merchant_uid: uid,
      return_url: `${shop}/thanks`,
      lang: 'en',
    });
    const address = `${world.url}/orders/${uid}/return?${query.toString()}`;
    const { page, complaints } = await openPage(browser, address, { javaScriptEnabled: false });
    const state = () => page.getAttribute('.result', 'data-state');
    expect(await state()).toBe('not_known_yet');
    await page.waitForURL(/attempt=1/);
    expect(await state()).toBe('failed');
    await page.click('a.primary');
    await page.waitForURL(`${shop}/thanks`);
    expect(complaints).toEqual([]);
  });
});
