// A headless Chromium for the pages, and axe's findings on them.

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launchChromium } from './launch-chromium';
import { openBetween } from './open-between';

let isShared = false;
let shared: Promise<Browser> | undefined;

/** One browser for all files of a share (test/groups), instead of one for each file. */
export function shareChromium(): void {
  isShared = true;
  afterAll(async () => {
    await (await shared)?.close();
  });
}

/** One browser for all tests of a file. Its pages are closed at the end. */
export function useChromium(): Browser {
  return openBetween(
    beforeAll,
    afterAll,
    () => (isShared ? (shared ??= launchChromium()) : launchChromium()),
    async (browser) => {
      if (!isShared) return browser.close();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  );
}

/** `describe` for tests that need a browser. They are skipped, with a warning, on a machine that has none. */
export function describeInChromium(name: string, tests: () => void): void {
  const isHere = findChromium() !== null;
  if (!isHere) console.warn(`${name}: skipped, there is no Chromium. Install one, or set CHROMIUM_PATH.`);
  (isHere ? describe : describe.skip)(name, tests);
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const LANGUAGES = ['ko', 'en'] as const;
/** Whether a page that is checked in every language is checked for the first time. */
export const isFirst = (lang: string): boolean => lang === LANGUAGES[0];

const NARROW = 360;
const WIDE = 1280;
/** Of passed rules axe then keeps one place instead of all. Files are loaded for rules that are not used here. */
const RESULTS = { resultTypes: ['violations'], preload: false };
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const COLOURS = { runOnly: COLOUR_RULES };
const targetSize = { 'target-size': { enabled: true } };
const ALL = { rules: targetSize };
const NO_COLOURS = {
  rules: { ...targetSize, ...Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) },
};

/** What the contrast of each element depends on. Text is large from 24 px, or bold from 18.66 px. */
const LOOKS = `[...document.querySelectorAll('body *')].map((element) => {
  const style = getComputedStyle(element);
  const isLarge = parseFloat(style.fontSize) >= (style.fontWeight >= 700 ? 18.66 : 24);
  const { color, backgroundColor, backgroundImage, opacity } = style;
  return [element, [element.checkVisibility(), color, backgroundColor, backgroundImage, opacity, isLarge].join()];
})`;

/** An entry if the page scrolls sideways. */
const TOO_WIDE = `[document.documentElement].flatMap(({ scrollWidth, clientWidth }) =>
  scrollWidth > clientWidth ? ['wider than the screen by ' + (scrollWidth - clientWidth) + ' px'] : [])`;

/**
 * Checks the open page narrow and wide, light and dark, and then restores it. `details` elements are not changed. Colours are
 * checked light where the page is narrow and dark where it is wide, and both ways in the elements that the width changes.
 * @param options `isFirst`: false for a page that is checked in another language. It has the same colours and the same elements in
 * every width, but its own words, which may be too wide, and its own legal texts
 * @returns each finding as variant, rule and place, and an entry if the page is wider than the screen
 */
export async function violations(page: Page, { isFirst: checksAll = true } = {}): Promise<string[]> {
  const before = page.viewportSize();
  // Injected by the test, because the page's policy allows no foreign script.
  await page.evaluate(AXE);
  const found: string[] = [];
  await show(NARROW, 'light');
  await check(checksAll ? ALL : NO_COLOURS);
  if (checksAll) {
    await page.evaluate(`window.looks = new Map(${LOOKS})`);
    await show(WIDE, 'light');
    const changed = await page.evaluate<number>(
      `window.changed = ${LOOKS}.filter(([element, look]) => looks.get(element) !== look).map(([element]) => element);
       changed.length`,
    );
    if (changed > 0) {
      await check(COLOURS, 'changed');
      await show(NARROW, 'dark');
      await check(COLOURS, 'changed');
    }
    await show(WIDE, 'dark');
    await check(ALL);
  } else {
    await show(WIDE, 'light');
    found.push(
      ...(await page.evaluate<string[]>(
        `${TOO_WIDE}.map((each) => 'light, ' + innerWidth + ' px: ' + each)`,
      )),
    );
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
  return found;

  async function show(width: number, colorScheme: 'light' | 'dark'): Promise<void> {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
  }

  async function check(options: object, place = 'document'): Promise<void> {
    const seen = await page.evaluate<
      string[]
    >(`axe.run(${place}, ${JSON.stringify({ ...RESULTS, ...options })}).then(({ violations }) => {
      const variant = (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark, ' : 'light, ') + innerWidth + ' px: ';
      return [
        ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))),
        ...${TOO_WIDE},
      ].map((each) => variant + each);
    })`);
    found.push(...seen);
  }
}

/** Opens all `details` of the page but menus, which cover what is below them. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate("for (const each of document.querySelectorAll('details:not(.menu)')) each.open = true");
}
