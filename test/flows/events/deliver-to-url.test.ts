// An event is delivered at least once to ORDER_EVENTS_URL, and to no other receiver.

import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { deliverEvents, replayEvent } from '../../../src/merchant/core/events/deliver-events';
import { accept, EVENTS_SECRET, startEventsReceiver } from '../../support/shop-events';
import { DELIVERED, receivedOf, recordingHandler, useDeliveries, withHandlers } from './deliveries-setup';

const running = useDeliveries();

const answerWithStatus = (status: number) =>
  running.receiver.answerWith((response) => response.writeHead(status).end());
/** @param changes of the settings */
const deliverWith = (changes: object) => {
  const { context } = running;
  const changed = { ...context, config: { ...context.config, ...changes } };
  return deliverEvents(withHandlers({ handler: recordingHandler().handler }, changed));
};

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
    expect(running.receiver.told().slice(1)).toEqual(receivedOf(merchantUid));
    expect(taken).toHaveLength(2);
  },
);

test('a URL that answers 410 gets no event a second time', async () => {
  answerWithStatus(410);
  const merchantUid = await running.failedThenPaid();
  await running.deliver(recordingHandler().handler);
  // When the second attempt would be due. Much later, the receiver would refuse the signatures of the next tests as of the future.
  running.clock.advance(10);
  await running.deliver(recordingHandler().handler);
  expect(running.receiver.told()).toEqual(receivedOf(merchantUid));
  const gone = { attempts: 1, reason: 'gone', delivered: false, waiting: false };
  expect(await running.deliveriesTo('url')).toEqual([gone, gone]);
  expect(running.log.events('event_given_up')).toHaveLength(2);
});

test('an event is given up after its last attempt, the next one is then tried, and a replay starts again', async () => {
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

const receiverAt = (url: string, secrets: string[], allow: string[] = []) => ({
  ORDER_EVENTS_URL: url,
  ORDER_EVENTS_SECRET: secrets,
  ORDER_EVENTS_ALLOW: allow,
});

const NEWER_SECRET = `whsec_${Buffer.from('a-newer-event-secret-of-the-test').toString('base64')}`;

test.each([
  ['the old secret', EVENTS_SECRET, true],
  ['the new secret', NEWER_SECRET, true],
  ['another secret', `whsec_${Buffer.alloc(32).toString('base64')}`, false],
])(
  'while ORDER_EVENTS_SECRET is rotated, a receiver with %s accepts an event: %p',
  async (_, secret, accepts) => {
    const other = await startEventsReceiver(secret);
    await running.failedThenPaid();
    await deliverWith({ values: receiverAt(other.url, [NEWER_SECRET, EVENTS_SECRET]) });
    await other.close();
    expect(other.received.map(({ isSigned }) => isSigned)).toEqual([accepts, accepts]);
  },
);

test('in production a URL whose name leads to a private network receives nothing', async () => {
  // The name of this machine leads to an address of its own network.
  const url = running.receiver.url.replace('127.0.0.1', hostname());
  await running.failedThenPaid();
  await deliverWith({
    production: true,
    values: receiverAt(url, [EVENTS_SECRET], ['10.255.255.0/24']),
  });
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
    await deliverWith({ production: true, values: receiverAt(url, [EVENTS_SECRET], allow.split(',')) });
    expect(running.receiver.told()).toEqual(receivedOf(merchantUid));
  },
);
