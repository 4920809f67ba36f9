// axe finds no problems on the merchant's pages, in both languages, light and dark, narrow and wide: empty, with errors, with cards
// in every state, after a payment, and with the lightest colour that a shop may use. No page is wider than the screen, down to
// 320 px.

import type { Page } from 'playwright-core';
import { CARD_WITH_LOST_ANSWER } from '../support/cards';
import { describeInChromium, isFirst, LANGUAGES, unfold, useChromium, violations } from '../support/chromium';
import { newUid, paySilently, registerOrder } from '../support/orders';
import { useWorld } from '../support/use-world';
import { startWorld } from '../support/world';
import { openPage, register, submit, widthOf } from './pages';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
const PAGES = ['/', '/demo', '/demo/products/tea', '/demo/plan', '/terms', '/privacy', '/nothing'];
const NARROW = { viewport: { width: 320, height: 900 } };

describeInChromium('the pages', () => {
  const world = useWorld();
  const browser = useChromium();

  const visit = async (address: string) => (await openPage(browser, address, NARROW)).page;

  /** Checks the open page in its current state. */
  async function expectNothingFound(page: Page): Promise<void> {
    const lang: string = await page.evaluate('document.documentElement.lang');
    const found = await violations(page, { isFirst: isFirst(lang) });
    const at = page.url();
    expect({ at, found, width: await widthOf(page) }).toEqual({ at, found: [], width: 320 });
  }

  describe.each(LANGUAGES)('in %s', (lang) => {
    test('the page before any input', async () => {
      const page = await visit(`${world.url}/cards?lang=${lang}`);
      await expectNothingFound(page);
      for (const path of PAGES) {
        await page.goto(`${world.url}${path}?lang=${lang}`);
        await unfold(page);
        await expectNothingFound(page);
      }
    });

    test('the card form: empty, with problems, with a registered card, without its session, and closed', async () => {
      const form = `${world.url}/cards/new?lang=${lang}`;
      const page = await visit(form);
      await page.click('.consent details summary');
      await expectNothingFound(page);
      await submit(page);
      await expectNothingFound(page);
      for (const landing of ['.card', '.question']) {
        await page.goto(form);
        await register(page);
        await page.waitForSelector(landing);
        await expectNothingFound(page);
      }
      // The session ends while the form is open.
      await page.context().clearCookies();
      await register(page);
      await page.waitForSelector('main a[href^="/cards/new"]');
      await expectNothingFound(page);

      // Reaches the limit of these tests, whose window is one second.
      await world.rows.query(
        `insert into card_limits (key, expire) values ('declined:everybody:1', $1)
         on conflict (key) do update set expire = excluded.expire`,
        [world.clock.now().getTime() + 600_000],
      );
      const answer = await page.goto(`${form}&return_url=/demo`);
      await world.rows.query('delete from card_limits');
      expect(answer?.status()).toBe(429);
      await expectNothingFound(page);
    });

    test('a card before its removal, one whose removal failed, and one whose outcome is open', async () => {
      const page = await visit(`${world.url}/cards/new?lang=${lang}`);
      await register(page);
      await page.click('.remove summary');
      await expectNothingFound(page);
      await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'unauthorized', times: 2 });
      await page.click('.danger');
      await page.waitForSelector('.card .summary');
      await expectNothingFound(page);
      await page.goto(`${world.url}/cards/new?lang=${lang}`);
      await register(page, CARD_WITH_LOST_ANSWER);
      await page.click('.refresh a');
      await page.waitForURL(/outcome/);
      await expectNothingFound(page);
    });

    test('the return page of a payment, in every state', async () => {
      const states: [state: string, fields: object, cancelled?: Record<string, unknown>][] = [
        ['paid', {}],
        ['awaiting_deposit', { outcome: 'virtual_account' }],
        ['failed', { outcome: 'failed' }],
        ['checking', { amount: 999 }],
        ['partly_refunded', {}, { amount: 300 }],
        ['cancelled', {}, {}],
      ];
      const page = await visit(`${world.url}/orders/nobody/return?abc_uid=..&lang=${lang}`);
      await expectState('missing');
      for (const [state, fields, cancelled] of states) {
        const uid = await registerOrder(world, newUid(), { name: 'Oolong tea, first flush, 100 g tin' });
        const { svc_uid: svcUid } = await paySilently(world, uid, { ...fields });
        if (cancelled) await world.sandbox.control(svcUid, 'cancel', cancelled);
        const address = `${world.url}/orders/${uid}/return?lang=${lang}&abc_uid=`;
        await page.goto(address + svcUid);
        await expectState(state);
        if (state !== 'paid') continue;
        await page.goto(`${address}none_1`);
        await expectState('not_known_yet');
      }

      async function expectState(state: string): Promise<void> {
        expect(await page.getAttribute('.result', 'data-state')).toBe(state);
        await expectNothingFound(page);
      }
    });
  });

  test('a shop with a colour, a name and a logo of its own', async () => {
    // The lightest grey that is accepted.
    const environment = { SHOP_COLOR: '#767676', SHOP_NAME: 'Tea House', SHOP_LOGO: 'icon.svg' };
    const shop = await startWorld({ environment });
    try {
      const page = await visit(`${shop.url}/demo/plan`);
      await expectNothingFound(page);
      await page.goto(`${shop.url}/cards/new`);
      await submit(page);
      await expectNothingFound(page);
    } finally {
      await shop.close();
    }
  });
});
