// The operators' first page: what waits for a person, then the money of a period by day, beside the period before. Each
// number leads to a list with the same sum.

import { z } from 'zod';
import { beginOfDay, DAY_MS, dayInSeoul } from '../../../platform/clock';
import type { Context } from '../../../platform/context';
import { readFigures, type Figures } from '../../../platform/gauge-store';
import { parseRequest } from '../../../platform/http/body-fields';
import { FieldError } from '../../../platform/platform-errors';
import {
  recordsOf,
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { addressOf, givenFilters } from '../lists/list-page';
import { queuesOf } from '../queue/pages';
import { QUEUE } from '../queue/resolve-several';
import { countWaitingRequests } from '../refunds/refund-request-store';
import { hasRefundLimit } from '../refunds/refund-requests';
import { chartOf } from './overview-chart';
import { readDays, type CountOfDay, type Days, type MoneyOfDay } from './overview-store';

/** In days of Seoul; the last one is today. */
const PERIODS = { today: 1, week: 7, month: 30 } as const;
/** A quarter of a year. */
const MOST_DAYS = 92;

const day = z.iso.date('must be a day such as 2026-11-21').optional();
const overviewQuery = z.strictObject({
  period: z.enum(Object.keys(PERIODS) as (keyof typeof PERIODS)[]).optional(),
  from: day,
  to: day,
});
type OverviewQuery = z.output<typeof overviewQuery>;

export const OVERVIEW_ROUTES: OperatorRoute[] = [
  {
    method: 'get',
    path: '/operator',
    filters: Object.keys(overviewQuery.shape),
    back: () => '/operator',
    handle: showOverview,
  },
];

async function showOverview(context: Context, { query: given }: OperatorRequest): Promise<OperatorAnswer> {
  const query = parseRequest(overviewQuery, givenFilters(given));
  const today = dayInSeoul(context.clock.now());
  const name = query.from === undefined && query.to === undefined ? (query.period ?? 'month') : null;
  const days = name === null ? daysBetween(query, today) : lastDays(today, PERIODS[name]);
  const before = lastDays(dayAfter(days[0], -1), days.length);
  const [figures, requests, rows, records] = await Promise.all([
    readFigures(context),
    countRequests(context),
    readDays(context, { from: beginOfDay(before[0]), to: beginOfDay(dayAfter(days.at(-1), 1)) }),
    readRecords(context, days),
  ]);
  return toPage({
    template: 'overview',
    title: ({ operator }) => operator.places.overview,
    place: 'overview',
    data: {
      tiles: tilesOf(context, figures, requests),
      periods: Object.keys(PERIODS),
      name,
      days: { from: days[0], to: days.at(-1), length: days.length },
      shown: rows && periodOf(days, before, rows),
      records,
    },
  });
}

/** @throws HttpError 400 `invalid_request` if it ends before it begins, or is too long */
function daysBetween({ from, to }: OverviewQuery, today: string): string[] {
  const last = to ?? (from !== undefined && from > today ? from : today);
  const first = from ?? dayAfter(last, 1 - PERIODS.month);
  if (first > last) throw new FieldError('from', 'must not be later than to');
  const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (length > MOST_DAYS) throw new FieldError('to', `must be less than ${MOST_DAYS} days after from`);
  return lastDays(last, length);
}

/** How many items of the action queue wait for a person; null if that cannot be counted now. */
export async function countWaiting(context: Context): Promise<number | null> {
  const counted = await Promise.all([readFigures(context), countRequests(context)]).catch(() => null);
  if (counted === null) return null;
  const [figures, requests] = counted;
  return inQueue(context, figures) + requests;
}

function inQueue({ features }: Pick<Context, 'features'>, figures: Figures): number {
  const gauges = features.flatMap(({ gauges: { rows } = { rows: {} } }) => Object.entries(rows));
  return sum(gauges.flatMap(([name, { isQueue }]) => (isQueue ? [totalOf(figures, name)] : [])));
}

/** Refunds that wait for a second operator; 0 without a limit, so that most shops pay no statement for it. */
async function countRequests(context: Context): Promise<number> {
  return hasRefundLimit(context) ? countWaitingRequests(context) : 0;
}

const totalOf = (figures: Figures, gauge: string) => sum(Object.values(figures[gauge] ?? {}));

/** The figures of `/metrics`, for the installed features. */
function tilesOf(context: Context, figures: Figures, requests: number) {
  const total = (gauge: string) => totalOf(figures, gauge);
  const unresolved = figures['merchant_attempts_unresolved'] ?? {};
  const one = (number: number, to: string) => [{ number, to, place: null }];
  return [
    { name: 'person', of: one(inQueue(context, figures) + requests, QUEUE) },
    {
      name: 'discrepancies',
      of: one(total('merchant_discrepancies_open'), '/operator/discrepancies?open=true'),
    },
    // Each kind of attempt has a list of its own.
    {
      name: 'unresolved',
      of: queuesOf(context).flatMap(({ kind, subject }) => {
        const number = subject === null ? 0 : (unresolved[subject] ?? 0);
        return number > 0 ? [{ number, to: `/operator/${kind}?status=unknown`, place: kind }] : [];
      }),
    },
    {
      name: 'notifications',
      of: one(total('merchant_notifications_open'), '/operator/notifications?open=true'),
    },
    {
      name: 'events',
      of: one(total('merchant_events_undelivered'), '/operator/events?undelivered=true'),
    },
  ];
}

/** Active rows of options at the end of the period, or now, and at its beginning. */
async function readRecords(context: Context, days: readonly string[]) {
  const end = new Date(
    Math.min(context.clock.now().getTime(), beginOfDay(dayAfter(days.at(-1), 1)).getTime()),
  );
  return Promise.all(
    recordsOf(context).map(async ({ place, figure }) => ({
      place,
      number: await figure(context, end),
      before: await figure(context, beginOfDay(days[0])),
    })),
  );
}

type Money = { count: number; amount: number };

/** What the template shows of a period, each beside the period before. */
function periodOf(current: readonly string[], earlier: readonly string[], rows: Days) {
  /** The value of each period, and the list that has the same; null if that list is empty. */
  const both = <Value extends Money | number>(
    value: (days: readonly string[]) => Value,
    list: string,
    filters: Record<string, string>,
  ) => {
    const linked = (days: readonly string[]) => {
      const shown = value(days);
      const count = typeof shown === 'number' ? shown : shown.count;
      const query = { ...filters, from: days[0] ?? '', to: days.at(-1) ?? '' };
      return { value: shown, to: count > 0 ? addressOf(list, query) : null };
    };
    return { now: linked(current), before: linked(earlier) };
  };
  const currencies = [
    ...new Set(['KRW', ...[...rows.paid, ...rows.refunds].map(({ currency }) => currency)]),
  ];
  const money = (moved: readonly MoneyOfDay[], currency: string, filter: string) =>
    both((days) => moneyOf(moved, days, currency), '/operator/payments', {
      money: filter,
      ...(currencies.length > 1 && { currency }),
    });
  const rateIn = (days: readonly string[]) => rateOf(countOf(rows.paid, days), countOf(rows.failed, days));
  return {
    money: currencies.map((currency) => ({
      currency,
      paid: money(rows.paid, currency, 'paid'),
      refunds: money(rows.refunds, currency, 'refunded'),
      chart: chartOf(current.map((each) => moneyOf(rows.paid, [each], currency).amount)),
      days: current.map((each) => ({
        day: each,
        paid: moneyOf(rows.paid, [each], currency),
        refunds: moneyOf(rows.refunds, [each], currency),
      })),
    })),
    success: { now: rateIn(current), before: rateIn(earlier) },
    failed: both((days) => countOf(rows.failed, days), '/operator/payments', { status: 'failed' }),
    cards: both((days) => countOf(rows.cards, days), '/operator/keys', { registered: 'true' }),
  };
}

function moneyOf(rows: readonly MoneyOfDay[], days: readonly string[], currency: string): Money {
  const shown = rows.filter((row) => days.includes(row.day) && row.currency === currency);
  return { count: sum(shown.map(({ count }) => count)), amount: sum(shown.map(({ amount }) => amount)) };
}

function countOf(rows: readonly CountOfDay[], days: readonly string[]): number {
  return sum(rows.filter(({ day }) => days.includes(day)).map(({ count }) => count));
}

/** The part of the payments that succeeded, from 0 to 1; null if there was none. */
function rateOf(paid: number, failed: number): number | null {
  return paid + failed === 0 ? null : paid / (paid + failed);
}

/** The days until the last one. */
function lastDays(last: string, number: number): string[] {
  return Array.from({ length: number }, (_, index) => dayAfter(last, index + 1 - number));
}

function dayAfter(from = '', number: number): string {
  return new Date(Date.parse(from) + number * DAY_MS).toISOString().slice(0, 10);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
