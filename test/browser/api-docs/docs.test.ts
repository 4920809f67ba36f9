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

  /** Opens it and waits for the routes. */
  async function openDocs(query: string, options = {}): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openPage(browser, `${world.url}/docs?${query}`, options);
    await opened.page.waitForSelector('#viewer .opblock');
    return opened;
  }

  test.each(LANGUAGES)('shows every route in %s, narrow as well, and asks no other host', async (lang) => {
    const { page, complaints } = await openPage(browser, 'about:blank', NARROW);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${world.url}/docs?lang=${lang}`);
    await page.waitForSelector('#viewer .opblock');
    expect(await page.locator('#viewer .opblock').count()).toBe(API.routes.length);
    const summary = await page.textContent(`${POST_ORDERS} .opblock-summary-description`);
    expect(summary).toBe({ ko: '결제받을 주문 등록', en: 'Register what is expected to be paid' }[lang]);
    await page.click(`${POST_ORDERS} .opblock-summary-control`);
    await page.waitForSelector(`${POST_ORDERS} [data-code="409"]`);
    // The curl command, and what to do about an error.
    expect(await page.textContent(`${POST_ORDERS} .opblock-description`)).toContain(
      `'${world.url}/api/orders'`,
    );
    expect(await page.textContent(`${POST_ORDERS} [data-code="409"]`)).toContain('Use a new merchant_uid');
    expect(await widthOf(page)).toBe(320);
    expect(asked.filter((url) => !url.startsWith(`${world.url}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('sends an example to the sandbox, and keeps the key nowhere', async () => {
    const { page, complaints } = await openDocs('lang=en');
    await page.click('#viewer .btn.authorize');
    await page.fill('.modal-ux input', API_KEY);
    await page.click('.modal-ux .btn.authorize');
    await page.click('.modal-ux .btn-done');
    await page.click(`${POST_ORDERS} .opblock-summary-control`);
    await page.click(`${POST_ORDERS} .try-out__btn`);
    await page.click(`${POST_ORDERS} .execute`);
    const answer = `${POST_ORDERS} .live-responses-table .response`;
    await page.waitForSelector(answer);
    expect(await page.textContent(answer)).toMatch(/^201.*"merchant_uid": "order-1001"/s);
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain(API_KEY);
    expect(complaints).toEqual([]);
    await page.reload();
    await page.click('#viewer .btn.authorize');
    expect(await page.inputValue('.modal-ux input')).toBe('');
  });

  test('offers no calls where they would move money', async () => {
    const { page } = await openPage(browser, 'about:blank');
    await page.route('**/docs?*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('data-can-try="true"', 'data-can-try="false"');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${world.url}/docs?lang=en`);
    await page.click(`${POST_ORDERS} .opblock-summary-control`);
    await page.waitForSelector(`${POST_ORDERS} [data-code="409"]`);
    const controls = page
      .locator('.try-out__btn, .btn.authorize, .authorization__btn')
      .filter({ visible: true });
    expect(await controls.count()).toBe(0);
  });

  test('leads to an error code, which the viewer then pushes down', async () => {
    const { page, complaints } = await openDocs('lang=en#error-order_not_found');
    await page.waitForFunction(`(() => {
      const { top, bottom } = document.getElementById('error-order_not_found').getBoundingClientRect();
      return top >= -1 && bottom <= innerHeight;
    })()`);
    expect(complaints).toEqual([]);
  });

  test.each(LANGUAGES)('axe finds nothing in %s on the page around the viewer', async (lang) => {
    const { page } = await openPage(browser, 'about:blank', NARROW);
    await page.route('**/swagger-ui-bundle.js*', (route) => route.abort());
    await page.goto(`${world.url}/docs?lang=${lang}`);
    expect(await violations(page, { colours: isFirst(lang) })).toEqual([]);
  });

  test('without JavaScript it says where the description is, and has the error codes', async () => {
    const { page } = await openPage(browser, `${world.url}/docs?lang=en`, { javaScriptEnabled: false });
    expect(await page.textContent('noscript')).toContain('openapi.json has the same content');
    expect(await page.isVisible('a[href="/openapi.json?lang=en"]')).toBe(true);
    expect(await page.isVisible('#error-order_not_found')).toBe(true);
  });
});
