// axe finds no problems on the pages of the card form and on the cards that it makes, in both languages: empty, with errors, with
// cards in every state, and with the lightest colour that a shop may use. No page is wider than the screen, down to 320 px.

import type { Page } from 'playwright-core';
import { CARD_WITH_LOST_ANSWER } from '../../support/cards';
import { describeInChromium, isFirst, LANGUAGES, useChromium, violations } from '../../support/chromium';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';
import { openPage, register, submit, widthOf } from '../pages';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';
const NARROW = { viewport: { width: 320, height: 900 } };

describeInChromium('the pages of the card form', () => {
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
  });

  test('with the colour of a shop', async () => {
    // The lightest grey that is accepted.
    const shop = await startWorld({ environment: { SHOP_COLOR: '#767676' } });
    try {
      const page = await visit(`${shop.url}/cards/new`);
      await submit(page);
      await expectNothingFound(page);
    } finally {
      await shop.close();
    }
  });
});
