// The chip on every page while the clock is moved: which time it is, how far from the real time, and the button that goes back.

import type { Locale } from '../locales/ko';
import type { Service } from '../service';

export type MovedClock = { text: string; iso: string };

/** Programs and timers measure a little apart. */
const NEGLIGIBLE_MS = 1_000;

/** Null while both clocks show the real time. */
export function movedClock(
  { clock, shopClock }: Pick<Service, 'clock' | 'shopClock'>,
  { lang, clock: t }: Locale,
): MovedClock | null {
  const sandboxMs = clock.offsetMs();
  const shopMs = shopClock.aheadMs();
  if (Math.max(Math.abs(sandboxMs), Math.abs(shopMs)) < NEGLIGIBLE_MS) return null;
  const now = new Date(clock.nowMs());
  const date = dateOf(now, lang);
  const span = spanText(Math.abs(sandboxMs), lang);
  const distance = sandboxMs < 0 ? t.behind(span) : t.ahead(span);
  const text = isSandboxAlone({ clock, shopClock })
    ? t.sandboxTime(date, distance)
    : t.shopTime(date, distance);
  return { text, iso: now.toISOString() };
}

/** Whether the shop has another time, because only the sandbox was moved. */
export const isSandboxAlone = ({ clock, shopClock }: Pick<Service, 'clock' | 'shopClock'>): boolean =>
  Math.abs(clock.offsetMs() - shopClock.aheadMs()) >= NEGLIGIBLE_MS;

/** The date in Korea, such as Jan 24, 2027. */
const dateOf = (time: Date, lang: string) =>
  new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'Asia/Seoul' }).format(time);

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Such as "61 days", in the largest unit that fits. */
function spanText(ms: number, lang: string): string {
  const [unit, size] = UNITS.find((each) => ms >= each[1]) ?? UNITS[3];
  return Math.floor(ms / size).toLocaleString(lang, { style: 'unit', unit, unitDisplay: 'long' });
}
