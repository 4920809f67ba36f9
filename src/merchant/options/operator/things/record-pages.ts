// Lists and pages of the rows of options (`operatorRecords` of their feature.ts), such as subscriptions.

import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import type { OperatorRecords } from '../../../platform/operator-records';
import { platformErrors } from '../../../platform/platform-errors';
import {
  recordsOf,
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { listRoutes, nameOf, tableOf, toCells } from '../lists/list-page';
import { ORDER_COLUMNS } from '../lists/pages';
import { findOrdersById } from '../lists/store';

export function recordRoutes(of: Pick<Context, 'features'>): OperatorRoute[] {
  return recordsOf(of).flatMap((records): OperatorRoute[] => [
    ...listRoutes(records),
    {
      method: 'get',
      path: `/operator/${records.place}/:id`,
      back: () => `/operator/${records.place}`,
      handle: (context, request) => showRecord(context, records, request),
    },
  ]);
}

async function showRecord(
  context: Context,
  { place, columns, find }: OperatorRecords<Context>,
  { params: { id = '' } }: OperatorRequest,
): Promise<OperatorAnswer> {
  const found = await find(context, id);
  if (!found) throw new HttpError(platformErrors.not_found);
  const orders = await findOrdersById(context, found.orders);
  return toPage({
    template: 'record',
    title: ({ operator }) => `${nameOf(operator.things, place)} ${id}`,
    place,
    data: {
      id,
      facts: toCells(columns, found.row).filter(({ value }) => value !== null),
      orders: tableOf('orders', ORDER_COLUMNS, orders, { without: 'member_id' }),
    },
  });
}
