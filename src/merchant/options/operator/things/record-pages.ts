// Lists and pages of the rows of options (`operatorRecords` of their feature.ts), such as subscriptions.

import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import type { ActionChoice, OperatorRecords, RecordAction } from '../../../platform/operator-records';
import { platformErrors } from '../../../platform/platform-errors';
import {
  actionRoute,
  formFields,
  recordsOf,
  toPage,
  type ActionName,
  type DoneKey,
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
    ...(records.actions ?? []).map(({ name, act }) =>
      actionRoute({
        path: `/operator/${records.place}/:id/${name}`,
        action: name as ActionName,
        back: (request) => pathOf(records, request),
        page: (context, request) => showRecord(context, records, request),
        // The texts come with the records.
        act: async (context, { params: { id = '' }, body }) =>
          (await act(context, id, formFields(body)['choice'] ?? '')) as DoneKey,
      }),
    ),
  ]);
}

const pathOf = ({ place }: Pick<OperatorRecords<Context>, 'place'>, { params }: OperatorRequest) =>
  `/operator/${place}/${encodeURIComponent(params['id'] ?? '')}`;

/** The data of `record.eta`. `choices`: null if it asks for nothing. */
type ShownAction = { name: string; isFinal: boolean; choices: readonly ActionChoice[] | null };

async function findActions(
  context: Context,
  actions: readonly RecordAction<Context>[],
  row: object,
): Promise<ShownAction[]> {
  const possible = actions.filter(({ isPossible }) => isPossible(row));
  const shown = await Promise.all(
    possible.map(async ({ name, isFinal = false, findChoices }) => {
      return { name, isFinal, choices: (await findChoices?.(context, row)) ?? null };
    }),
  );
  return shown.filter(({ choices }) => choices === null || choices.length > 0);
}

async function showRecord(
  context: Context,
  { place, columns, find, actions = [] }: OperatorRecords<Context>,
  request: OperatorRequest,
): Promise<OperatorAnswer> {
  const { id = '' } = request.params;
  const found = await find(context, id);
  if (!found) throw new HttpError(platformErrors.not_found);
  const [orders, possible] = await Promise.all([
    findOrdersById(context, found.orders),
    findActions(context, actions, found.row),
  ]);
  return toPage({
    template: 'record',
    title: ({ operator }) => `${nameOf(operator.things, place)} ${id}`,
    place,
    data: {
      id,
      base: pathOf({ place }, request),
      actions: possible,
      facts: toCells(columns, found.row).filter(({ value }) => value !== null),
      orders: tableOf('orders', ORDER_COLUMNS, orders, { without: 'member_id' }),
    },
  });
}
