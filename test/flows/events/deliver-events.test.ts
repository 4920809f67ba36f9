// An event is delivered at least once to each target (the handler and ORDER_EVENTS_URL), in the order of its stream, whatever
// fails, and to no other receiver.

import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import {
  deliverEvents,
  giveUpRemovedHandlers,
  missingTargets,
  replayEvent,
} from '../../../src/merchant/core/events/deliver-events';
import { eventList } from '../../../src/merchant/core/events/event-list';
import { claimDeliveries, publishEvents, saveDelivery } from '../../../src/merchant/core/events/event-store';
import type { Handler, Handlers } from '../../../src/merchant/core/events/handlers';
import { registerOrder } from '../../../src/merchant/core/orders/register-order';
import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import type { Context } from '../../../src/merchant/platform/context';
import { DatabaseError } from '../../../src/merchant/platform/errors';
import type { ShopEvent } from '../../../src/merchant/shop/event';
import { eventually } from '../../support/eventually';
import { openForEach } from '../../support/open-between';
import { newUid, paySilently } from '../../support/orders';
import { accept, EVENTS_SECRET, startEventsReceiver } from '../../support/shop-events';
import { startContext } from '../../support/use-world';

const running = openForEach(startDeliveries);

/** What the row of a delivery shows once its target has taken the event. */
const DELIVERED = { delivered: true, waiting: false, reason: null };

const LEASE_SECONDS = 60;
/** What another process takes before it dies or hangs. */
async function claim() {
  const { context, clock } = running;
  await publishEvents(context);
  const leaseUntil = new Date(clock.nowMs() + LEASE_SECONDS * 1000);
  return claimDeliveries(context, { leaseUntil, limit: 20, eventId: null });
}

const answerWithStatus = (status: number) =>
  running.receiver.answerWith((response) => response.writeHead(status).end());
const toldOf = (merchantUid: string) => [`${merchantUid}:1 order.failed`, `${merchantUid}:2 order.paid`];
/** A process whose shop has these handlers. */
const withHandlers = (eventHandlers: Handlers, context: Context = running.context): Context => ({
  ...context,
  features: [{ name: 'shop', eventHandlers }],
});
const deliverWith = (changes: object, handler = recordingHandler().handler) =>
  deliverEvents(
    withHandlers({ handler }, { ...running.context, config: { ...running.context.config, ...changes } }),
  );

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
  expect(running.receiver.told()).toEqual(toldOf(merchantUid));

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
  const process = withHandlers({ mail: mail.handler, shipping: shipping.handler });
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

test('what was not delivered is found by its target, and sent again to that one alone', async () => {
  const merchantUid = await running.failedThenPaid();
  const mail = recordingHandler(MAIL_IS_AWAY);
  const shipping = recordingHandler();
  const process = withHandlers({ mail: mail.handler, shipping: shipping.handler });
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
  await deliverEvents(withHandlers({ mail: first.handler }));
  const renamed = recordingHandler();
  const after = withHandlers({ letters: renamed.handler });
  running.clock.advance(6);
  await deliverEvents(after);
  expect(renamed.taken).toEqual([]);
  // An older process, or a change that is taken back.
  await deliverEvents(withHandlers({ mail: first.handler }));
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

test('the result of an attempt that was overtaken is not written: after its lease a delivery belongs to who took it last', async () => {
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

test.each([
  ['redirects', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'redirected'],
  ['is out of order', (response) => response.writeHead(503).end(), 'http_503'],
  ['breaks the line', (response) => response.socket?.destroy(), 'unreachable'],
  ['never answers', () => undefined, 'timeout'],
] as [string, (response: ServerResponse) => unknown, string][])(
  'a URL that %s is asked again, and no redirect is followed',
  async (_name, answer, reason) => {
    running.receiver.answerWith(answer);
    const merchantUid = await running.failedThenPaid();
    const { handler, taken } = recordingHandler();
    await running.deliver(handler, reason === 'timeout' ? 300 : undefined);
    expect(running.receiver.told()).toEqual([`${merchantUid}:1 order.failed`]);
    expect(await running.deliveriesTo('url')).toMatchObject([
      { attempts: 1, reason, delivered: false, waiting: true },
      { attempts: 0, waiting: true },
    ]);
    // The other target does not wait for it.
    expect(taken).toHaveLength(2);
    running.receiver.answerWith(accept);
    running.clock.advance(6);
    await running.deliver(handler);
    expect(running.receiver.told().slice(1)).toEqual(toldOf(merchantUid));
    expect(taken).toHaveLength(2);
  },
);

test('a URL that answers 410 gets no event a second time', async () => {
  answerWithStatus(410);
  const merchantUid = await running.failedThenPaid();
  await running.deliver(recordingHandler().handler);
  running.clock.advance(360_000);
  await running.deliver(recordingHandler().handler);
  expect(running.receiver.told()).toEqual(toldOf(merchantUid));
  const gone = { attempts: 1, reason: 'gone', delivered: false, waiting: false };
  expect(await running.deliveriesTo('url')).toEqual([gone, gone]);
  expect(running.log.events('event_given_up')).toHaveLength(2);
});

test('an event is given up with its last attempt, what follows it is tried then, and a replay begins anew', async () => {
  answerWithStatus(500);
  const merchantUid = await running.failedThenPaid();
  const { handler } = recordingHandler();
  await running.deliver(handler);
  await running.rows.query(`update event_deliveries set attempts = 9 where attempts = 1 and target = 'url'`);
  running.clock.advance(6);
  await running.deliver(handler);
  expect(await running.deliveriesTo('url')).toMatchObject([
    { attempts: 10, reason: 'http_500', delivered: false, waiting: false },
    { attempts: 1, reason: 'http_500', waiting: true },
  ]);

  running.receiver.answerWith(accept);
  const event = await replayEvent(running.context, `${merchantUid}:1`);
  expect(event?.deliveries).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
  await running.deliver(handler);
  expect(await running.deliveriesTo('url')).toMatchObject([{ attempts: 1, ...DELIVERED }, {}]);
});

const NEWER_SECRET = `whsec_${Buffer.from('a-newer-event-secret-of-the-test').toString('base64')}`;

test.each([
  ['the old secret', EVENTS_SECRET, true],
  ['the new secret', NEWER_SECRET, true],
  ['another secret', `whsec_${Buffer.alloc(32).toString('base64')}`, false],
])('while ORDER_EVENTS_SECRET is rotated, who knows %s accepts an event: %p', async (_, secret, accepts) => {
  const other = await startEventsReceiver(secret);
  await running.failedThenPaid();
  await deliverWith({ orderEvents: { url: other.url, secrets: [NEWER_SECRET, EVENTS_SECRET], allow: [] } });
  await other.close();
  expect(other.received.map(({ isSigned }) => isSigned)).toEqual([accepts, accepts]);
});

test('in production a URL whose name leads to a private network receives nothing', async () => {
  // The name of this machine leads to an address of its own network.
  const url = running.receiver.url.replace('127.0.0.1', hostname());
  await running.failedThenPaid();
  const secrets = [EVENTS_SECRET];
  await deliverWith({ production: true, orderEvents: { url, secrets, allow: ['10.255.255.0/24'] } });
  expect(running.receiver.received).toEqual([]);
  const [first] = await running.deliveriesTo('url');
  expect(first).toMatchObject({ reason: 'private_address', waiting: true });
});

test.each([
  ['127.0.0.1', '127.0.0.0/8'],
  ['localhost', 'localhost'],
  ['localhost', '127.0.0.1,::1'],
])(
  'in production a URL on the private host %s receives events where ORDER_EVENTS_ALLOW has %s',
  async (host, allow) => {
    const url = running.receiver.url.replace('127.0.0.1', host);
    const merchantUid = await running.failedThenPaid();
    const orderEvents = { url, secrets: [EVENTS_SECRET], allow: allow.split(',') };
    await deliverWith({ production: true, orderEvents });
    expect(running.receiver.told()).toEqual(toldOf(merchantUid));
  },
);

async function startDeliveries() {
  const receiver = await startEventsReceiver();
  const running = await startContext({ ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET });
  const { context, rows } = running;
  return {
    ...running,
    receiver,
    /** An order that fails and is paid: two events. Returns its merchant_uid. */
    async failedThenPaid(merchantUid = newUid()): Promise<string> {
      const order = { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
      await registerOrder(context, order);
      for (const outcome of ['failed', 'paid']) {
        const { svc_uid: svcUid } = await paySilently(running, merchantUid, { outcome });
        expect((await syncPayment(context, { svcUid, merchantUid })).outcome).toBe('recorded');
      }
      return merchantUid;
    },
    deliver: (handler: Handler, timeoutMs?: number) =>
      deliverEvents(withHandlers({ handler }, context), timeoutMs === undefined ? {} : { timeoutMs }),
    /** The rows of one target, in the order of the events. */
    deliveriesTo: (target: string) =>
      rows.query(
        `select attempts, reason, delivered_at is not null as delivered, next_attempt_at is not null as waiting
         from event_deliveries where target = $1 order by event_id`,
        [target],
      ),
    async close(): Promise<void> {
      await running.close();
      await receiver.close();
    },
  };
}

/** A handler that notes what it was given and does as the test says. */
function recordingHandler(work: (event: ShopEvent) => Promise<void> = () => Promise.resolve()) {
  const taken: string[] = [];
  const handler: Handler = async (event) => {
    taken.push(event.id);
    await work(event);
  };
  return { handler, taken };
}
