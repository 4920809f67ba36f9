// The way from a shop to the card form and back in a real browser: the browser lets the answer to the posted form lead to
// the listed origin, and to no other.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { keyOf } from '../support/card-form';
import { describeInChromium, useChromium } from '../support/chromium';
import { startWorld, type World } from '../support/world';

describeInChromium('from a shop to the card form and back, in Chromium', () => {
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

  /** The page, and everything that it complains about. */
  async function openForm(returnUrl: string, options: BrowserContextOptions = {}) {
    const page = await (await browser.newContext({ locale: 'ko-KR', ...options })).newPage();
    page.setDefaultTimeout(5000);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(`${world.url}/cards/new?return_url=${encodeURIComponent(returnUrl)}`);
    return { page, complaints };
  }

  async function submit(page: Page, cardNumber = '5409-1357-2468-9012'): Promise<void> {
    await page.fill('#card_number', cardNumber);
    await page.fill('#expiry', '12 / 30');
    await page.fill('#pwd_2digit', '12');
    await page.fill('#birth', '880101');
    await page.check('#agree_terms');
    await page.check('#agree_privacy');
    await page.click('button[type=submit]');
  }

  test.each([true, false])(
    'the member is back at the shop, with the key (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { page, complaints } = await openForm(`${shop}/checkout?order=7`, { javaScriptEnabled });
      await submit(page);
      await page.waitForURL(`${shop}/checkout?order=7&customer_uid=*`);
      expect(await page.textContent('p')).toBe('/checkout');
      const customerUid = new URL(page.url()).searchParams.get('customer_uid') ?? '';
      expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active' });
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  test('also after a declined card and a form in another language', async () => {
    const { page } = await openForm(`${shop}/checkout`);
    await submit(page, '4000-0000-0000-0002');
    await page.waitForSelector('.summary');
    await page.click('[lang=en]');
    expect(await page.textContent('h1')).toBe('Add a card');
    await submit(page);
    await page.waitForURL(`${shop}/checkout?customer_uid=*`);
    await page.context().close();
  });

  test('a path of this server is as good', async () => {
    const { page } = await openForm('/terms');
    await submit(page);
    await page.waitForURL(`${world.url}/terms?customer_uid=*`);
    await page.context().close();
  });

  test('an address that is not listed shows a page without a form, and leads nowhere', async () => {
    const { page } = await openForm('https://evil.example/');
    expect(await page.title()).toBe('오류: 돌아갈 주소를 쓸 수 없어요');
    expect(await page.locator('form').count()).toBe(0);
    expect(await page.locator('[href*=evil]').count()).toBe(0);
    await page.context().close();
  });

  test('the page of a payment leads on to the shop', async () => {
    const { page } = await openForm(`${shop}/checkout`);
    await page.goto(
      `${world.url}/orders/none/return?return_url=${encodeURIComponent(`${shop}/thanks`)}&lang=en`,
    );
    await page.click('text=Go back');
    await page.waitForURL(`${shop}/thanks`);
    await page.context().close();
  });
});
