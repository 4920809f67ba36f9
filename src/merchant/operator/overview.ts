// The first page of the operators: what waits, and what happened in the last two weeks.

import type { Context } from '../context';
import { readFigures } from '../operations/figures-store';
import { discrepancyKinds } from '../payments/discrepancy-kinds';
import { stackedBars, type ChartPart } from './chart';
import { toPage, type OperatorAnswer, type OperatorRoute } from './operator-page';
import { countNotificationsByDay, countOrdersByDay } from './overview-store';

const DAYS = 14;
const DAY_MS = 24 * 3600 * 1000;
/** Of Seoul, which has no summer time. */
const OFFSET_MS = 9 * 3600 * 1000;

export const OVERVIEW_ROUTES: OperatorRoute[] = [{ method: 'get', path: '/operator', handle: showOverview }];

async function showOverview(context: Context): Promise<OperatorAnswer> {
  const days = lastDays(context.clock.now());
  const from = new Date(`${days[0]}T00:00:00+09:00`);
  const [figures, orders, notifications] = await Promise.all([
    readFigures(context),
    countOrdersByDay(context, from),
    countNotificationsByDay(context, from),
  ]);
  const open = discrepancyKinds.flatMap((kind) => {
    const number = figures.openDiscrepancies[kind] ?? 0;
    return number > 0 ? [{ kind, number }] : [];
  });
  const won = orders.filter(({ currency }) => currency === 'KRW');
  const ofNotifications = notifications.map(({ outcome, ...row }) => ({
    ...row,
    outcome: outcome ?? 'queued',
  }));
  return toPage({
    template: 'overview',
    title: ({ operator }) => operator.places.overview,
    place: 'overview',
    data: {
      days,
      tiles: [
        {
          name: 'person',
          number: sum(Object.values(figures.needingPerson)) + sum(open.map((each) => each.number)),
          to: '/operator/desk',
        },
        {
          name: 'discrepancies',
          number: sum(open.map((each) => each.number)),
          to: '/operator/discrepancies?open=true',
        },
        {
          name: 'unresolved',
          number: sum(Object.values(figures.unresolved)),
          to: '/operator/charges?status=unknown',
        },
        { name: 'notifications', number: figures.openNotifications, to: '/operator/notifications?open=true' },
        {
          name: 'events',
          number: sum(Object.values(figures.events)),
          to: '/operator/events?undelivered=true',
        },
      ],
      open,
      charts: [
        chartOf(
          'orders',
          days,
          orders,
          ({ status }) => status,
          ({ number }) => number,
        ),
        chartOf(
          'amounts',
          days,
          won,
          ({ status }) => status,
          ({ amount }) => amount,
        ),
        chartOf(
          'notifications',
          days,
          ofNotifications,
          ({ outcome }) => outcome,
          ({ number }) => number,
        ),
      ],
    },
  });
}

function chartOf<Row extends { day: string }>(
  name: 'orders' | 'amounts' | 'notifications',
  days: readonly string[],
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  valueOf: (row: Row) => number,
) {
  const parts: ChartPart[] = [...new Set(rows.map(nameOf))].sort().map((part) => ({
    name: part,
    values: days.map((day) =>
      sum(rows.filter((row) => row.day === day && nameOf(row) === part).map(valueOf)),
    ),
  }));
  return { name, parts, chart: stackedBars(days, parts) };
}

/** The last one is today, in Seoul. */
function lastDays(now: Date): string[] {
  const today = now.getTime() + OFFSET_MS;
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
