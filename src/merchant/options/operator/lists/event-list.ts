// Events sent to the shop, as a list of the operator pages: which targets have received each event, and a button to
// send it again.

import { eventList, type eventJson } from '../../../core/events/event-list';
import { sendEventAgain } from '../queue/actions';
import { addressOf, givenFilters, listRoutes } from './list-page';
import { actionRoute, type OperatorRequest, type OperatorRoute } from '../frame/page';

export type ToldEvent = ReturnType<typeof eventJson>;

const EVENTS = '/operator/events';

/** The list with its current filters: an event's form has them in its URL. */
const listOf = ({ query }: OperatorRequest) => {
  const given = Object.entries(givenFilters(query)).filter(([name]) => name in eventList.query.shape);
  return addressOf(EVENTS, Object.fromEntries(given));
};

export const EVENT_ROUTES: OperatorRoute[] = [
  ...listRoutes({
    place: 'events',
    list: eventList,
    filters: ['merchant_uid', 'undelivered', 'target'],
    columns: [
      { name: 'position', kind: 'id', value: (row) => row.position },
      { name: 'id', kind: 'event', value: (row) => row.id },
      { name: 'type', kind: 'text', value: (row) => row.type },
      { name: 'timestamp', kind: 'time', value: (row) => row.timestamp },
      { name: 'status', kind: 'status', value: deliveryState },
      { name: 'deliveries', kind: 'words', value: deliveriesText },
    ],
  }),
  actionRoute({
    path: `${EVENTS}/:event_id/replay`,
    action: 'replay',
    back: listOf,
    act: sendEventAgain,
  }),
];

/** Whether every target has received it. */
export function deliveryState({ deliveries }: Pick<ToldEvent, 'deliveries'>): string {
  const states = deliveries.map(({ state }) => state);
  return (['given_up', 'waiting'] as const).find((state) => states.includes(state)) ?? 'delivered';
}

/** Each target with the result of the delivery, and why. */
export function deliveriesText({ deliveries }: Pick<ToldEvent, 'deliveries'>): string {
  return deliveries
    .map(({ target, state, reason }) => `${target}: ${state}${reason === null ? '' : ` (${reason})`}`)
    .join('; ');
}
