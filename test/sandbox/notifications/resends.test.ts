// A notification ends at its time-outs, and is resent according to its generation. It arrives before or after the answer to the client,
// by setting (§6.3, §6.5).

import { createServer, type AddressInfo } from 'node:net';
import { defaultConfig } from '../../../src/sandbox/config';
import { NOW, runSandbox, useReceiver, useSandbox, type Received } from '../../support/running-sandbox';

const receiver = useReceiver((received) => answer(received));
const service = useSandbox(() => ({ webhookUrl: receiver.url }));
let answer: (received: Received) => number | 'hang' | 'cut';
beforeEach(() => {
  answer = () => 200;
});

const payAndWait = async () => {
  await service.pay();
  await service.notifications();
};

const FIVE = { legacy_sends: 5 };
const TWO = { legacy_sends: 2 };
const UNLESS_OK = { ...FIVE, resend_unless_ok: true };
const answers = <Answer>(list: Answer[], settings: object, sends: number) =>
  list.map((each): [Answer, object, number] => [each, settings, sends]);
test.each([
  ...answers([500], {}, 1),
  ...answers([400, 404, 204, 302], FIVE, 1),
  ...answers(['cut', 500, 501, 502, 503, 504, 599] as const, TWO, 2),
  ...answers([400, 404, 204, 302, 500], UNLESS_OK, 5),
])('legacy: an answer of %s with %j ends after so many sends: %d', async (given, settings, sends) => {
  answer = () => given;
  await service.settings(settings);
  await payAndWait();
  await service.advance(3600);
  expect(receiver.received).toHaveLength(sends);
});

test.each([
  ['legacy', 500, FIVE],
  ['legacy after everything but 200', 400, UNLESS_OK],
  ['newer', 400, { generation: 'newer' }],
])('resends end with the first success: %s', async (_, failing, settings) => {
  answer = () => (receiver.received.length < 3 ? failing : 200);
  await service.settings(settings);
  await payAndWait();
  await service.advance(36_000);
  expect(receiver.received).toHaveLength(3);
});

test('legacy resends are one a minute up to the number of sends that is set', async () => {
  answer = () => 503;
  await service.settings(FIVE);
  await payAndWait();
  const counts = [receiver.received.length];
  for (const seconds of [59, 1, 60, 60, 60, 60, 3600]) {
    await service.advance(seconds);
    counts.push(receiver.received.length);
  }
  expect(counts).toEqual([1, 1, 2, 3, 4, 5, 5, 5]);
  const [notification] = await service.notifications();
  expect([notification.attempts.length, notification.next_attempt_ms]).toEqual([5, null]);
});

test('newer resends are five, after 0, 1, 4, 16 and 256 minutes with jitter added', async () => {
  answer = () => 500;
  await service.settings({ generation: 'newer' });
  await payAndWait();
  let sentAtMs = NOW * 1000;
  for (const minutes of [0, 1, 4, 16, 256]) {
    const next = (await service.notifications())[0].next_attempt_ms;
    // The random number of these tests is a quarter: of one percent of the interval, or of half a second.
    expect(next - sentAtMs - minutes * 60_000).toBeCloseTo(Math.max(minutes * 150, 125), 1);
    await service.advance(Math.ceil(next / 1000) - (await service.control('GET', '/clock')).body.now);
    sentAtMs = next;
  }
  expect((await service.notifications())[0].next_attempt_ms).toBeNull();
  expect(receiver.received).toHaveLength(6);
});

test('time-outs are 10 s to connect and 30 s to answer unless set otherwise', () => {
  expect(defaultConfig).toMatchObject({ connectTimeoutMs: 10_000, readTimeoutMs: 30_000 });
});

test('time-outs end each send to a receiver that does not answer, cannot be connected, or is not there', async () => {
  answer = () => 'hang';
  // Accepts connections and never answers, so that a TLS handshake does not end.
  const silent = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const impatient = await runSandbox({ connectTimeoutMs: 80, readTimeoutMs: 80 });
  await impatient.settings(TWO);
  for (const notice_url of [receiver.url, `https://127.0.0.1:${port}/`, 'http://127.0.0.1:9/nobody'])
    await impatient.pay({ notice_url });
  await impatient.notifications();
  await impatient.advance(60);
  const ends = (await impatient.notifications()).map(({ attempts }) => attempts);
  const twice = (error: unknown) => Array(2).fill(expect.objectContaining({ answer: null, error }));
  const refused = expect.stringContaining('ECONNREFUSED');
  expect(ends).toEqual([twice('read time-out'), twice('connect time-out'), twice(refused)]);
  await impatient.close();
  silent.close();
});

test('a payment is answered without waiting for the receiver by default, and after it on setting', async () => {
  const attempts = async () =>
    (await service.control('GET', '/notifications')).body.notifications.at(-1).attempts;
  answer = () => 'hang';
  await service.pay();
  expect(await attempts()).toEqual([]);
  answer = () => 200;
  await service.settings({ webhook_before_redirect: true });
  await service.pay();
  expect(await attempts()).toMatchObject([{ answer: { status: 200 } }]);
  await receiver.close(); // ends the first delivery
});

test('arrival is shuffled on setting, within five seconds of the clock', async () => {
  // Each payment takes two random numbers: for its source address, then for its delay.
  const holds = [0, 0.9, 0, 0.1, 0, 0.5];
  const shuffled = await runSandbox({ webhookUrl: receiver.url }, () => holds.shift() ?? 0);
  await shuffled.settings({ shuffle_arrival: true });
  for (const merchant_uid of ['first', 'second', 'third']) await shuffled.pay({ merchant_uid });
  expect(receiver.received).toHaveLength(0);
  await shuffled.advance(5);
  expect(receiver.bodies().map(({ merchant_uid }) => merchant_uid)).toEqual(['second', 'third', 'first']);
  await shuffled.close();
});

test('a resend that waits while the clock is put back does not wait for the date that was moved away', async () => {
  answer = () => 500;
  await service.settings({ generation: 'newer' });
  await service.advance(40 * 86_400);
  await payAndWait();
  const sends = receiver.received.length;
  await service.control('DELETE', '/clock');
  const { body } = await service.control('GET', '/notifications');
  const waitsMs = body.notifications[0].next_attempt_ms - NOW * 1000;
  expect([waitsMs > 0, waitsMs < 3_600_000]).toEqual([true, true]);
  await service.advance(3600);
  expect(receiver.received.length).toBeGreaterThan(sends);
});
