// The operators' first page: what waits for a person, then the money of today, of 7 and of 30 days beside the period before.

import { DAY_MS, SEOUL_OFFSET, SEOUL_OFFSET_MS } from '../../../platform/clock';
import type { Context } from '../../../platform/context';
import { readFigures, type Figures } from '../../../platform/gauge-store';
import { recordsOf, toPage, type OperatorAnswer, type OperatorRoute } from '../frame/page';
import { queuesOf } from '../queue/pages';
import { QUEUE } from '../queue/resolve-several';
import { countWaitingRequests } from '../refunds/refund-request-store';
import { hasRefundLimit } from '../refunds/refund-requests';
import { readDays, type CountOfDay, type Days, type MoneyOfDay } from './overview-store';

export const OVERVIEW_ROUTES: OperatorRoute[] = [{ method: 'get', path: '/operator', handle: showOverview }];

/** In days of Seoul; the last one is today. */
const PERIODS = { today: 1, week: 7, month: 30 } as const;
/** The longest period and the one before it. */
const MOST_DAYS = 60;

async function showOverview(context: Context): Promise<OperatorAnswer> {
  const days = lastDays(context.clock.now(), MOST_DAYS);
  const [figures, requests, rows, records] = await Promise.all([
    readFigures(context),
    countRequests(context),
    readDays(context, beginOf(days[0])),
    readRecords(context, days),
  ]);
  return toPage({
    template: 'overview',
    title: ({ operator }) => operator.places.overview,
    place: 'overview',
    data: {
      tiles: tilesOf(context, figures, requests),
      periods: rows && Object.entries(PERIODS).map(([name, length]) => periodOf(name, length, days, rows)),
      records,
    },
  });
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
  const kind =
    queuesOf(context).find(({ subject }) => subject !== null && (unresolved[subject] ?? 0) > 0)?.kind ??
    'charges';
  return [
    { name: 'person', number: inQueue(context, figures) + requests, to: QUEUE },
    {
      name: 'discrepancies',
      number: total('merchant_discrepancies_open'),
      to: '/operator/discrepancies?open=true',
    },
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

/** Active rows of options now, and at the beginning of each period. */
async function readRecords(context: Context, days: readonly string[]) {
  const now = context.clock.now();
  return Promise.all(
    recordsOf(context).map(async ({ place, figure }) => {
      const before = await Promise.all(
        Object.entries(PERIODS).map(async ([name, length]) => {
          const number = await figure(context, beginOf(days.at(-length)));
          return [name, number] as const;
        }),
      );
      return { place, number: await figure(context, now), before: Object.fromEntries(before) };
    }),
  );
}

type Money = { count: number; amount: number };

/** What the template shows of a period, each beside the period before. */
function periodOf(name: string, length: number, days: readonly string[], rows: Days) {
  const current = new Set(days.slice(-length));
  const earlier = new Set(days.slice(-2 * length, -length));
  const both = <Value>(value: (of: ReadonlySet<string>) => Value) => ({
    now: value(current),
    before: value(earlier),
  });
  const currencies = [...new Set(['KRW', ...[...rows.paid, ...rows.refunds].map((row) => row.currency)])];
  const isOfPeriod = ({ day }: { day: string }) => current.has(day) || earlier.has(day);
  const used = [...rows.paid, ...rows.refunds].filter(isOfPeriod).map(({ currency }) => currency);
  return {
    name,
    days: { from: days.at(-length), to: days.at(-1) },
    money: currencies
      .filter((currency) => currency === 'KRW' || used.includes(currency))
      .map((currency) => ({
        currency,
        paid: both((of) => moneyOf(rows.paid, of, currency)),
        refunds: both((of) => moneyOf(rows.refunds, of, currency)),
      })),
    success: both((of) => rateOf(countOf(rows.paid, of), countOf(rows.failed, of))),
    cards: both((of) => countOf(rows.cards, of)),
  };
}

function moneyOf(rows: readonly MoneyOfDay[], days: ReadonlySet<string>, currency: string): Money {
  const shown = rows.filter((row) => days.has(row.day) && row.currency === currency);
  return { count: sum(shown.map(({ count }) => count)), amount: sum(shown.map(({ amount }) => amount)) };
}

function countOf(rows: readonly CountOfDay[], days: ReadonlySet<string>): number {
  return sum(rows.filter(({ day }) => days.has(day)).map(({ count }) => count));
}

/** The part of the payments that succeeded, from 0 to 1; null if there was none. */
function rateOf(paid: number, failed: number): number | null {
  return paid + failed === 0 ? null : paid / (paid + failed);
}

/** The last one is today in Seoul. */
function lastDays(now: Date, number: number): string[] {
  const today = now.getTime() + SEOUL_OFFSET_MS;
  return Array.from({ length: number }, (_, index) =>
    new Date(today - (number - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function beginOf(day = ''): Date {
  return new Date(`${day}T00:00:00${SEOUL_OFFSET}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
