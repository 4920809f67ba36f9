// Whatever colour the settings take, every text on the pages that it colours can be read, by day and by night.

import fc from 'fast-check';
import { shopColor } from '../../src/merchant/platform/shop-look';
import { contrast, LEAST_CONTRAST, themeCss, themeOf } from '../../src/merchant/platform/theme';
import { holds } from '../support/property';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const taken = color.filter((each) => shopColor.safeParse(each).success);
/** Of base.css, beside those that a theme replaces. */
const LIGHT = { page: '#f5f6f9', panel: '#ffffff', text: '#171b26', soft: '#5a6274' };
const DARK = { page: '#11141b', panel: '#1a1f2a', text: '#eceef4', soft: '#a5adbf' };

test('a colour is taken exactly where white text on it can be read', () => {
  holds(
    fc.property(color, (each) => {
      expect(shopColor.safeParse(each).success).toBe(contrast(each, '#ffffff') >= LEAST_CONTRAST);
    }),
  );
});

test('links, buttons and texts of a shop with a colour of its own can be read on every surface, by day and by night', () => {
  holds(
    fc.property(taken, (each) => {
      const { light, dark } = themeOf(each);
      expect(light.accent).toBe(each);
      for (const [theme, base] of [
        [light, LIGHT],
        [dark, DARK],
      ] as const) {
        const pairs: [string, string][] = [
          [theme['on-accent'], theme.accent],
          [theme['on-accent'], theme['accent-strong']],
          [theme['accent-strong'], theme.tint],
        ];
        for (const surface of [base.page, base.panel, theme.tint])
          for (const text of [theme.link, base.text, base.soft]) pairs.push([text, surface]);
        expect(pairs.filter(([text, surface]) => contrast(text, surface) < LEAST_CONTRAST)).toEqual([]);
        // A focus ring and the edge of a control need less.
        for (const surface of [base.page, base.panel])
          expect(contrast(theme.accent, surface)).toBeGreaterThan(3);
      }
      expect(themeCss(each)).not.toMatch(/NaN|undefined/);
    }),
  );
});
