// Shared by the browser tests: a page that records complaints of the browser, and a filled-in card form.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Ends a hang. */
const LIMIT_MS = 60_000;

/** Opens an address in a new browser context. `complaints` are the errors that the browser reports. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await browser.newContext({ locale: 'ko-KR', ...options })).newPage();
  page.setDefaultTimeout(LIMIT_MS);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  return { page, complaints };
}

/** Fills in a person's card and both consents. */
export async function fillIn(page: Page, cardNumber = '5409-1357-2468-9012'): Promise<void> {
  await page.fill('#card_number', cardNumber);
  await page.fill('#expiry', '12 / 30');
  await page.fill('#pwd_2digit', '12');
  await page.fill('#birth', '880101');
  await page.check('#agree_terms');
  await page.check('#agree_privacy');
}

export const submit = (page: Page): Promise<void> => page.click('button[type=submit]');

export async function register(page: Page, cardNumber?: string): Promise<void> {
  await fillIn(page, cardNumber);
  await submit(page);
}

/** In pixels; greater than the viewport if the page scrolls sideways. */
export const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

export const focusedId = (page: Page): Promise<string> => page.evaluate('document.activeElement.id');
