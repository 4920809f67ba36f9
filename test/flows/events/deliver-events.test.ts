// An event is delivered at least once to each target, and in the order of its stream, whatever the target does.

import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { closeContext, createContext } from '../../../src/merchant/context';
import { DatabaseError } from '../../../src/merchant/errors';
import { deliverEvents, type Handler } from '../../../src/merchant/events/deliver-events';
import type { ShopEvent } from '../../../src/merchant/events/event';
import { claimDeliveries, publishEvents } from '../../../src/merchant/events/event-store';
import { replayEvent } from '../../../src/merchant/events/replay-event';
import { closeOrder } from '../../../src/merchant/orders/close-order';
import { registerOrder } from '../../../src/merchant/orders/register-order';
import { syncPayment } from '../../../src/merchant/payments/sync-payment';
import { startContext, type RunningContext } from '../../support/context';
import {
  accept,
  EVENTS_SECRET,
  startEventsReceiver,
  type EventsReceiver,
} from '../../support/events-receiver';
import { eventually } from '../../support/eventually';
import { newUid, paySilently } from '../../support/orders';

const HOUR = 3600;

let receiver: EventsReceiver;
let running: RunningContext;
beforeEach(async () => {
  receiver = await startEventsReceiver();
  running = await startContext({ ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET });
});
afterEach(async () => {
  await running.close();
  await receiver.close();
});

/** A handler that notes what it was given and does as the test says. */
function recordingHandler(work: (event: ShopEvent) => Promise<void> = async () => Promise.resolve()) {
  const taken: string[] = [];
  const handler: Handler = async (event) => {
    taken.push(event.id);
    await work(event);
  };
  return { handler, taken };
}

/** An order that fails and is paid: two events. */
async function failedThenPaid(merchantUid = newUid()): Promise<string> {
  const { context } = running;
  const order = { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
  await registerOrder(context, order);
  for (const outcome of ['failed', 'paid']) {
    const { svc_uid: svcUid } = await paySilently(running, merchantUid, { outcome });
    expect((await syncPayment(context, { svcUid, merchantUid })).outcome).toBe('recorded');
  }
  return merchantUid;
}

const deliver = (handler: Handler, timeoutMs?: number) =>
  deliverEvents(running.context, handler, timeoutMs === undefined ? {} : { timeoutMs });
const deliveries = (target: string) =>
  running.rows.query(
    `select attempts, reason, delivered_at is not null as delivered, next_attempt_at is not null as waiting
     from event_deliveries where target = $1::event_target order by event_id`,
    [target],
  );
const DELIVERED = { delivered: true, waiting: false, reason: null };

test('a handler that throws takes the same event again, and the next one of the order waits for it', async () => {
  const merchantUid = await failedThenPaid();
  let fails = true;
  const { handler, taken } = recordingHandler(() =>
    fails ? Promise.reject(new Error('the mail server is away')) : Promise.resolve(),
  );
  await deliver(handler);
  expect(taken).toEqual([`${merchantUid}:1`]);
  expect(await deliveries('handler')).toEqual([
    { attempts: 1, reason: 'handler_failed', delivered: false, waiting: true },
    { attempts: 0, reason: null, delivered: false, waiting: true },
  ]);
  // Its text may hold anything, and the log says where it was thrown instead.
  expect(running.log.text()).not.toContain('mail server');
  expect(running.log.events('event_not_delivered')).toMatchObject([
    { id: `${merchantUid}:1`, target: 'handler', reason: 'handler_failed', attempts: 1 },
  ]);
  // The other target has both meanwhile.
  expect(receiver.told()).toEqual([`${merchantUid}:1 order.failed`, `${merchantUid}:2 order.paid`]);

  await deliver(handler);
  expect(taken).toHaveLength(1);
  fails = false;
  running.clock.advance(6);
  await deliver(handler);
  expect(taken).toEqual([`${merchantUid}:1`, `${merchantUid}:1`, `${merchantUid}:2`]);
  expect(await deliveries('handler')).toMatchObject([
    { attempts: 2, ...DELIVERED },
    { attempts: 1, ...DELIVERED },
  ]);
});

test('a handler that hangs is tried again later, and other orders do not wait for it', async () => {
  const hanging = await failedThenPaid();
  const { handler, taken } = recordingHandler((event) =>
    event.id === `${hanging}:1` ? new Promise(() => undefined) : Promise.resolve(),
  );
  const round = deliver(handler, 300);
  await eventually(() => taken.includes(`${hanging}:1`));
  const other = await failedThenPaid();
  // As the job does that this enqueues.
  await deliver(handler);
  await round;
  expect(taken).toEqual([`${hanging}:1`, `${other}:1`, `${other}:2`]);
  expect(await deliveries('handler')).toMatchObject([
    { attempts: 1, reason: 'timeout', waiting: true },
    { attempts: 0, waiting: true },
    DELIVERED,
    DELIVERED,
  ]);
});

test('an event whose process died in the middle comes again after its lease, and no sooner', async () => {
  const merchantUid = await failedThenPaid();
  const { context, clock } = running;
  // What a process has taken before it dies.
  await publishEvents(context);
  const leaseUntil = new Date(clock.nowMs() + 60_000);
  expect(await claimDeliveries(context, { leaseUntil, limit: 20, eventId: null })).toHaveLength(2);

  const { handler, taken } = recordingHandler();
  await deliver(handler);
  expect(taken).toEqual([]);
  expect(receiver.told()).toEqual([]);
  clock.advance(61);
  await deliver(handler);
  expect(taken).toEqual([`${merchantUid}:1`, `${merchantUid}:2`]);
  expect(receiver.told()).toEqual([`${merchantUid}:1 order.failed`, `${merchantUid}:2 order.paid`]);
});

test('two processes at the same time deliver each event once, and each order in its order', async () => {
  const orders = await Promise.all(Array.from({ length: 30 }, () => failedThenPaid()));
  const { config, clock, logger } = running.context;
  const second = createContext({ config, clock, logger });
  const { handler, taken } = recordingHandler();
  try {
    await Promise.all([deliver(handler), deliverEvents(second, handler)]);
    // What was about to be published by the one when the other looked.
    await Promise.all([deliver(handler), deliverEvents(second, handler)]);
  } finally {
    await closeContext(second);
  }
  for (const merchantUid of orders) {
    const both = [`${merchantUid}:1`, `${merchantUid}:2`];
    expect(taken.filter((id) => both.includes(id))).toEqual(both);
    expect(receiver.received.map(({ id }) => id).filter((id) => both.includes(id))).toEqual(both);
  }
});

test.each([
  ['redirects', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'redirected'],
  ['is out of order', (response) => response.writeHead(503).end(), 'http_503'],
  ['does not know the event', (response) => response.writeHead(404).end(), 'http_404'],
  ['breaks the line', (response) => response.socket?.destroy(), 'unreachable'],
  ['never answers', () => undefined, 'timeout'],
] as [string, (response: ServerResponse) => unknown, string][])(
  'a URL that %s is asked again, and no redirect is followed',
  async (_name, answer, reason) => {
    receiver.answerWith(answer);
    const merchantUid = await failedThenPaid();
    const { handler, taken } = recordingHandler();
    await deliver(handler, 300);
    expect(receiver.told()).toEqual([`${merchantUid}:1 order.failed`]);
    expect(await deliveries('url')).toMatchObject([
      { attempts: 1, reason, delivered: false, waiting: true },
      { attempts: 0, waiting: true },
    ]);
    // The other target does not wait for it.
    expect(taken).toEqual([`${merchantUid}:1`, `${merchantUid}:2`]);
    receiver.answerWith(accept);
    running.clock.advance(6);
    await deliver(handler);
    expect(receiver.told().slice(1)).toEqual([
      `${merchantUid}:1 order.failed`,
      `${merchantUid}:2 order.paid`,
    ]);
    expect(taken).toHaveLength(2);
  },
);

test('a URL that answers 410 gets no event a second time', async () => {
  receiver.answerWith((response) => response.writeHead(410).end());
  const merchantUid = await failedThenPaid();
  await deliver(recordingHandler().handler);
  running.clock.advance(100 * HOUR);
  await deliver(recordingHandler().handler);
  expect(receiver.told()).toEqual([`${merchantUid}:1 order.failed`, `${merchantUid}:2 order.paid`]);
  const gone = { attempts: 1, reason: 'gone', delivered: false, waiting: false };
  expect(await deliveries('url')).toEqual([gone, gone]);
  expect(running.log.events('event_given_up')).toHaveLength(2);
});

test('a target that is away for three days gets the event at growing gaps, and not after that', async () => {
  receiver.answerWith((response) => response.writeHead(500).end());
  const merchantUid = await failedThenPaid();
  const { handler } = recordingHandler();
  const begin = running.clock.nowMs();
  const hours: number[] = [];
  const ofFirst = () => receiver.received.filter(({ id }) => id === `${merchantUid}:1`).length;
  for (let minute = 0; minute < 110 * 60; minute += 5) {
    const before = ofFirst();
    await deliver(handler);
    if (ofFirst() > before) hours.push((running.clock.nowMs() - begin) / (HOUR * 1000));
    running.clock.advance(300);
  }
  const gaps = hours.slice(1).map((hour, i) => hour - (hours[i] as number));
  expect(hours).toHaveLength(10);
  expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
  expect(hours.at(-1)).toBeGreaterThan(72);
  expect(await deliveries('url')).toMatchObject([
    { attempts: 10, reason: 'http_500', delivered: false, waiting: false },
    // What follows is tried once the first is given up.
    { reason: 'http_500' },
  ]);

  receiver.answerWith(accept);
  const event = await replayEvent(running.context, `${merchantUid}:1`);
  expect(event?.deliveries).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
  await deliver(handler);
  expect(await deliveries('url')).toMatchObject([{ attempts: 1, ...DELIVERED }, {}]);
});

const NEWER_SECRET = `whsec_${Buffer.from('a-newer-event-secret-of-the-test').toString('base64')}`;

test.each([
  ['the old secret', EVENTS_SECRET, true],
  ['the new secret', NEWER_SECRET, true],
  ['another secret', `whsec_${Buffer.alloc(32).toString('base64')}`, false],
])(
  'while ORDER_EVENTS_SECRET is rotated a receiver that knows %s accepts an event: %p',
  async (_, secret, accepts) => {
    const other = await startEventsReceiver(secret);
    const orderEvents = { url: other.url, secrets: [NEWER_SECRET, EVENTS_SECRET] as const };
    const config = { ...running.context.config, orderEvents };
    await failedThenPaid();
    await deliverEvents({ ...running.context, config }, recordingHandler().handler);
    await other.close();
    expect(other.received.map(({ isSigned }) => isSigned)).toEqual([accepts, accepts]);
  },
);

test('in production a URL whose name leads to a private network receives nothing', async () => {
  // The name of this machine leads to an address of its own network.
  const url = new URL(receiver.url);
  url.hostname = hostname();
  const config = {
    ...running.context.config,
    production: true,
    orderEvents: { url: url.href, secrets: [EVENTS_SECRET] as const },
  };
  await failedThenPaid();
  await deliverEvents({ ...running.context, config }, recordingHandler().handler);
  expect(receiver.received).toEqual([]);
  expect(await deliveries('url')).toMatchObject([
    { reason: 'private_address', waiting: true },
    { waiting: true },
  ]);
});

test('without a URL there is one target, and what waited for one that was taken out is given up', async () => {
  receiver.answerWith((response) => response.writeHead(500).end());
  await failedThenPaid();
  const { handler } = recordingHandler();
  await deliver(handler);
  const without = { ...running.context, config: { ...running.context.config, orderEvents: null } };
  running.clock.advance(6);
  await deliverEvents(without, handler);
  const given = { reason: 'no_url', delivered: false, waiting: false };
  expect(await deliveries('url')).toMatchObject([given, given]);
  await failedThenPaid();
  await deliverEvents(without, handler);
  expect(await deliveries('url')).toHaveLength(2);
  expect(await deliveries('handler')).toHaveLength(4);
});

test('a database that goes away while an event is delivered loses nothing', async () => {
  const merchantUid = await failedThenPaid();
  const { handler, taken } = recordingHandler(async () => running.database.setReachable(false));
  await expect(deliver(handler)).rejects.toThrow(DatabaseError);
  await running.database.setReachable(true);
  running.clock.advance(61);
  const after = recordingHandler();
  await deliver(after.handler);
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
  await deliver(recordingHandler().handler);
  expect(receiver.received.map(({ id, body }) => [id, body.type, body.data.previous_status])).toEqual([
    [`${merchantUid}:1`, 'order.closed', 'open'],
  ]);
});
