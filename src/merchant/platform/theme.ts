// One colour of the shop becomes the colours of its pages, by day and by night, such that every text on them can be read.
// `http/theme-routes.ts` serves them behind those of views/shared/static/base.css, which they replace.

type Rgb = readonly [red: number, green: number, blue: number];

/** WCAG AA for text of any size. */
export const LEAST_CONTRAST = 4.5;

/** Surfaces of base.css, on which the colours stand. */
const LIGHT = { page: '#f5f6f9', panel: '#ffffff' };
const DARK = { page: '#11141b', panel: '#1a1f2a' };

/** @param color `#rrggbb` */
export function themeCss(color: string): string {
  const { light, dark } = themeOf(color);
  return `:root {\n${declare(light)}}\n\n@media (prefers-color-scheme: dark) {\n:root {\n${declare(dark)}}\n}\n`;
}

/** The variables of base.css, by day and by night. */
export function themeOf(color: string) {
  const lightTint = mix(color, LIGHT.panel, 0.08);
  const darkTint = mix(color, DARK.panel, 0.16);
  // A light colour takes a dark text: the button by night is a lighter one of the same hue.
  const bright = towards(color, '#ffffff', [DARK.panel, darkTint], 6);
  return {
    light: {
      accent: color,
      'accent-strong': mix('#000000', color, 0.2),
      'on-accent': '#ffffff',
      // A text on a tinted surface needs a little more than one on white.
      link: towards(color, '#000000', [LIGHT.page, lightTint], LEAST_CONTRAST),
      tint: lightTint,
    },
    dark: {
      accent: bright,
      'accent-strong': mix('#ffffff', bright, 0.3),
      'on-accent': towards(color, '#000000', [bright], LEAST_CONTRAST),
      link: bright,
      tint: darkTint,
    },
  };
}

/** Of WCAG 2: from 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The first of ever more mixtures with `end` that stands out from all of these. */
function towards(color: string, end: string, from: readonly string[], least: number): string {
  for (let part = 0; part < 1; part += 0.02) {
    const mixed = mix(end, color, part);
    if (from.every((surface) => contrast(mixed, surface) >= least)) return mixed;
  }
  return end;
}

/** @param part of the first colour, from 0 to 1 */
function mix(color: string, other: string, part: number): string {
  const [one, two] = [parse(color), parse(other)];
  const mixed = one.map((value, index) => Math.round(value * part + (two[index] ?? 0) * (1 - part)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: string): number {
  const [red, green, blue] = parse(color).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function declare(colors: Record<string, string>): string {
  return Object.entries(colors)
    .map(([name, value]) => `  --${name}: ${value};\n`)
    .join('');
}
