// An event is delivered at least once to each target, and in the order of its stream, whatever happens meanwhile.

import { closeContext, createContext } from '../../../src/merchant/context';
import { DatabaseError } from '../../../src/merchant/errors';
import { deliverEvents } from '../../../src/merchant/events/deliver-events';
import { claimDeliveries, publishEvents, saveDelivery } from '../../../src/merchant/events/event-store';
import { closeOrder } from '../../../src/merchant/orders/close-order';
import { registerOrder } from '../../../src/merchant/orders/register-order';
import {
  DELIVERED,
  recordingHandler,
  startDeliveries,
  type RunningDeliveries,
} from '../../support/deliveries';
import { eventually } from '../../support/eventually';
import { newUid } from '../../support/orders';

let running: RunningDeliveries;
beforeEach(async () => {
  running = await startDeliveries();
});
afterEach(() => running.close());

test('a handler that throws takes the same event again, and the next one of the order waits for it', async () => {
  const merchantUid = await running.failedThenPaid();
  let fails = true;
  const { handler, taken } = recordingHandler(() =>
    fails ? Promise.reject(new Error('the mail server is away')) : Promise.resolve(),
  );
  await running.deliver(handler);
  expect(taken).toEqual([`${merchantUid}:1`]);
  expect(await running.deliveriesTo('handler')).toEqual([
    { attempts: 1, reason: 'handler_failed', delivered: false, waiting: true },
    { attempts: 0, reason: null, delivered: false, waiting: true },
  ]);
  // Its text may hold anything, and the log says where it was thrown instead.
  expect(running.log.text()).not.toContain('mail server');
  expect(running.log.events('event_not_delivered')).toMatchObject([
    { id: `${merchantUid}:1`, target: 'handler', reason: 'handler_failed', attempts: 1 },
  ]);
  // The other target has both meanwhile.
  expect(running.receiver.told()).toEqual([`${merchantUid}:1 order.failed`, `${merchantUid}:2 order.paid`]);

  await running.deliver(handler);
  expect(taken).toHaveLength(1);
  fails = false;
  running.clock.advance(6);
  await running.deliver(handler);
  expect(taken).toEqual([`${merchantUid}:1`, `${merchantUid}:1`, `${merchantUid}:2`]);
  expect(await running.deliveriesTo('handler')).toMatchObject([
    { attempts: 2, ...DELIVERED },
    { attempts: 1, ...DELIVERED },
  ]);
});

test('a handler that hangs is tried again later, and other orders do not wait for it', async () => {
  const hanging = await running.failedThenPaid();
  const { handler, taken } = recordingHandler((event) =>
    event.id === `${hanging}:1` ? new Promise(() => undefined) : Promise.resolve(),
  );
  const round = running.deliver(handler, 300);
  await eventually(() => taken.includes(`${hanging}:1`));
  const other = await running.failedThenPaid();
  // As the job does that this enqueues.
  await running.deliver(handler);
  await round;
  expect(taken).toEqual([`${hanging}:1`, `${other}:1`, `${other}:2`]);
  expect(await running.deliveriesTo('handler')).toMatchObject([
    { attempts: 1, reason: 'timeout', waiting: true },
    { attempts: 0, waiting: true },
    DELIVERED,
    DELIVERED,
  ]);
});

test('an event whose process died in the middle comes again after its lease, and no sooner', async () => {
  const merchantUid = await running.failedThenPaid();
  const { context, clock } = running;
  // What a process has taken before it dies.
  await publishEvents(context);
  const leaseUntil = new Date(clock.nowMs() + 60_000);
  expect(await claimDeliveries(context, { leaseUntil, limit: 20, eventId: null })).toHaveLength(2);

  const { handler, taken } = recordingHandler();
  await running.deliver(handler);
  expect(taken).toEqual([]);
  expect(running.receiver.told()).toEqual([]);
  clock.advance(61);
  await running.deliver(handler);
  expect(taken).toEqual([`${merchantUid}:1`, `${merchantUid}:2`]);
  expect(running.receiver.told()).toEqual([`${merchantUid}:1 order.failed`, `${merchantUid}:2 order.paid`]);
});

test('the result of an attempt that was overtaken is not written: the delivery belongs to who took it last', async () => {
  await running.failedThenPaid();
  const { context, clock } = running;
  await publishEvents(context);
  const take = async () => {
    const leaseUntil = new Date(clock.nowMs() + 60_000);
    const claimed = await claimDeliveries(context, { leaseUntil, limit: 20, eventId: null });
    return claimed.find(({ target }) => target === 'handler');
  };
  const slow = await take();
  clock.advance(61);
  const next = await take();
  if (!slow || !next) throw new Error('the delivery was due twice');
  expect([slow.eventId, slow.attempts, next.attempts]).toEqual([next.eventId, 1, 2]);

  // The slow process comes back, with an error or with success, while the other one is still at work.
  const result = { eventId: slow.eventId, target: slow.target, attempts: slow.attempts, nextAttemptAt: null };
  for (const reason of ['handler_failed', null]) {
    await saveDelivery(context, { ...result, reason });
    expect((await running.deliveriesTo('handler'))[0]).toEqual({
      attempts: 2,
      reason: null,
      delivered: false,
      waiting: true,
    });
  }
  await saveDelivery(context, { ...result, attempts: next.attempts, reason: null });
  expect((await running.deliveriesTo('handler'))[0]).toMatchObject({ attempts: 2, ...DELIVERED });
});

test('two processes at the same time deliver each event once, and each order in its order', async () => {
  const orders = await Promise.all(Array.from({ length: 30 }, () => running.failedThenPaid()));
  const { config, clock, logger } = running.context;
  const second = createContext({ config, clock, logger });
  const { handler, taken } = recordingHandler();
  try {
    await Promise.all([running.deliver(handler), deliverEvents(second, handler)]);
    // What was about to be published by the one when the other looked.
    await Promise.all([running.deliver(handler), deliverEvents(second, handler)]);
  } finally {
    await closeContext(second);
  }
  for (const merchantUid of orders) {
    const both = [`${merchantUid}:1`, `${merchantUid}:2`];
    expect(taken.filter((id) => both.includes(id))).toEqual(both);
    expect(running.receiver.received.map(({ id }) => id).filter((id) => both.includes(id))).toEqual(both);
  }
});

test('a database that goes away while an event is delivered loses nothing', async () => {
  const merchantUid = await running.failedThenPaid();
  const { handler, taken } = recordingHandler(async () => running.database.setReachable(false));
  await expect(running.deliver(handler)).rejects.toThrow(DatabaseError);
  await running.database.setReachable(true);
  running.clock.advance(61);
  const after = recordingHandler();
  await running.deliver(after.handler);
  expect(taken).toEqual([`${merchantUid}:1`]);
  // It was not noted, so it comes again: at least once.
  expect(after.taken).toEqual([`${merchantUid}:1`, `${merchantUid}:2`]);
});

test('closing an order tells it, and closing it again tells nothing', async () => {
  const merchantUid = newUid();
  const { context } = running;
  await registerOrder(context, { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null });
  await closeOrder(context, merchantUid);
  await closeOrder(context, merchantUid);
  await running.deliver(recordingHandler().handler);
  expect(running.receiver.received.map(({ id, body }) => [id, body.type, body.data.previous_status])).toEqual(
    [[`${merchantUid}:1`, 'order.closed', 'open']],
  );
});
