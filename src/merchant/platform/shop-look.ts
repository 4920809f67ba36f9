// The settings for the look of the member's pages: the shop's name, colour and logo. Everything is served by us, so
// that the content security policy stays strict.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Served as /static/. */
const FOLDERS = ['merchant', 'shared'].map((name) =>
  join(__dirname, '..', '..', '..', 'views', name, 'static'),
);
/** Keeps the whole form within 30 KB. */
const MOST_LOGO_BYTES = 12_000;

/** WCAG AA for text of any size. */
export const LEAST_CONTRAST = 4.5;

export const shopName = z.string().trim().max(40, 'must have at most 40 characters');

export const shopColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, { error: 'must be a colour such as #3552d6', abort: true })
  .transform((color) => color.toLowerCase())
  .superRefine((color, context) => {
    const ratio = contrast(color, '#ffffff');
    if (ratio >= LEAST_CONTRAST) return;
    const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
    context.addIssue(
      `has a contrast of ${shown} : 1 with the white text of buttons, and needs at least ${LEAST_CONTRAST} : 1; take a darker colour`,
    );
  });

export const shopLogo = z
  .string()
  .regex(/^[\w-]+(\.[\w-]+)*\.(svg|png|webp|avif|gif|jpe?g)$/i, {
    error: 'must be the name of an image in views/merchant/static, such as logo.svg',
    abort: true,
  })
  .superRefine((name, context) => {
    const bytes = sizeOf(name);
    if (bytes === null) context.addIssue('names no file in views/merchant/static; put the image there');
    else if (bytes > MOST_LOGO_BYTES)
      context.addIssue(`has ${bytes} bytes, and may have ${MOST_LOGO_BYTES}; take a smaller image`);
  });

/** Null if there is no such file. */
function sizeOf(name: string): number | null {
  const path = FOLDERS.map((folder) => join(folder, name)).find((each) => existsSync(each));
  return path === undefined ? null : statSync(path).size;
}

/** Contrast of two colours such as #3552d6 (WCAG 2): from 1 (equal) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
