// axe finds no problem on the pages, in both languages, light and dark, narrow and wide: empty, with problems, with a
// registered card, one that is to be removed or could not be, and one whose outcome is open; nor with the lightest colour that
// a shop may have. No page is wider than the screen, down to 320 px.

import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { describeInChromium, LANGUAGES, unfold, useChromium, violations } from '../support/chromium';
import { useWorld } from '../support/use-world';
import { startWorld } from '../support/world';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';

describeInChromium('the pages', () => {
  const world = useWorld();
  const browser = useChromium();

  test.each(LANGUAGES)(
    'in %s',
    async (lang) => {
      const page = await browser.newPage({ viewport: { width: 360, height: 900 } });
      page.setDefaultTimeout(5000);
      const form = `${world.url}/cards/new?lang=${lang}`;
      await page.goto(form);
      await page.click('.consent details summary');
      expect(await violations(page)).toEqual([]);

      await page.click('button[type=submit]');
      expect(await violations(page)).toEqual([]);

      await page.goto(form);
      await page.click('[data-card="4242-4242-4242-4242"]');
      await page.check('#agree_terms');
      await page.check('#agree_privacy');
      await page.click('button[type=submit]');
      await page.waitForSelector('.card');
      expect(await violations(page)).toEqual([]);

      // The session ends while the form is open.
      await page.goto(form);
      await page.click('[data-card="4242-4242-4242-4242"]');
      await page.check('#agree_terms');
      await page.check('#agree_privacy');
      await page.context().clearCookies();
      await page.click('button[type=submit]');
      await page.waitForSelector('main a[href^="/cards/new"]');
      expect(await violations(page)).toEqual([]);

      for (const path of [
        '/',
        '/cards',
        '/demo',
        '/demo/products/tea',
        '/demo/plan',
        '/terms',
        '/privacy',
        '/nothing',
      ]) {
        await page.goto(`${world.url}${path}?lang=${lang}`);
        await unfold(page);
        expect([path, await violations(page)]).toEqual([path, []]);
      }
      await page.close();
    },
    60_000,
  );

  test.each(LANGUAGES)(
    'the description of the API in %s',
    async (lang) => {
      const page = await browser.newPage();
      await page.goto(`${world.url}/docs?lang=${lang}`);
      await unfold(page);
      expect(await violations(page)).toEqual([]);
      await page.close();
    },
    60_000,
  );

  test('the page in place of a form that is closed', async () => {
    // Of the limit of these tests, which counts in a second.
    const closed = `insert into card_limits (key, expire) values ('declined:everybody:1', $1)
      on conflict (key) do update set expire = excluded.expire`;
    await world.rows.query(closed, [world.clock.now().getTime() + 600_000]);
    const page = await browser.newPage({ viewport: { width: 320, height: 900 } });
    for (const lang of LANGUAGES) {
      const answer = await page.goto(`${world.url}/cards/new?lang=${lang}&return_url=/demo`);
      expect(answer?.status()).toBe(429);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(await violations(page)).toEqual([]);
    }
    await page.close();
    await world.rows.query('delete from card_limits');
  });

  test('a card that is to be removed, one that could not be, and one whose outcome is open', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(5000);
    const send = async (card: string) => {
      await page.goto(`${world.url}/cards/new`);
      await page.click(`[data-card="${card}"]`);
      await page.check('#agree_terms');
      await page.check('#agree_privacy');
      await page.click('button[type=submit]');
    };
    await send('4242-4242-4242-4242');
    await page.waitForSelector('.card');
    for (const lang of LANGUAGES) {
      await page.goto(`${world.url}/cards?lang=${lang}`);
      await page.click('.remove summary');
      expect(await violations(page)).toEqual([]);
      await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'unauthorized', times: 2 });
      await page.click('.danger');
      await page.waitForSelector('.card .summary');
      expect(await violations(page)).toEqual([]);
    }
    await send('4000-0000-0000-0085');
    await page.click('.refresh a');
    await page.waitForURL(/outcome/);
    const { pathname, search } = new URL(page.url());
    for (const lang of LANGUAGES) {
      await page.goto(`${world.url}${pathname}${search}&lang=${lang}`);
      expect(await violations(page)).toEqual([]);
    }
    await page.close();
  }, 60_000);

  test('a shop with a colour, a name and a logo of its own, and its form is still 30 KB in five requests', async () => {
    // Of the greys, none that is lighter is taken.
    const environment = { SHOP_COLOR: '#767676', SHOP_NAME: 'Tea House', SHOP_LOGO: 'icon.svg' };
    const shop = await startWorld({ environment });
    try {
      const page = await browser.newPage();
      const responses: Response[] = [];
      page.on('response', (response) => responses.push(response));
      await page.goto(`${shop.url}/cards/new`, { waitUntil: 'networkidle' });
      const bodies = await Promise.all(responses.map((response) => response.body()));
      expect(responses.map((response) => new URL(response.url()).origin)).toEqual(Array(5).fill(shop.url));
      expect(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)).toBeLessThan(18 * 1024);
      for (const lang of LANGUAGES) {
        await page.goto(`${shop.url}/cards/new?lang=${lang}`);
        await page.click('button[type=submit]');
        expect(await violations(page)).toEqual([]);
        await page.goto(`${shop.url}/demo/plan?lang=${lang}`);
        expect(await violations(page)).toEqual([]);
      }
      await page.close();
    } finally {
      await shop.close();
    }
  }, 60_000);

  test('every page fits into 320 px', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
    const cards = ['/cards/new?lang=ko', '/cards/new?lang=en', '/cards'];
    const shop = ['/', '/demo', '/demo/products/tea', '/demo/plan'];
    for (const path of [...cards, ...shop, '/terms', '/privacy', '/docs', '/nothing']) {
      await page.goto(`${world.url}${path}`);
      await unfold(page);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 320]);
    }
    await page.close();
  });
});
