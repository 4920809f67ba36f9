// What axe finds on a page, and the ways in which each page is looked at.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export type Way = readonly [lang: 'en' | 'ko', colorScheme: 'dark' | 'light', width: 360 | 1280];

export const WAYS: readonly Way[] = (['ko', 'en'] as const).flatMap((lang) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    ([360, 1280] as const).map((width): Way => [lang, colorScheme, width]),
  ),
);

/** Half of them, for pages that take long: each language, scheme and width comes twice, with different others. */
export const HALF_OF_WAYS = WAYS.filter(
  ([lang, colorScheme, width]) => (lang === 'ko') === ((colorScheme === 'light') === (width === 360)),
);

/** The page is looked at from now on in this way; its language is a matter of its address. */
export async function setWay(page: Page, [, colorScheme, width]: Way): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
}

/**
 * Each as rule and place; one more where the page is wider than the screen. Evaluated from here: the page's own policy lets no
 * foreign script in.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(`axe.run().then(({ violations }) => {
    const tooWide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))),
      ...(tooWide > 0 ? ['wider than the screen by ' + tooWide + ' px'] : []),
    ];
  })`);
}
