// A target of events that hangs does not delay the others: each target has places of its own.

import { deliverEvents } from '../../../src/merchant/core/events/deliver-events';
import { eventually } from '../../support/eventually';
import { accept } from '../../support/shop-events';
import { recordingHandler, useDeliveries, withHandlers } from './deliveries-setup';

/** More than all places of a process. */
const ORDERS = 220;
/** Longer than the test: an attempt that hangs is not given up while it runs. */
const timeoutMs = 300_000;
const running = useDeliveries();

/** Two events of each order. */
async function insertEvents(orders = ORDERS): Promise<void> {
  await running.rows.query(
    `insert into events (stream, version, type, data, occurred_at)
     select 'order-' || n, version, 'order.paid', '{}', now()
     from generate_series(1, $1::int) n cross join generate_series(1, 2) version order by version, n`,
    [orders],
  );
}

/** Whether every order has its two events, in their order. */
function hasAllInOrder(taken: readonly string[], orders = ORDERS): boolean {
  const place = new Map(taken.map((id, index) => [id, index]));
  const isInOrder = (order: string) =>
    (place.get(`${order}:1`) ?? Infinity) < (place.get(`${order}:2`) ?? -Infinity);
  return (
    taken.length === 2 * orders && Array.from({ length: orders }, (_, n) => `order-${n + 1}`).every(isInOrder)
  );
}

test('O8 while a receiver accepts events and never answers, the handlers of the shop get all, in order', async () => {
  const held: (() => void)[] = [];
  running.receiver.answerWith((response, event) => held.push(() => accept(response, event)));
  await insertEvents();
  const [mail, shipping] = [recordingHandler(), recordingHandler()];
  const process = withHandlers({ mail: mail.handler, shipping: shipping.handler }, running.context);
  const round = deliverEvents(process, { timeoutMs });
  await eventually(
    () => mail.taken.length === 2 * ORDERS && shipping.taken.length === 2 * ORDERS && held.length > 0,
  );
  expect([mail.taken, shipping.taken].map((taken) => hasAllInOrder(taken))).toEqual([true, true]);
  // One order after the other is held: only the first event of each, and no more than the places of one target.
  expect(new Set(running.receiver.received.map(({ id }) => id.slice(-2)))).toEqual(new Set([':1']));
  expect(running.receiver.received.length).toBeLessThanOrEqual(50);

  running.receiver.answerWith(accept);
  for (const answer of held) answer();
  await round;
  expect(hasAllInOrder(running.receiver.received.map(({ id }) => id))).toBe(true);
});

test('O8 while a handler hangs, the other handlers and the receiver get all, in order', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await insertEvents();
  const [mail, shipping] = [recordingHandler(() => released), recordingHandler()];
  const process = withHandlers({ mail: mail.handler, shipping: shipping.handler }, running.context);
  const round = deliverEvents(process, { timeoutMs });
  await eventually(
    () => shipping.taken.length === 2 * ORDERS && running.receiver.received.length === 2 * ORDERS,
  );
  expect(hasAllInOrder(shipping.taken)).toBe(true);
  expect(mail.taken.length).toBeLessThanOrEqual(50);
  release();
  await round;
  expect(hasAllInOrder(mail.taken)).toBe(true);
});

test('thirty handlers share the places of a process, and each gets its events', async () => {
  await insertEvents(12);
  const handlers = Array.from({ length: 30 }, () => recordingHandler());
  const named = Object.fromEntries(handlers.map(({ handler }, n) => [`handler-${n}`, handler]));
  await deliverEvents(withHandlers(named, running.context));
  expect(handlers.map(({ taken }) => hasAllInOrder(taken, 12))).toEqual(handlers.map(() => true));
});
