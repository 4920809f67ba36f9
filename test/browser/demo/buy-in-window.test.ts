// A purchase in the demo shop through the payment window in a real browser: by the service's browser script, as a shop's page calls
// it, and by the link where scripts do not run.

import { devices, type BrowserContextOptions, type Page } from 'playwright-core';
import { describeInChromium, useChromium } from '../../support/chromium';
import { orderStatus } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { openPage } from '../pages';

describeInChromium('the demo shop and the payment window in Chromium', () => {
  const world = useWorld();
  const browser = useChromium();
  const PHONE = { userAgent: devices['Pixel 7']?.userAgent ?? '' };

  /** Orders tea, up to the page that opens the window. */
  async function order(options: BrowserContextOptions = {}) {
    const opened = await openPage(browser, `${world.url}/demo/products/tea?lang=en`, options);
    await opened.page.check('input[value=window]');
    await opened.page.click('form button.primary');
    await opened.page.waitForURL('**/window?*');
    const [, merchantUid = ''] = /orders\/([\w-]+)\/window/.exec(opened.page.url()) ?? [];
    return { ...opened, merchantUid };
  }
  const windowOf = (page: Page) => page.frameLocator('dialog iframe');
  const open = (page: Page) => page.click('#pay');

  async function expectPaid(page: Page, merchantUid: string): Promise<void> {
    await page.waitForURL(`**/orders/${merchantUid}/return?*`);
    expect(await page.getAttribute('.result', 'data-state')).toBe('paid');
    expect(await orderStatus(world, merchantUid)).toBe('paid');
  }

  test('the window opens over the page by request_pay, and its payment is notified to notice_url', async () => {
    await world.sandbox.settings({ webhook_url: 'http://127.0.0.1:9/of-the-console' });
    const { page, complaints, merchantUid } = await order();
    await open(page);
    await windowOf(page).locator('button[value=paid]').click();
    await expectPaid(page, merchantUid);
    await world.sandbox.waitForNotifications();
    const stored = await world.rows.query('select outcome from notifications where merchant_uid = $1', [
      merchantUid,
    ]);
    expect(stored).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('a buyer who gives up, and one who closes the window, can open it again', async () => {
    const { page, merchantUid } = await order();
    await open(page);
    await windowOf(page).locator('button[value=closed]').waitFor();
    await page.evaluate("document.querySelector('dialog').close()");
    await page.getByText('You closed the payment window').waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
    await open(page);
    await windowOf(page).locator('button[value=closed]').click();
    await page.waitForURL(`**/orders/${merchantUid}/return?*`);
    expect(await page.getAttribute('.result', 'data-state')).toBe('failed');
  });

  test('the callback names the fields that the window refuses, and nothing is paid', async () => {
    const { page, merchantUid } = await order();
    const call = `new Promise((resolve) => ABC.request_pay({ merchant_uid: '${merchantUid}' }, resolve))`;
    expect(await page.evaluate(call)).toEqual({
      success: false,
      merchant_uid: merchantUid,
      error_msg: 'amount: Required, but missing: a whole number from 0',
    });
    expect(await orderStatus(world, merchantUid)).toBe('open');
  });

  test.each([
    ['over the page', { javaScriptEnabled: true }],
    ['without JavaScript', { javaScriptEnabled: false }],
  ])(
    '%s a member issues a wallet key in the window, and starts the plan with it',
    async (_where, options) => {
      const { page, complaints } = await openPage(browser, `${world.url}/demo/plan?lang=en`, options);
      await page.getByRole('button', { name: 'Subscribe with KakaoPay' }).click();
      await page.waitForURL('**/demo/keys/*/window?*');
      await open(page);
      const hasScript = options.javaScriptEnabled;
      await (hasScript ? windowOf(page) : page).locator('button[value=paid]').click();
      await page.waitForURL('**/demo/plan?*customer_uid=*');
      expect(await page.getByRole('status').textContent()).toContain('It is registered');
      await page.getByRole('button', { name: /^Start/ }).click();
      await page.waitForURL('**/demo/subscriptions/*');
      const shown = await page.locator('main').innerText();
      for (const text of ['KakaoPay', 'Active']) expect(shown).toContain(text);
      const [plan] = await world.rows.query(
        `select s.status, k.card_number, o.status as order from subscriptions s join billing_keys k using (customer_uid)
       join orders o on o.merchant_uid = s.subscription_id || '-1' order by s.created_at desc limit 1`,
      );
      expect(plan).toEqual({ status: 'active', card_number: null, order: 'paid' });
      if (hasScript) expect(complaints).toEqual([]);
    },
  );

  test.each([
    ['on a phone', PHONE],
    ['without JavaScript', { javaScriptEnabled: false }],
  ])('%s the browser goes to the window and returns', async (_where, options) => {
    const { page, merchantUid } = await order(options);
    await open(page);
    await page.waitForURL(/:\d+\/window\?.*merchant_uid=/);
    await page.click('button[value=paid]');
    await expectPaid(page, merchantUid);
  });
});
