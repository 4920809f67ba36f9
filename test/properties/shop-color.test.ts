// With every colour that the settings accept, all texts are readable, in the light and the dark scheme.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { contrast, LEAST_CONTRAST, shopColor } from '../../src/merchant/platform/shop-look';
import { holds } from '../support/property';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const taken = color.filter((each) => shopColor.safeParse(each).success);
const BASE = readFileSync('views/shared/static/base.css', 'utf8');
const SHOP = readFileSync('views/merchant/shop-color.css', 'utf8');

/** The variables of a stylesheet, in the light and the dark scheme. */
function variablesOf(css: string): { day: Map<string, string>; night: Map<string, string> } {
  const [screen = ''] = css.split('@media print');
  const [day = '', night = ''] = screen.split('prefers-color-scheme: dark');
  const read = (text: string) =>
    new Map([...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
  return { day: read(day), night: new Map([...read(day), ...read(night)]) };
}

/** The computed value of a browser: a colour, a variable, or a mixture of two. */
function resolve(value: string, variables: ReadonlyMap<string, string>): string {
  const [, name] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  if (name !== undefined) return resolve(variables.get(name) ?? '', variables);
  const [, one = '', percent, other = ''] = /^color-mix\(in srgb, (.+) (\d+)%, (.+)\)$/.exec(value) ?? [];
  if (percent === undefined) return NAMED[value] ?? value;
  const part = Number(percent) / 100;
  const [from, to] = [channels(resolve(one, variables)), channels(resolve(other, variables))];
  const mixed = from.map((channel, at) => Math.round(channel * part + (to[at] ?? 0) * (1 - part)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const NAMED: Record<string, string> = { white: '#ffffff', black: '#000000' };
const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

test('a colour is accepted exactly if white text on it is readable', () => {
  holds(
    fc.property(color, (each) => {
      expect(shopColor.safeParse(each).success).toBe(contrast(each, '#ffffff') >= LEAST_CONTRAST);
    }),
  );
});

test('links, buttons and texts of a shop with its own colour are readable on every surface in both schemes', () => {
  const [base, shop] = [variablesOf(BASE), variablesOf(SHOP)];
  holds(
    fc.property(taken, (each) => {
      for (const time of ['day', 'night'] as const) {
        const variables = new Map([...base[time], ...shop[time], ['shop', each]]);
        const of = (name: string) => resolve(`var(--${name})`, variables);
        if (time === 'day') expect(of('accent')).toBe(each);
        const pairs = [
          ['on-accent', 'accent'],
          ['on-accent', 'accent-strong'],
          ['accent-strong', 'tint'],
          ...['page', 'panel', 'tint'].flatMap((surface) =>
            ['link', 'text', 'soft'].map((text) => [text, surface]),
          ),
        ] as [string, string][];
        expect(pairs.filter(([text, on]) => !(contrast(of(text), of(on)) >= LEAST_CONTRAST))).toEqual([]);
        // A focus ring and the edge of a control need less contrast.
        for (const surface of ['page', 'panel'])
          expect(contrast(of('accent'), of(surface))).toBeGreaterThan(3);
      }
    }),
  );
});
