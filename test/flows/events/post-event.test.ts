// ORDER_EVENTS_URL takes an event, or does not: when it is asked again, for how long, and what it never receives.

import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { deliverEvents } from '../../../src/merchant/events/deliver-events';
import { replayEvent } from '../../../src/merchant/events/replay-event';
import {
  DELIVERED,
  recordingHandler,
  startDeliveries,
  type RunningDeliveries,
} from '../../support/deliveries';
import { accept, EVENTS_SECRET, startEventsReceiver } from '../../support/events-receiver';

const HOUR = 3600;

let running: RunningDeliveries;
beforeEach(async () => {
  running = await startDeliveries();
});
afterEach(() => running.close());

test.each([
  ['redirects', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'redirected'],
  ['is out of order', (response) => response.writeHead(503).end(), 'http_503'],
  ['does not know the event', (response) => response.writeHead(404).end(), 'http_404'],
  ['breaks the line', (response) => response.socket?.destroy(), 'unreachable'],
  ['never answers', () => undefined, 'timeout'],
] as [string, (response: ServerResponse) => unknown, string][])(
  'a URL that %s is asked again, and no redirect is followed',
  async (_name, answer, reason) => {
    running.receiver.answerWith(answer);
    const merchantUid = await running.failedThenPaid();
    const { handler, taken } = recordingHandler();
    await running.deliver(handler, 300);
    expect(running.receiver.told()).toEqual([`${merchantUid}:1 order.failed`]);
    expect(await running.deliveriesTo('url')).toMatchObject([
      { attempts: 1, reason, delivered: false, waiting: true },
      { attempts: 0, waiting: true },
    ]);
    // The other target does not wait for it.
    expect(taken).toEqual([`${merchantUid}:1`, `${merchantUid}:2`]);
    running.receiver.answerWith(accept);
    running.clock.advance(6);
    await running.deliver(handler);
    expect(running.receiver.told().slice(1)).toEqual([
      `${merchantUid}:1 order.failed`,
      `${merchantUid}:2 order.paid`,
    ]);
    expect(taken).toHaveLength(2);
  },
);

test('a URL that answers 410 gets no event a second time', async () => {
  running.receiver.answerWith((response) => response.writeHead(410).end());
  const merchantUid = await running.failedThenPaid();
  await running.deliver(recordingHandler().handler);
  running.clock.advance(100 * HOUR);
  await running.deliver(recordingHandler().handler);
  expect(running.receiver.told()).toEqual([`${merchantUid}:1 order.failed`, `${merchantUid}:2 order.paid`]);
  const gone = { attempts: 1, reason: 'gone', delivered: false, waiting: false };
  expect(await running.deliveriesTo('url')).toEqual([gone, gone]);
  expect(running.log.events('event_given_up')).toHaveLength(2);
});

test('a target that is away for three days gets the event at growing gaps, and not after that', async () => {
  running.receiver.answerWith((response) => response.writeHead(500).end());
  const merchantUid = await running.failedThenPaid();
  const { handler } = recordingHandler();
  const begin = running.clock.nowMs();
  const hours: number[] = [];
  const ofFirst = () => running.receiver.received.filter(({ id }) => id === `${merchantUid}:1`).length;
  for (let minute = 0; minute < 110 * 60; minute += 5) {
    const before = ofFirst();
    await running.deliver(handler);
    if (ofFirst() > before) hours.push((running.clock.nowMs() - begin) / (HOUR * 1000));
    running.clock.advance(300);
  }
  const gaps = hours.slice(1).map((hour, i) => hour - (hours[i] as number));
  expect(hours).toHaveLength(10);
  expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
  expect(hours.at(-1)).toBeGreaterThan(72);
  expect(await running.deliveriesTo('url')).toMatchObject([
    { attempts: 10, reason: 'http_500', delivered: false, waiting: false },
    // What follows is tried once the first is given up.
    { reason: 'http_500' },
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
])(
  'while ORDER_EVENTS_SECRET is rotated a running.receiver that knows %s accepts an event: %p',
  async (_, secret, accepts) => {
    const other = await startEventsReceiver(secret);
    const orderEvents = { url: other.url, secrets: [NEWER_SECRET, EVENTS_SECRET] as const };
    const config = { ...running.context.config, orderEvents };
    await running.failedThenPaid();
    await deliverEvents({ ...running.context, config }, recordingHandler().handler);
    await other.close();
    expect(other.received.map(({ isSigned }) => isSigned)).toEqual([accepts, accepts]);
  },
);

test('in production a URL whose name leads to a private network receives nothing', async () => {
  // The name of this machine leads to an address of its own network.
  const url = new URL(running.receiver.url);
  url.hostname = hostname();
  const config = {
    ...running.context.config,
    production: true,
    orderEvents: { url: url.href, secrets: [EVENTS_SECRET] as const },
  };
  await running.failedThenPaid();
  await deliverEvents({ ...running.context, config }, recordingHandler().handler);
  expect(running.receiver.received).toEqual([]);
  expect(await running.deliveriesTo('url')).toMatchObject([
    { reason: 'private_address', waiting: true },
    { waiting: true },
  ]);
});

test('without a URL there is one target, and what waited for one that was taken out is given up', async () => {
  running.receiver.answerWith((response) => response.writeHead(500).end());
  await running.failedThenPaid();
  const { handler } = recordingHandler();
  await running.deliver(handler);
  const without = { ...running.context, config: { ...running.context.config, orderEvents: null } };
  running.clock.advance(6);
  await deliverEvents(without, handler);
  const given = { reason: 'no_url', delivered: false, waiting: false };
  expect(await running.deliveriesTo('url')).toMatchObject([given, given]);
  await running.failedThenPaid();
  await deliverEvents(without, handler);
  expect(await running.deliveriesTo('url')).toHaveLength(2);
  expect(await running.deliveriesTo('handler')).toHaveLength(4);
});
