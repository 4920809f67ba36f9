// The desk: everything that only a person can settle, what it may mean and what to do about it.

import { listIssuances } from '../billing-keys/issuance-routes';
import { issuancesQuery } from '../billing-keys/issuance-schema';
import { listCharges } from '../charges/charge-list-routes';
import { chargesQuery } from '../charges/charge-list-schema';
import type { Context } from '../context';
import { HttpError } from '../errors';
import { discrepanciesQuery, listDiscrepancies } from '../payments/discrepancy-routes';
import { discrepancyJson } from '../payments/discrepancy-schema';
import { findDiscrepancy } from '../payments/discrepancy-store';
import { isRowId } from '../recovery/decision-schema';
import { listRefunds } from '../refunds/refund-list-routes';
import { refundsQuery } from '../refunds/refund-list-schema';
import {
  giveBackDiscrepancy,
  lookAgainAtDiscrepancy,
  resolve,
  settleCharge,
  settleIssuance,
  settleRefund,
} from './actions';
import {
  toPage,
  type DoneKey,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from './operator-page';

const DESK = '/operator/desk';
/** Of each kind, the newest. The lists have all of them. */
const SHOWN = '20';
const needsPerson = { needs_person: 'true', limit: SHOWN };

export const DESK_ROUTES: OperatorRoute[] = [
  { method: 'get', path: DESK, handle: showDesk },
  { method: 'get', path: `${DESK}/discrepancies/:id`, back: () => DESK, handle: showDiscrepancy },
  action('discrepancies/:id/resolve', resolve),
  action('discrepancies/:id/refund', giveBackDiscrepancy),
  action('discrepancies/:id/sync', lookAgainAtDiscrepancy),
  action('charges/:id/settle', settleCharge),
  action('refunds/:id/settle', settleRefund),
  action('issuances/:id/settle', settleIssuance),
];

function action(
  path: string,
  act: (context: Context, request: OperatorRequest) => Promise<DoneKey>,
): OperatorRoute {
  return {
    method: 'post',
    path: `${DESK}/${path}`,
    back: () => DESK,
    handle: async (context, request) => ({ kind: 'redirect', to: DESK, done: await act(context, request) }),
  };
}

async function showDesk(context: Context): Promise<OperatorAnswer> {
  const [discrepancies, charges, refunds, issuances] = await Promise.all([
    listDiscrepancies(context, discrepanciesQuery.parse({ open: 'true', limit: SHOWN })),
    listCharges(context, chargesQuery.parse(needsPerson)),
    listRefunds(context, refundsQuery.parse(needsPerson)),
    listIssuances(context, issuancesQuery.parse(needsPerson)),
  ]);
  const lists = { discrepancies, charges, refunds, issuances };
  return toPage({
    template: 'desk',
    title: ({ operator }) => operator.places.desk,
    place: 'desk',
    data: {
      lists,
      isClear: Object.values(lists).every(({ list }) => list.length === 0),
    },
  });
}

/** One discrepancy, also one that is settled. */
async function showDiscrepancy(
  context: Context,
  { params: { id = '' } }: OperatorRequest,
): Promise<OperatorAnswer> {
  const discrepancy = isRowId(id) ? await findDiscrepancy(context, BigInt(id)) : null;
  if (!discrepancy) throw new HttpError('discrepancy_not_found');
  return toPage({
    template: 'discrepancy',
    title: ({ operator }) => `${operator.desk.names.discrepancies} ${id}`,
    place: 'desk',
    data: { item: discrepancyJson(discrepancy) },
  });
}
