// The API description in a browser: Swagger UI from our own files, under the policy of every page. What axe finds inside the
// viewer is not checked, because it is not ours: axe sees the page without it.

import type { Page } from 'playwright-core';
import { API } from '../../../src/merchant/features';
import { describeInChromium, isFirst, LANGUAGES, useChromium, violations } from '../../support/chromium';
import { API_KEY } from '../../support/config';
import { useWorld } from '../../support/use-world';
import { openPage, widthOf } from '../pages';

const NARROW = { viewport: { width: 320, height: 900 } };
const POST_ORDERS = '#viewer [id$="-post_api_orders"]';

describeInChromium('the API description', () => {
  const world = useWorld();
  const browser = useChromium();

  // In Korean it shows /openapi.json?lang=ko: test/merchant/options/api-docs/docs.test.ts.
  test('shows every route, narrow as well, asks no other host, and leads to an error code, which it pushes down', async () => {
    const { page, complaints } = await openPage(browser, 'about:blank', NARROW);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${world.url}/docs?lang=en#error-order_not_found`);
    await page.waitForSelector('#viewer .opblock-tag');
    await page.waitForFunction(`(() => {
      const { top, bottom } = document.getElementById('error-order_not_found').getBoundingClientRect();
      return top >= -1 && bottom <= innerHeight;
    })()`);
    // Closed, so that the page is short.
    expect(await page.locator('#viewer .opblock').count()).toBe(0);
    for (const group of await page.locator('#viewer .opblock-tag').all()) await group.click();
    expect(await page.locator('#viewer .opblock').count()).toBe(API.routes.length);
    const summary = await page.textContent(`${POST_ORDERS} .opblock-summary-description`);
    expect(summary).toBe('Register what is expected to be paid');
    expect(await widthOf(page)).toBe(320);
    expect(asked.filter((url) => !url.startsWith(`${world.url}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  /** Opens a route of the viewer. The others are taken out of the document, because the viewer is slow with all of them. */
  async function openRoute({ canTry }: { canTry: boolean }): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await openPage(browser, 'about:blank', NARROW);
    await page.route('**/openapi.json*', async (route) => {
      const answer = await route.fetch();
      const { paths, ...rest } = (await answer.json()) as { paths: Record<string, unknown> };
      const json = { ...rest, paths: { '/api/orders': paths['/api/orders'] } };
      await route.fulfill({ response: answer, json });
    });
    await page.route('**/docs?*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('data-can-try="true"', `data-can-try="${canTry}"`);
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${world.url}/docs?lang=en`);
    await page.click('#viewer .opblock-tag');
    await page.click(`${POST_ORDERS} .opblock-summary-control`);
    await page.waitForSelector(`${POST_ORDERS} [data-code="409"]`);
    return { page, complaints };
  }

  test('says how to call a route, sends its example to the sandbox with the key of this machine, and keeps it nowhere', async () => {
    const { page, complaints } = await openRoute({ canTry: true });
    // The curl command, and what to do about an error.
    expect(await page.textContent(`${POST_ORDERS} .opblock-description`)).toContain(
      `'${world.url}/api/orders'`,
    );
    expect(await page.textContent(`${POST_ORDERS} [data-code="409"]`)).toContain('Use a new merchant_uid');
    expect(await widthOf(page)).toBe(320);
    await page.click(`${POST_ORDERS} .try-out__btn`);
    await page.click(`${POST_ORDERS} .execute`);
    const answer = `${POST_ORDERS} .live-responses-table .response`;
    await page.waitForSelector(answer);
    expect(await page.textContent(answer)).toMatch(/^201.*"merchant_uid": "order-1001"/s);
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).not.toContain(API_KEY);
    expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('offers no calls where they would move money', async () => {
    const { page } = await openRoute({ canTry: false });
    const controls = page
      .locator('.try-out__btn, .btn.authorize, .authorization__btn')
      .filter({ visible: true });
    expect(await controls.count()).toBe(0);
  });

  test.each(LANGUAGES)('axe finds nothing in %s on the page around the viewer', async (lang) => {
    const { page } = await openPage(browser, 'about:blank', NARROW);
    await page.route('**/swagger-ui-bundle.js*', (route) => route.abort());
    await page.goto(`${world.url}/docs?lang=${lang}`);
    expect(await violations(page, { isFirst: isFirst(lang) })).toEqual([]);
  });

  test('without JavaScript it says where the description is, and has the error codes', async () => {
    const { page } = await openPage(browser, `${world.url}/docs?lang=en`, { javaScriptEnabled: false });
    expect(await page.textContent('noscript')).toContain('openapi.json has the same content');
    expect(await page.isVisible('a[href="/openapi.json?lang=en"]')).toBe(true);
    expect(await page.isVisible('#error-order_not_found')).toBe(true);
  });
});
