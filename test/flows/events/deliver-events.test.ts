// An event is delivered at least once to each handler, in the order of its stream, whatever fails. `deliver-to-url.test.ts` has the
// other target.

import {
  deliverEvents,
  giveUpRemovedHandlers,
  missingTargets,
  replayEvent,
} from '../../../src/merchant/core/events/deliver-events';
import { eventList } from '../../../src/merchant/core/events/event-list';
import { claimDeliveries, publishEvents, saveDelivery } from '../../../src/merchant/core/events/event-store';
import type { Handlers } from '../../../src/merchant/core/events/handlers';
import { DatabaseError } from '../../../src/merchant/platform/errors';
import { eventually } from '../../support/eventually';
import { DELIVERED, receivedOf, recordingHandler, useDeliveries, withHandlers } from './deliveries-setup';

const running = useDeliveries();

const LEASE_SECONDS = 60;
/** What another process takes before it dies or hangs. */
async function claim() {
  const { context, clock } = running;
  await publishEvents(context);
  const leaseUntil = new Date(clock.nowMs() + LEASE_SECONDS * 1000);
  return claimDeliveries(context, { leaseUntil, limit: 20, eventId: null });
}

const processWith = (handlers: Handlers) => withHandlers(handlers, running.context);

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
  expect(running.receiver.told()).toEqual(receivedOf(merchantUid));

  await running.deliver(handler);
  expect(taken).toHaveLength(1);
  fails = false;
  running.clock.advance(6);
  await running.deliver(handler);
  expect(taken).toEqual([`${merchantUid}:1`, `${merchantUid}:1`, `${merchantUid}:2`]);
  expect(await running.deliveriesTo('handler')).toMatchObject([{ attempts: 2, ...DELIVERED }, DELIVERED]);
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
  const [hung, next, ...others] = await running.deliveriesTo('handler');
  expect([hung, next]).toMatchObject([{ attempts: 1, reason: 'timeout', waiting: true }, { attempts: 0 }]);
  expect(others).toMatchObject([DELIVERED, DELIVERED]);
});

const MAIL_IS_AWAY = (): Promise<void> => Promise.reject(new Error('the mail server is away'));

test('several handlers do not wait for each other: while the mail fails, the goods are shipped, each in its order', async () => {
  const merchantUid = await running.failedThenPaid();
  let mailServer = MAIL_IS_AWAY;
  const mail = recordingHandler(() => mailServer());
  const shipping = recordingHandler();
  const process = processWith({ mail: mail.handler, shipping: shipping.handler });
  const both = [`${merchantUid}:1`, `${merchantUid}:2`];
  await deliverEvents(process);
  expect([mail.taken, shipping.taken]).toEqual([both.slice(0, 1), both]);
  expect(await running.deliveriesTo('mail')).toMatchObject([
    { attempts: 1, reason: 'handler_failed', waiting: true },
    { attempts: 0, waiting: true },
  ]);
  expect(await running.deliveriesTo('shipping')).toMatchObject([DELIVERED, DELIVERED]);

  mailServer = () => Promise.resolve();
  running.clock.advance(6);
  await deliverEvents(process);
  expect([mail.taken, shipping.taken]).toEqual([[both[0], ...both], both]);
});

test('undelivered events are found by their target, and sent again to that one alone', async () => {
  const merchantUid = await running.failedThenPaid();
  const mail = recordingHandler(MAIL_IS_AWAY);
  const shipping = recordingHandler();
  const process = processWith({ mail: mail.handler, shipping: shipping.handler });
  await deliverEvents(process);
  await running.rows.query(`update event_deliveries set next_attempt_at = null where target = 'mail'`);
  const found = async (target: string) => {
    const { list } = await eventList.read(running.context, { undelivered: true, target, limit: 10 });
    return list.map(({ id }) => id);
  };
  expect([await found('mail'), await found('shipping')]).toEqual([
    [`${merchantUid}:1`, `${merchantUid}:2`],
    [],
  ]);

  await replayEvent(process, `${merchantUid}:1`, missingTargets);
  await deliverEvents(process);
  expect([mail.taken.length, shipping.taken.length]).toEqual([2, 2]);
  // Where each has it, a replay is for each.
  await running.rows.query('update event_deliveries set delivered_at = now(), next_attempt_at = null');
  await replayEvent(process, `${merchantUid}:1`, missingTargets);
  await deliverEvents(process);
  expect([mail.taken.length, shipping.taken.length]).toEqual([3, 3]);
});

test('a handler that was renamed keeps what waits for it for a day, for the processes that still know it', async () => {
  const merchantUid = await running.failedThenPaid();
  const first = recordingHandler(MAIL_IS_AWAY);
  await deliverEvents(processWith({ mail: first.handler }));
  const renamed = recordingHandler();
  const after = processWith({ letters: renamed.handler });
  running.clock.advance(6);
  await deliverEvents(after);
  expect(renamed.taken).toEqual([]);
  // An older process, or a change that is taken back.
  await deliverEvents(processWith({ mail: first.handler }));
  expect(first.taken).toHaveLength(2);

  await giveUpRemovedHandlers(after);
  expect(await running.deliveriesTo('mail')).toMatchObject([{ waiting: true }, { waiting: true }]);
  running.clock.advance(2 * 86_400);
  await giveUpRemovedHandlers(after);
  const gone = { delivered: false, waiting: false, reason: 'no_handler' };
  expect(await running.deliveriesTo('mail')).toMatchObject([gone, gone]);
  expect(running.log.events('event_handler_missing')).toMatchObject([{ target: 'mail', count: 2 }]);
  // The new name can be given the event.
  await replayEvent(after, `${merchantUid}:1`);
  await deliverEvents(after);
  expect(renamed.taken).toEqual([`${merchantUid}:1`]);
});

test('the result of an attempt that was overtaken is not written: after its lease a delivery belongs to the process that claimed it last', async () => {
  await running.failedThenPaid();
  const [slow] = (await claim()).filter(({ target }) => target === 'handler');
  running.clock.advance(LEASE_SECONDS - 1);
  expect(await claim()).toEqual([]);
  running.clock.advance(2);
  const [next] = (await claim()).filter(({ target }) => target === 'handler');
  if (!slow || !next) throw new Error('the delivery was due twice');
  expect([slow.eventId, slow.attempts, next.attempts]).toEqual([next.eventId, 1, 2]);

  // The slow process comes back, with an error or with success, while the other one is still at work.
  const result = { eventId: slow.eventId, target: slow.target, nextAttemptAt: null };
  for (const reason of ['handler_failed', null]) {
    await saveDelivery(running.context, { ...result, attempts: slow.attempts, reason });
    const [row] = await running.deliveriesTo('handler');
    expect(row).toEqual({ attempts: 2, reason: null, delivered: false, waiting: true });
  }
  await saveDelivery(running.context, { ...result, attempts: next.attempts, reason: null });
  expect((await running.deliveriesTo('handler'))[0]).toMatchObject({ attempts: 2, ...DELIVERED });
});

test('a database that goes away while an event is delivered loses nothing', async () => {
  const merchantUid = await running.failedThenPaid();
  const { handler, taken } = recordingHandler(async () => running.database.setReachable(false));
  await expect(running.deliver(handler)).rejects.toThrow(DatabaseError);
  await running.database.setReachable(true);
  running.clock.advance(LEASE_SECONDS + 1);
  const after = recordingHandler();
  await running.deliver(after.handler);
  expect(taken).toEqual([`${merchantUid}:1`]);
  // It was not noted, so it comes again: at least once.
  expect(after.taken).toEqual([`${merchantUid}:1`, `${merchantUid}:2`]);
});
