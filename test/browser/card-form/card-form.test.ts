// The card pages work in a real browser, with and without JavaScript, and the browser enforces their policy.

import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page, Response } from 'playwright-core';
import { CARD_LIMITS } from '../../../src/merchant/options/card-form/card-limits';
import { CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { describeInChromium, useChromium } from '../../support/chromium';
import { ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';
import { fillIn, focusedId, openPage, register, submit } from '../pages';

describeInChromium('the card pages in Chromium', () => {
  const world = useWorld();
  const browser = useChromium();

  /** The form as a new member opens it. */
  const openForm = (options?: BrowserContextOptions) => openPage(browser, `${world.url}/cards/new`, options);
  const cardsOn = (page: Page) => page.locator('.card').count();
  async function expectEmpty(page: Page): Promise<void> {
    for (const field of ['card_number', 'expiry', 'birth', 'pwd_2digit'])
      expect(await page.inputValue(`#${field}`)).toBe('');
  }

  test('a member registers a card, and the browser reports no error (I5)', async () => {
    const { page, complaints } = await openForm();
    const type = (field: string, text: string) => page.locator(`#${field}`).pressSequentially(text);
    await fillIn(page, '');
    await type('card_number', '5409135724689012');
    await page.fill('#expiry', '');
    await type('expiry', '1230');
    expect(await page.inputValue('#card_number')).toBe('5409 1357 2468 9012');
    expect(await page.inputValue('#expiry')).toBe('12 / 30');
    expect(await page.textContent('[data-brand]')).toBe('Mastercard');
    await submit(page);
    await page.waitForURL(`${world.url}/cards`);
    expect(await page.textContent('.number')).toBe('5409-13**-****-9012');
    expect(await page.textContent('.success')).toContain('카드를 등록했어요');
    expect(complaints).toEqual([]);
  });

  test('the form works without JavaScript, also for company cards, replacement and removal (I14)', async () => {
    const { page } = await openForm({ javaScriptEnabled: false });
    await page.check('#holder-company', { force: true });
    expect(await page.locator('label[for=birth]').innerText()).toBe('사업자등록번호');
    await fillIn(page);
    await page.fill('#expiry', '2030-12');
    await page.fill('#birth', '123-45-67891');
    await submit(page);
    await page.waitForURL(`${world.url}/cards`);

    await page.click('text=교체');
    expect(await page.textContent('h1')).toBe('카드 교체');
    await page.goBack();
    await page.click('.remove summary');
    await page.click('.danger');
    await page.waitForURL(`${world.url}/cards`);
    expect(await page.textContent('.empty-title')).toBe('아직 등록한 카드가 없어요.');
  });

  test('everything works by keyboard, and the summary of problems gets the focus', async () => {
    const { page } = await openForm();
    await page.focus('#card_number');
    await page.keyboard.press('Enter');
    expect(await focusedId(page)).toBe('summary');
    expect(await page.title()).toMatch(/^오류: 카드 등록/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focusedId(page)).toBe('card_number');

    await page.keyboard.type('5409135724689012');
    // The last one agrees to all.
    for (const text of ['1230', '12', null, '880101', ' ']) {
      await page.keyboard.press('Tab');
      if (text) await page.keyboard.type(text);
    }
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(`${world.url}/cards`);
  });

  test('a form that the browser fills in at once is posted when it is old enough (K11)', async () => {
    const strict = await startWorld({ constants: { cardLimits: CARD_LIMITS } });
    try {
      const { page } = await openPage(browser, `${strict.url}/cards/new`);
      await register(page);
      expect(await page.getAttribute('button[type=submit]', 'aria-busy')).toBe('true');
      expect(await page.isDisabled('button[type=submit]')).toBe(true);
      expect(await strict.sandbox.requests(ISSUE_KEY)).toBe(0);
      strict.clock.advance(2);
      await page.waitForURL(`${strict.url}/cards`);
      expect(await cardsOn(page)).toBe(1);
      expect(strict.log.lines().filter((line) => line['outcome'] === 'too_many')).toEqual([]);
    } finally {
      await strict.close();
    }
  });

  test.each([
    [true, ['GET', 200], '카드 등록'],
    [false, ['POST', 409], '이미 보낸 양식이에요'],
  ])(
    'after a declined card a reload sends nothing again (JavaScript: %s)',
    async (javaScriptEnabled, answered, says) => {
      const { page } = await openForm({ javaScriptEnabled });
      await register(page, DECLINED_CARD);
      await page.waitForSelector('#summary');
      // After the load its script has run.
      await page.waitForLoadState();
      expect(await page.isChecked('#agree_terms')).toBe(true);
      const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
        const answer = await page.reload();
        expect([answer?.request().method(), answer?.status()]).toEqual(answered);
      });
      expect(calls).toBe(0);
      expect(await page.textContent('h1')).toBe(says);
    },
  );

  test('the page of an open outcome redirects to the card automatically, without JavaScript', async () => {
    const { page } = await openForm({ javaScriptEnabled: false });
    await register(page, CARD_WITH_LOST_ANSWER);
    expect(await page.textContent('h1')).toBe('카드 등록을 확인하고 있어요');
    await world.advance(6);
    await page.waitForURL(`${world.url}/cards`);
    expect(await page.textContent('.success')).toContain('4000-00**-****-0085');
  });

  test('a page that refreshes itself adds nothing to the history, so Back leads to the page before', async () => {
    const { page } = await openForm();
    await register(page, CARD_WITH_LOST_ANSWER);
    const before = await page.evaluate('history.length');
    await page.waitForURL(/attempt=1/);
    expect(await page.evaluate('history.length')).toBe(before);
    await page.goBack();
    expect(page.url()).toBe(`${world.url}/cards/new`);
  });

  test('a double click issues one key only (H1)', async () => {
    const { page } = await openForm();
    await fillIn(page);
    const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
      await page.dblclick('button[type=submit]');
      await page.waitForURL(`${world.url}/cards`);
    });
    expect([calls, await cardsOn(page)]).toEqual([1, 1]);
  });

  test('the form is empty and usable after going back (I8)', async () => {
    const { page } = await openForm();
    await register(page);
    await page.waitForURL(`${world.url}/cards`);
    await page.goBack();
    await page.waitForSelector('button[type=submit]:not([disabled])');
    await expectEmpty(page);
  });

  test('the form asks about a card that is registered already, the question gets the focus, and the box continues', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await openForm({ javaScriptEnabled });
      await register(page);
      await page.waitForSelector('.card');
      await page.goto(`${world.url}/cards/new`);
      await register(page);
      await page.waitForSelector('.question');
      await expectEmpty(page);
      if (javaScriptEnabled) {
        expect([await focusedId(page), await page.title()]).toEqual([
          'summary',
          expect.stringMatching(/^카드 등록/),
        ]);
        await page.click('a[href="#register_again"]');
        await page.keyboard.press('Space');
      } else await page.check('#register_again');
      await register(page);
      await page.waitForURL(`${world.url}/cards`);
      expect(await cardsOn(page)).toBe(2);
    }
  });

  test('a script that is injected into the page does not run (I15)', async () => {
    const { page, complaints } = await openForm();
    await page.evaluate(`
      for (const [name, value] of [['src', 'https://evil.example/x.js'], ['textContent', 'window.evil = 1']]) {
        const script = document.createElement('script');
        script[name] = value;
        document.body.append(script);
      }`);
    expect(await page.evaluate('window.evil')).toBeUndefined();
    const refused = complaints.filter((text) => text.includes('Content Security Policy'));
    expect(refused.length).toBeGreaterThanOrEqual(2);
  });

  test('the form is at most 30 KB gzipped in five requests, all of them to us, also with a logo', async () => {
    const shop = await startWorld({ environment: { SHOP_NAME: 'Tea House', SHOP_LOGO: 'icon.svg' } });
    try {
      const { page } = await openPage(browser, 'about:blank');
      const responses: Response[] = [];
      page.on('response', (response) => responses.push(response));
      await page.goto(`${shop.url}/cards/new`, { waitUntil: 'networkidle' });
      expect(responses.map((response) => new URL(response.url()).origin)).toEqual(Array(5).fill(shop.url));
      const bodies = await Promise.all(responses.map((response) => response.body()));
      expect(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)).toBeLessThan(18 * 1024);
    } finally {
      await shop.close();
    }
  });
});
