// The question whether a card is meant to be registered once more, in a real browser: with and without JavaScript, by
// keyboard, for axe, and on a narrow screen.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { describeInChromium, LANGUAGES, useChromium, violations } from '../support/chromium';
import { useWorld } from '../support/use-world';

describeInChromium('the same card once more, in Chromium', () => {
  const world = useWorld();
  const browser = useChromium();

  async function fillIn(page: Page): Promise<void> {
    await page.fill('#card_number', '5409-1357-2468-9012');
    await page.fill('#expiry', '12 / 30');
    await page.fill('#pwd_2digit', '12');
    await page.fill('#birth', '880101');
    await page.check('#agree_terms');
    await page.check('#agree_privacy');
  }

  /** A page of a member who has sent a card that is registered already. */
  async function askedPage(options: BrowserContextOptions = {}, lang = 'ko'): Promise<Page> {
    const page = await (await browser.newContext({ locale: 'ko-KR', ...options })).newPage();
    page.setDefaultTimeout(5000);
    for (const landing of ['.card', '.question']) {
      await page.goto(`${world.url}/cards/new?lang=${lang}`);
      await fillIn(page);
      await page.click('button[type=submit]');
      await page.waitForSelector(landing);
    }
    return page;
  }

  test('the question takes the focus, the fields are empty, and the box leads on', async () => {
    const page = await askedPage();
    expect(await page.evaluate('document.activeElement.id')).toBe('summary');
    expect(await page.title()).toBe('카드 등록');
    for (const field of ['card_number', 'expiry', 'birth', 'pwd_2digit'])
      expect(await page.inputValue(`#${field}`)).toBe('');
    await page.click('a[href="#register_again"]');
    await page.keyboard.press('Space');
    expect(await page.isChecked('#register_again')).toBe(true);
    await fillIn(page);
    await page.click('button[type=submit]');
    await page.waitForURL(`${world.url}/cards?lang=ko`);
    expect(await page.locator('.card').count()).toBe(2);
    await page.context().close();
  });

  test('without JavaScript it is asked and answered in the same way', async () => {
    const page = await askedPage({ javaScriptEnabled: false });
    await page.check('#register_again');
    await fillIn(page);
    await page.click('button[type=submit]');
    await page.waitForSelector('.card');
    expect(await page.locator('.card').count()).toBe(2);
    await page.context().close();
  });

  test.each(LANGUAGES)('axe finds nothing in %s, and it fits into 320 px', async (lang) => {
    const page = await askedPage({ viewport: { width: 320, height: 800 } }, lang);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.context().close();
  });
});
