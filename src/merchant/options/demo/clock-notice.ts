// The chip on every page while a person has moved the clock: the shop's date, how far it is away, and a button that resets it.

import { dayInSeoul } from '../../platform/clock';
import { formatsOf } from '../../platform/http/formats';
import type { PageNotice } from '../../platform/http/views';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { isTravelling, RESET_CLOCK_PATH } from './travel';

const TEXTS = { ko, en };
/** The distance is shown in the largest unit that fits. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

export const clockNotice: PageNotice = ({ clock }, lang) => {
  if (!isTravelling(clock)) return null;
  const ms = Math.abs(clock.aheadMs());
  const [unit, size] = UNITS.find((each) => ms >= each[1]) ?? [];
  if (unit === undefined) return null;
  const distance = Math.floor(ms / size).toLocaleString(lang, { style: 'unit', unit, unitDisplay: 'long' });
  const { ahead, behind, reset } = TEXTS[lang].demo.clock;
  const text = (clock.aheadMs() < 0 ? behind : ahead)
    .replace('{date}', formatsOf(lang).day.format(clock.now()))
    .replace('{distance}', distance);
  const iso = dayInSeoul(clock.now());
  return { template: 'demo/clock', data: { text, iso, reset, resetPath: RESET_CLOCK_PATH } };
};
