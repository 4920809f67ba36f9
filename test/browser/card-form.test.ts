// The card pages work in a real browser, with and without JavaScript, and the browser enforces their policy.

import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page, Response } from 'playwright-core';
import { CARD_LIMITS } from '../../src/merchant/card-limits';
import { CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../support/cards';
import { describeInChromium, useChromium } from '../support/chromium';
import { ISSUE_KEY } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';
import { startWorld } from '../support/world';

describeInChromium('the card pages in Chromium', () => {
  const world = useWorld();
  const browser = useChromium();

  /** A page of a new member, and everything that it complains about. */
  async function openPage(
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ locale: 'ko-KR', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(5000);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    return { page, complaints };
  }
  const form = (page: Page) => page.goto(`${world.url}/cards/new`);
  const typed = (page: Page, field: string) => page.inputValue(`#${field}`);
  const submit = (page: Page) => page.click('button[type=submit]');

  async function fillIn(page: Page, cardNumber = '5409135724689012'): Promise<void> {
    await page.locator('#card_number').pressSequentially(cardNumber);
    await page.locator('#expiry').pressSequentially('1230');
    await page.locator('#pwd_2digit').pressSequentially('12');
    await page.locator('#birth').pressSequentially('880101');
    await page.check('#agree_terms');
    await page.check('#agree_privacy');
  }

  test('a member fills in the form and finds the card listed, and the browser has nothing to report (I5)', async () => {
    const { page, complaints } = await openPage();
    await form(page);
    await fillIn(page);
    expect(await typed(page, 'card_number')).toBe('5409 1357 2468 9012');
    expect(await typed(page, 'expiry')).toBe('12 / 30');
    expect(await page.textContent('[data-brand]')).toBe('Mastercard');
    await submit(page);
    await page.waitForURL(`${world.url}/cards`);
    expect(await page.textContent('.number')).toBe('5409-13**-****-9012');
    expect(await page.textContent('.success')).toContain('카드를 등록했어요');
    expect((await page.screenshot()).length).toBeGreaterThan(10_000);
    expect(complaints).toEqual([]);
  });

  test('the form works without JavaScript, also for a company card, replacing and removing (I14)', async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await form(page);
    await page.check('#holder-company', { force: true });
    expect(await page.locator('label[for=birth]').innerText()).toBe('사업자등록번호');
    await page.fill('#card_number', '5409-1357-2468-9012');
    await page.fill('#expiry', '2030-12');
    await page.fill('#birth', '123-45-67891');
    await page.fill('#pwd_2digit', '12');
    await page.check('#agree_terms');
    await page.check('#agree_privacy');
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

  test('the whole way can be gone by keyboard, and a summary of problems takes the focus', async () => {
    const { page } = await openPage();
    await form(page);
    await page.focus('#card_number');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('summary');
    expect(await page.title()).toBe('오류: 카드 등록');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('card_number');

    await page.keyboard.type('5409135724689012');
    for (const text of ['1230', '12', null, '880101', ' ', null, ' ']) {
      await page.keyboard.press('Tab');
      if (text) await page.keyboard.type(text);
    }
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(`${world.url}/cards`);
  });

  test('a form that the browser has filled in at once waits until it is old enough (K11)', async () => {
    const strict = await startWorld({ cardLimits: CARD_LIMITS });
    try {
      const { page } = await openPage();
      await page.goto(`${strict.url}/cards/new`);
      await page.click('[data-card="4242-4242-4242-4242"]');
      await page.check('#agree_terms');
      await page.check('#agree_privacy');
      await submit(page);
      expect(await page.getAttribute('button[type=submit]', 'aria-busy')).toBe('true');
      expect(await page.isDisabled('button[type=submit]')).toBe(true);
      expect(await strict.sandbox.requests(ISSUE_KEY)).toBe(0);
      strict.clock.advance(2);
      await page.waitForURL(`${strict.url}/cards`);
      expect(await page.textContent('.number')).toBe('4242-42**-****-4242');
      expect(strict.log.lines().filter((line) => line['outcome'] === 'too_many')).toEqual([]);
    } finally {
      await strict.close();
    }
  });

  test('after a declined card a reload asks for an empty form, and without JavaScript it says that nothing was sent again', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await openPage({ javaScriptEnabled });
      await form(page);
      await page.fill('#card_number', DECLINED_CARD);
      await page.fill('#expiry', '12.30');
      await page.fill('#birth', '1988-01-01');
      await page.fill('#pwd_2digit', '12');
      await page.check('#agree_terms');
      await page.check('#agree_privacy');
      await submit(page);
      await page.waitForSelector('#summary');
      expect(await page.isChecked('#agree_terms')).toBe(true);
      const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
        const answer = await page.reload();
        expect([answer?.request().method(), answer?.status()]).toEqual(
          javaScriptEnabled ? ['GET', 200] : ['POST', 409],
        );
      });
      expect(calls).toBe(0);
      expect(await page.textContent('h1')).toBe(javaScriptEnabled ? '카드 등록' : '이미 보낸 양식이에요');
    }
  });

  test('the page of an outcome that is open leads on by itself, without JavaScript, to the card', async () => {
    const { page } = await openPage({ javaScriptEnabled: false });
    await form(page);
    await fillIn(page, CARD_WITH_LOST_ANSWER);
    await submit(page);
    expect(await page.textContent('h1')).toBe('카드 등록을 확인하고 있어요');
    await world.advance(6);
    await page.waitForURL(`${world.url}/cards`);
    expect(await page.textContent('.success')).toContain('4000-00**-****-0085');
  });

  test('a double click issues one key (H1)', async () => {
    const { page } = await openPage();
    await form(page);
    await fillIn(page);
    const calls = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
      await page.dblclick('button[type=submit]');
      await page.waitForURL(`${world.url}/cards`);
    });
    expect(calls).toBe(1);
    expect(await page.locator('.card').count()).toBe(1);
  });

  test('coming back to the form finds it empty and ready (I8)', async () => {
    const { page } = await openPage();
    await form(page);
    await fillIn(page);
    await submit(page);
    await page.waitForURL(`${world.url}/cards`);
    await page.goBack();
    await page.waitForSelector('button[type=submit]:not([disabled])');
    for (const field of ['card_number', 'expiry', 'birth', 'pwd_2digit'])
      expect(await typed(page, field)).toBe('');
  });

  test('a script that somebody managed to put into the page does not run (I15)', async () => {
    const { page, complaints } = await openPage();
    await form(page);
    await page.evaluate(`
      for (const [name, value] of [['src', 'https://evil.example/x.js'], ['textContent', 'window.evil = 1']]) {
        const script = document.createElement('script');
        script[name] = value;
        document.body.append(script);
      }`);
    expect(await page.evaluate('window.evil')).toBeUndefined();
    expect(
      complaints.filter((text) => text.includes('Content Security Policy')).length,
    ).toBeGreaterThanOrEqual(2);
  });

  test('the form is at most 30 KB gzipped in at most 5 requests, all of them to us', async () => {
    const { page } = await openPage();
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.goto(`${world.url}/cards/new`, { waitUntil: 'networkidle' });
    expect(responses.length).toBeLessThanOrEqual(5);
    expect(responses.every((response) => response.url().startsWith(world.url))).toBe(true);
    const bodies = await Promise.all(responses.map((response) => response.body()));
    expect(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)).toBeLessThan(30 * 1024);
  });
});
