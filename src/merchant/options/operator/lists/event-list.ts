// Events sent to the shop, as a list of the operator pages: which targets have received each event, and a button to
// send it again.

import { missingTargets, replayEvent } from '../../../core/events/deliver-events';
import { eventErrors, eventsFrom, type eventJson } from '../../../core/events/event-list';
import { deliverSoon } from '../../../core/events/save-events';
import { stateOf } from '../../../core/payments/payment-chain';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { actionRoute, type DoneKey, type OperatorRequest, type OperatorRoute } from '../frame/page';
import { addressOf, givenFilters, listRoutes } from './list-page';

type ToldEvent = ReturnType<typeof eventJson>;

const EVENTS = '/operator/events';

const newestEvents = eventsFrom('newest');

/** An id in the facts of an event. */
function dataOf({ data }: ToldEvent, name: string): string | null {
  const value = data[name];
  return typeof value === 'string' ? value : null;
}

/** The list with its current filters: an event's form has them in its URL. */
const listOf = ({ query }: OperatorRequest) => {
  const given = Object.entries(givenFilters(query)).filter(([name]) => name in newestEvents.query.shape);
  return addressOf(EVENTS, Object.fromEntries(given));
};

export const EVENT_ROUTES: OperatorRoute[] = [
  ...listRoutes({
    place: 'events',
    list: newestEvents,
    filters: ['merchant_uid', 'undelivered', 'target'],
    columns: [
      { name: 'type', kind: 'text', value: (row) => row.type },
      { name: 'merchant_uid', kind: 'order', value: (row) => dataOf(row, 'merchant_uid') },
      { name: 'svc_uid', kind: 'payment', value: (row) => dataOf(row, 'svc_uid') },
      { name: 'customer_uid', kind: 'key', value: (row) => dataOf(row, 'customer_uid') },
      { name: 'status', kind: 'status', value: ({ deliveries }) => stateOf(deliveries) },
      { name: 'deliveries', kind: 'words', value: deliveriesText, isWide: true },
      { name: 'timestamp', kind: 'time', value: (row) => row.timestamp },
      { name: 'id', kind: 'id', value: (row) => row.id, isDetail: true },
      { name: 'position', kind: 'id', value: (row) => row.position, isDetail: true },
    ],
    replay: ({ id }) => `${EVENTS}/${encodeURIComponent(id)}/replay`,
  }),
  actionRoute({
    path: `${EVENTS}/:event_id/replay`,
    action: 'replay',
    back: listOf,
    act: sendEventAgain,
  }),
];

/** Makes an event due again for the targets that have not received it, or for every target if each has. */
export async function sendEventAgain(context: Context, { params, log }: OperatorRequest): Promise<DoneKey> {
  const id = params['event_id'] ?? '';
  const event = await replayEvent(context, id, missingTargets);
  if (!event) throw new HttpError(eventErrors.event_not_found);
  log({ event_id: id });
  deliverSoon(context);
  return 'replayed';
}

/** Each target with the result of the delivery, and why. */
function deliveriesText({ deliveries }: Pick<ToldEvent, 'deliveries'>): string {
  return deliveries
    .map(({ target, state, reason }) => `${target}: ${state}${reason === null ? '' : ` (${reason})`}`)
    .join('; ');
}
