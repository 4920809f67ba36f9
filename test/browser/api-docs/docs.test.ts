// The API description with its script: a filter over the routes, one language for all examples, calls to the sandbox with a key
// that is kept nowhere, and copies.

import { describeInChromium, useChromium } from '../../support/chromium';
import { API_KEY } from '../../support/config';
import { useWorld } from '../../support/use-world';
import { openPage } from '../pages';

describeInChromium('the API description', () => {
  const world = useWorld();
  const browser = useChromium();
  const open = async (path: string) => {
    const { page } = await openPage(browser, `${world.url}${path}?lang=en`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return page;
  };

  test('finds routes by method, path and words of the summary', async () => {
    const page = await open('/docs');
    await page.fill('#filter', 'post refund');
    const found = await page.locator('.overview li:visible code').allTextContents();
    expect(found).toContain('/api/payments/{svc_uid}/cancel');
    expect(found).not.toContain('/api/orders');
    await page.fill('#filter', 'no such route');
    expect(await page.locator('.overview li:visible').count()).toBe(0);
    expect(await page.textContent('.no-match')).toBe('No route matches.');
  });

  test('shows every example in the language that was chosen, also on the next page, and copies it', async () => {
    const page = await open('/docs/orders');
    await page.check('#post_api_orders [value=python]');
    expect(await page.textContent('#get_api_orders .snippet:visible pre')).toContain('urllib.request');
    await page.click('#get_api_orders .snippet:visible .copy');
    await page.waitForSelector('#get_api_orders .copy:has-text("Copied")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${world.url}/api/orders`);
    await page.goto(`${world.url}/docs/refunds`);
    expect(await page.isChecked('#get_api_refunds [value=python]')).toBe(true);
  });

  test('sends an example to the sandbox, and keeps the key nowhere', async () => {
    const page = await open('/docs/orders');
    const form = '#post_api_orders .try';
    await page.click(`${form} summary`);
    await page.fill(`${form} [name=key]`, API_KEY);
    await page.click(`${form} [type=submit]`);
    await page.waitForSelector(`${form} pre`);
    expect(await page.textContent(`${form} pre`)).toMatch(
      /^201 Created\n\{\n {2}"merchant_uid": "order-1001"/,
    );
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(API_KEY);
    await page.reload();
    expect(await page.inputValue(`${form} [name=key]`)).toBe('');
  });
});
