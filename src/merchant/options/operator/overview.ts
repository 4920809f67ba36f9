// The operators' first page: what waits, and what happened lately.

import { discrepancyKinds } from '../../core/payments/discrepancy-kinds';
import { DAY_MS, SEOUL_OFFSET, SEOUL_OFFSET_MS } from '../../platform/clock';
import type { ActionQueue, Context } from '../../platform/context';
import { readFigures, type Figures } from '../../platform/gauge-store';
import { queuesOf } from './action-queue';
import { toneOf, type Tone } from './foreign-words';
import { toPage, type OperatorAnswer, type OperatorRoute } from './operator-page';
import {
  countNotificationsByDay,
  countOpenPeriods,
  countOrdersByDay,
  type OpenPeriod,
} from './overview-store';
import { QUEUE } from './resolve-several';
import type { OperatorTexts } from './texts.ko';

/** As drawn by `bar.eta` and `hatches.eta`. */
const HATCHES = 4;
/** Days shown: of activity, and of open discrepancies. */
const DAYS = 14;
const OPEN_DAYS = 30;

export const OVERVIEW_ROUTES: OperatorRoute[] = [{ method: 'get', path: '/operator', handle: showOverview }];

async function showOverview(context: Context): Promise<OperatorAnswer> {
  const openDays = lastDays(context.clock.now(), OPEN_DAYS);
  const days = openDays.slice(-DAYS);
  const [figures, orders, notifications, periods] = await Promise.all([
    readFigures(context),
    countOrdersByDay(context, beginOf(days)),
    countNotificationsByDay(context, beginOf(days)),
    countOpenPeriods(context, beginOf(openDays)),
  ]);
  const open = discrepancyKinds.flatMap((kind) => {
    const number = figures['merchant_discrepancies_open']?.[kind] ?? 0;
    return number > 0 ? [{ kind, number }] : [];
  });
  const ofOrders = orders.map(({ status, ...row }) => ({ ...row, name: status }));
  const won = ofOrders.filter(({ currency }) => currency === 'KRW');
  const amounts = won.map(({ day, name, amount }) => ({ day, name, number: amount }));
  const ofNotifications = notifications.map(({ outcome, ...row }) => ({ ...row, name: outcome ?? 'queued' }));
  return toPage({
    template: 'overview',
    title: ({ operator }) => operator.places.overview,
    place: 'overview',
    data: {
      tiles: tilesOf(figures, sum(open.map((each) => each.number)), queuesOf(context)),
      open,
      charts: [
        toChart('orders', days, partsOf(days, ofOrders)),
        toChart('amounts', days, partsOf(days, amounts)),
        toChart('notifications', days, partsOf(days, ofNotifications)),
        toChart('openByDay', openDays, openByDay(openDays, periods)),
      ],
    },
  });
}

/** The figures of `/metrics`, for the installed features. */
function tilesOf(figures: Figures, open: number, queues: readonly ActionQueue[]) {
  const total = (gauge: string) => sum(Object.values(figures[gauge] ?? {}));
  const unresolved = figures['merchant_attempts_unresolved'] ?? {};
  const kind = queues.find(({ subject }) => (unresolved[subject] ?? 0) > 0)?.kind ?? 'charges';
  return [
    { name: 'person', number: total('merchant_attempts_needing_person') + open, to: QUEUE },
    { name: 'discrepancies', number: open, to: '/operator/discrepancies?open=true' },
    {
      name: 'unresolved',
      number: total('merchant_attempts_unresolved'),
      to: `/operator/${kind}?status=unknown`,
    },
    {
      name: 'notifications',
      number: total('merchant_notifications_open'),
      to: '/operator/notifications?open=true',
    },
    { name: 'events', number: total('merchant_events_undelivered'), to: '/operator/events?undelivered=true' },
  ];
}

/** Each name in the rows with its total per day. */
function partsOf(
  days: readonly string[],
  rows: readonly { day: string; name: string; number: number }[],
): ChartPart[] {
  const names = [...new Set(rows.map(({ name }) => name))].sort();
  return names.map((name) => ({
    name,
    values: days.map((day) =>
      sum(rows.filter((row) => row.day === day && row.name === name).map(({ number }) => number)),
    ),
  }));
}

/** How many were open at the end of each day; for today, how many are open now. Empty if there were none. */
function openByDay(days: readonly string[], periods: readonly OpenPeriod[]): ChartPart[] {
  if (periods.length === 0) return [];
  const wasOpen = (day: string) => periods.filter(({ from, to }) => from <= day && (to === null || to > day));
  return [{ name: 'open', values: days.map((day) => sum(wasOpen(day).map(({ number }) => number))) }];
}

function toChart(
  name: keyof OperatorTexts['operator']['charts'],
  days: readonly string[],
  parts: readonly ChartPart[],
) {
  const looks = withLooks(parts);
  return { name, days, parts: looks, chart: stackedBars(days, looks) };
}

/** Parts of one tone get different hatches: 0 is none, and after the last one they repeat. */
function withLooks(parts: readonly ChartPart[]): (ChartPart & { tone: Tone; hatch: number })[] {
  const seen = new Map<Tone, number>();
  return parts.map((part) => {
    const tone = toneOf(part.name);
    const before = seen.get(tone) ?? 0;
    seen.set(tone, before + 1);
    return { ...part, tone, hatch: before % HATCHES };
  });
}

/** The last one is today in Seoul. */
function lastDays(now: Date, number: number): string[] {
  const today = now.getTime() + SEOUL_OFFSET_MS;
  return Array.from({ length: number }, (_, index) =>
    new Date(today - (number - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function beginOf([first]: readonly string[]): Date {
  return new Date(`${first}T00:00:00${SEOUL_OFFSET}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

type ChartPart = { name: string; values: readonly number[] };

type Chart<Part> = {
  width: number;
  height: number;
  bars: {
    x: number;
    width: number;
    label: string;
    /** Whether there is room for its label; the last one always has one. */
    isNamed: boolean;
    parts: { part: Part; y: number; height: number }[];
  }[];
  /** The largest total of a day, the end of the scale. */
  most: number;
};

const WIDTH = 360;
const HEIGHT = 150;
/** Height below the bars, for the days. */
const FOOT = 22;
/** Height above the bars, for the maximum of the scale. */
const HEAD = 16;
const GAP = 4;
const MOST_LABELS = 4;

/**
 * Stacked bars by day as SVG shapes, and the same numbers as table rows. The template draws them.
 * @param parts each has a value for each label; negative values count as 0
 */
function stackedBars<Part extends ChartPart>(labels: readonly string[], parts: readonly Part[]): Chart<Part> {
  const value = (part: Part, index: number) => Math.max(0, part.values[index] ?? 0);
  const sums = labels.map((_, index) => parts.reduce((sum, part) => sum + value(part, index), 0));
  const most = Math.max(0, ...sums);
  const scale = most === 0 ? 0 : (HEIGHT - FOOT - HEAD) / most;
  const step = WIDTH / Math.max(1, labels.length);
  const bars = labels.map((label, index) => {
    let y = HEIGHT - FOOT;
    const drawn = parts.flatMap((part) => {
      const height = round(value(part, index) * scale);
      if (height === 0) return [];
      y = round(y - height);
      return [{ part, y, height }];
    });
    return {
      label,
      x: round(index * step + GAP / 2),
      width: round(Math.max(1, step - GAP)),
      isNamed: (labels.length - 1 - index) % Math.ceil(labels.length / MOST_LABELS) === 0,
      parts: drawn,
    };
  });
  return { width: WIDTH, height: HEIGHT, bars, most };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
