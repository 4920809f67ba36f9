// A headless Chromium for the pages, and axe's findings on them.

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../../scripts/pages/launch-chromium';
import { openForAll } from './open-between';

/** One browser for all tests of a file. */
export function useChromium(): Browser {
  return openForAll(() => launchChromium());
}

/** `describe` for tests that need a browser. They are skipped, with a warning, on a machine that has none. */
export function describeInChromium(name: string, tests: () => void): void {
  const isHere = findChromium() !== null;
  if (!isHere) console.warn(`${name}: skipped, there is no Chromium. Install one, or set CHROMIUM_PATH.`);
  (isHere ? describe : describe.skip)(name, tests);
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const LANGUAGES = ['ko', 'en'] as const;
/** Whether a page that is checked in every language shows its colours for the first time. */
export const isFirst = (lang: string): boolean => lang === LANGUAGES[0];

const WIDTHS = [360, 1280];
/** Of passed rules axe then keeps one place instead of all. */
const RESULTS = { resultTypes: ['violations'] };
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const withoutColours = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }]));
const targetSize = { 'target-size': { enabled: true } };

/**
 * Checks the open page in each variant, and then restores the first one. `details` elements are not changed.
 * @param options `colours`: false for a page whose colours are checked in another language, which has the same
 * @returns each finding as variant, rule and place, and an entry if the page is wider than the screen
 */
export async function violations(page: Page, { colours = true } = {}): Promise<string[]> {
  // In the dark scheme only the variables of base.css differ, so only the rules about colours run there.
  const looks = colours
    ? ([
        ['light', { rules: targetSize }],
        ['dark', { runOnly: COLOUR_RULES }],
      ] as const)
    : ([['light', { rules: { ...targetSize, ...withoutColours } }]] as const);
  const before = page.viewportSize();
  // Injected by the test, because the page's policy allows no foreign script.
  await page.evaluate(AXE);
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const [colorScheme, options] of looks) {
      await page.emulateMedia({ colorScheme });
      const seen = await page.evaluate<
        string[]
      >(`axe.run(${JSON.stringify({ ...RESULTS, ...options })}).then(({ violations }) => {
        const tooWide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        return [
          ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))),
          ...(tooWide > 0 ? ['wider than the screen by ' + tooWide + ' px'] : []),
        ];
      })`);
      found.push(...seen.map((each) => `${colorScheme}, ${width} px: ${each}`));
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
  return found;
}

/** Opens all `details` of the page. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
}
