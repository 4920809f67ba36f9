// The payment window's stand-in in a real browser: a shop redirects there, a person chooses the outcome, and the browser returns to
// the shop.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describeInChromium, isFirst, LANGUAGES, useChromium, violations } from '../support/chromium';
import { eventually } from '../support/eventually';
import { openBetween } from '../support/open-between';
import { useSandbox } from '../support/running-sandbox';
import { openPage, widthOf } from './pages';

describeInChromium('the payment window in Chromium', () => {
  const browser = useChromium();
  const shop = openBetween(beforeEach, afterEach, runShop, (opened) => opened.close());
  const service = useSandbox(() => ({ webhookUrl: `${shop.url}/webhook` }));

  /** The window of an order, as the shop links to it. */
  function openWindow(options: BrowserContextOptions = {}, fields: Record<string, string> = {}) {
    const order = {
      merchant_uid: 'order-1',
      amount: '12000',
      name: '책',
      return_url: `${shop.url}/return?cart=7`,
    };
    const query = new URLSearchParams({ ...order, ...fields });
    return openPage(browser, `${service.url}/window?${query.toString()}`, options);
  }
  const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).click();
  /** The query with which the browser arrives at the shop. */
  async function arrival(page: Page): Promise<Record<string, string>> {
    // Not waitForURL: the second of two clicks may abort the navigation of the first.
    await eventually(() => page.url().startsWith(`${shop.url}/return?`));
    return Object.fromEntries(new URL(page.url()).searchParams);
  }

  test('a person pays and arrives at the shop, and the browser reports no error', async () => {
    const { page, complaints } = await openWindow();
    await press(page, /^12,000원 결제하기/);
    expect(await arrival(page)).toMatchObject({ cart: '7', merchant_uid: 'order-1', svc_success: 'true' });
    expect((await service.get('/payments/find/order-1/paid')).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  test('a slow approval is paid although the person has closed the window', async () => {
    const { page } = await openWindow();
    await page.getByRole('button', { name: /^느린 승인/ }).click({ noWaitAfter: true });
    const { timeline } = service.sandbox.service;
    await eventually(() => Promise.resolve(timeline.nextMs() !== undefined));
    await page.close();
    await service.advance(3);
    expect((await service.get('/payments/find/order-1/paid')).status).toBe(200);
    await service.notifications();
    expect(shop.notified).toEqual(['paid']);
  });

  test('everything works by keyboard', async () => {
    const { page } = await openWindow();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('본문으로 건너뛰기');
    await page.keyboard.press('Enter');
    const names = [];
    // The first is the method: one place for all of them, moved by the arrow keys.
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab');
      names.push(await focused(page));
    }
    expect(names.map((name) => name.split('\n')[0])).toEqual([
      '',
      '12,000원 결제하기',
      '느린 승인',
      '가상계좌 발급',
      '카드사 거절',
      '결제 그만두기',
    ]);
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toContain('카드사 거절');
    await page.keyboard.press('Enter');
    expect((await arrival(page)).svc_success).toBe('false');
  });

  test('a double click makes one payment', async () => {
    const { page } = await openWindow();
    await page.dblclick('button[value=paid]');
    await arrival(page);
    expect((await service.get('/payments/findAll/order-1')).body.response.total).toBe(1);
  });

  test('the shop can redirect the person from the return page', async () => {
    const { page, complaints } = await openWindow({}, { return_url: `${shop.url}/onward` });
    await press(page, /결제하기/);
    await page.waitForURL('http://localhost:*/thanks');
    expect(complaints).toEqual([]);
  });

  test('the console leads to the window, and the window back to the console', async () => {
    const { page } = await openWindow();
    await page.goto(`${service.url}/console`);
    await page.click('a[href^="/window"]');
    await press(page, /^1,000원 결제하기/);
    await page.waitForURL(`${service.url}/console?*svc_success=true`);
    expect(await page.getAttribute('.group .state', 'data-tone')).toBe('good');
  });

  test.each(LANGUAGES)('axe finds no problem in %s', async (lang) => {
    const { page } = await openWindow({}, { lang });
    const options = { isFirst: isFirst(lang) };
    expect(await violations(page, options)).toEqual([]);
    await page.goto(`${service.url}/window?lang=${lang}&amount=much`);
    expect(await page.title()).toMatch(/^(오류|Error): /);
    expect(await violations(page, options)).toEqual([]);
  });

  test('the longest values fit into a width of 320 px', async () => {
    const { page } = await openWindow(
      { viewport: { width: 320, height: 800 } },
      {
        merchant_uid: 'm'.repeat(40),
        name: 'n'.repeat(40),
        buyer_email: 'e'.repeat(64),
        customer_uid: 'c'.repeat(80),
        amount: '9007199254740991',
        return_url: `https://${'host.'.repeat(12)}example/`,
      },
    );
    expect(await widthOf(page)).toBe(320);
    await page.goto(`${service.url}/window`);
    expect(await widthOf(page)).toBe(320);
  });
});

/** A shop with a return page and an endpoint for notifications. */
async function runShop() {
  const shop = { notified: [] as string[], url: '', close: () => Promise.resolve() };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://shop');
    if (pathname === '/webhook') {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        shop.notified.push((JSON.parse(body) as { status: string }).status);
        response.end('{}');
      });
    } else if (pathname === '/onward') {
      // localhost and 127.0.0.1 are two origins.
      const location = shop.url.replace('127.0.0.1', 'localhost');
      response.writeHead(302, { location: `${location}/thanks` }).end();
    } else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  shop.close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return shop;
}

const focused = async (page: Page) => String(await page.evaluate('document.activeElement.innerText')).trim();
