// A notification is given up at its time-outs, and sent again as often as its generation says. It arrives before or
// after the answer to the client, as set (§6.3, §6.5).

import { createServer, type AddressInfo, type Server } from 'node:net';
import { NOW, runSandbox, useReceiver, useSandbox, type Received } from '../../support/running-sandbox';

const receiver = useReceiver((received) => answer(received));
const service = useSandbox(() => ({ webhookUrl: receiver.url }));
let answer: (received: Received) => number | 'hang' | 'cut';
beforeEach(() => {
  answer = () => 200;
});

const payAndSettle = async () => {
  await service.pay();
  await service.notifications();
};

describe('legacy resends (§6.5.2)', () => {
  test('are none by default', async () => {
    answer = () => 500;
    await payAndSettle();
    await service.advance(3600);
    expect(receiver.received).toHaveLength(1);
  });

  test('are one a minute up to the number of sends that is set', async () => {
    answer = () => 503;
    await service.settings({ legacy_sends: 5 });
    await payAndSettle();
    const counts = [receiver.received.length];
    for (const seconds of [59, 1, 60, 60, 60, 60, 3600]) {
      await service.advance(seconds);
      counts.push(receiver.received.length);
    }
    expect(counts).toEqual([1, 1, 2, 3, 4, 5, 5, 5]);
    const [notification] = await service.notifications();
    expect(notification.attempts).toHaveLength(5);
    expect(notification.next_attempt_ms).toBeNull();
  });

  test('end with the first success', async () => {
    answer = () => (receiver.received.length < 3 ? 500 : 200);
    await service.settings({ legacy_sends: 5 });
    await payAndSettle();
    await service.advance(3600);
    expect(receiver.received).toHaveLength(3);
  });

  test.each([400, 404, 204, 302])('do not follow an answer of %s', async (status) => {
    answer = () => status;
    await service.settings({ legacy_sends: 5 });
    await payAndSettle();
    await service.advance(3600);
    expect(receiver.received).toHaveLength(1);
  });

  test.each([500, 501, 502, 503, 504, 599])('follow an answer of %s', async (status) => {
    answer = () => status;
    await service.settings({ legacy_sends: 2 });
    await payAndSettle();
    await service.advance(3600);
    expect(receiver.received).toHaveLength(2);
  });

  test('follow a receiver that does not answer in time', async () => {
    answer = () => 'hang';
    const impatient = await runSandbox({ webhookUrl: receiver.url, readTimeoutMs: 80 });
    await impatient.settings({ legacy_sends: 2 });
    await impatient.pay();
    await impatient.notifications();
    await impatient.advance(3600);
    const [notification] = await impatient.notifications();
    expect(notification.attempts.map((attempt: any) => attempt.error)).toEqual(
      Array(2).fill('read time-out'),
    );
    await impatient.close();
  });

  test('follow a broken line and a receiver that is not there', async () => {
    answer = () => 'cut';
    await service.settings({ legacy_sends: 2 });
    await payAndSettle();
    await service.advance(60);
    expect(receiver.received).toHaveLength(2);
    await service.settings({ webhook_url: 'http://127.0.0.1:9/nobody' });
    await payAndSettle();
    await service.advance(60);
    const refused = (await service.notifications()).at(-1);
    expect(refused.attempts.map((attempt: any) => attempt.answer)).toEqual([null, null]);
    expect(refused.attempts[0].error).toContain('ECONNREFUSED');
  });
});

describe('legacy resends after everything but 200, on setting', () => {
  beforeEach(() => service.settings({ legacy_sends: 3, resend_unless_ok: true }));

  test.each([400, 404, 204, 302, 500])(
    'follow an answer of %s, up to the number of sends',
    async (status) => {
      answer = () => status;
      await payAndSettle();
      await service.advance(3600);
      expect(receiver.received).toHaveLength(3);
    },
  );

  test('end with a 200', async () => {
    answer = () => (receiver.received.length < 2 ? 400 : 200);
    await payAndSettle();
    await service.advance(3600);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('newer resends (§6.5.3)', () => {
  test('are five, after 0, 1, 4, 16 and 256 minutes with jitter added', async () => {
    answer = () => 500;
    await service.settings({ generation: 'newer' });
    await payAndSettle();
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

  test('also follow a 4xx, and end with a success', async () => {
    answer = () => (receiver.received.length < 3 ? 400 : 200);
    await service.settings({ generation: 'newer' });
    await payAndSettle();
    await service.advance(36_000);
    expect(receiver.received).toHaveLength(3);
  });
});

describe('time-outs (§6.3)', () => {
  const deliverTo = async (webhookUrl: string) => {
    const impatient = await runSandbox({ webhookUrl, connectTimeoutMs: 80, readTimeoutMs: 80 });
    await impatient.pay();
    const [notification] = await impatient.notifications();
    await impatient.close();
    return notification;
  };

  test('end a delivery whose receiver does not answer', async () => {
    answer = () => 'hang';
    const notification = await deliverTo(receiver.url);
    expect(notification.attempts[0]).toMatchObject({ answer: null, error: 'read time-out' });
  });

  test('are 10 s to connect and 30 s to answer unless set otherwise', async () => {
    const standard = await runSandbox();
    expect(standard.sandbox.service.config).toMatchObject({
      connectTimeoutMs: 10_000,
      readTimeoutMs: 30_000,
    });
    await standard.close();
  });

  test('end a delivery that cannot connect', async () => {
    const { server, url } = await runSilentTls();
    const notification = await deliverTo(url);
    expect(notification.attempts[0]).toMatchObject({ answer: null, error: 'connect time-out' });
    server.close();
  });
});

describe('order of arrival (§6.5.1)', () => {
  test('is answered to the client without waiting for the receiver by default', async () => {
    answer = () => 'hang';
    await service.pay();
    const { notifications } = (await service.control('GET', '/notifications')).body;
    expect(notifications.map((each: any) => each.attempts)).toEqual([[]]);
    await receiver.close(); // ends the delivery
  });

  test('is answered to the client after the receiver on setting', async () => {
    await service.settings({ webhook_before_redirect: true });
    await service.pay();
    expect(receiver.received).toHaveLength(1);
    const { svc_uid } = await service.pay({ outcome: 'virtual_account' });
    await service.control('POST', `/payments/${svc_uid}/deposit`);
    expect(receiver.received).toHaveLength(3);
  });

  test('is shuffled on setting, within five seconds of the clock', async () => {
    const holds = [0.9, 0.1, 0.5];
    const shuffled = await runSandbox({ webhookUrl: receiver.url }, () => holds.shift() ?? 0);
    await shuffled.settings({ shuffle_arrival: true });
    // Each payment takes two random numbers: for its source address, then for its delay.
    holds.splice(0, 3, 0, 0.9, 0, 0.1, 0, 0.5);
    for (const merchant_uid of ['first', 'second', 'third']) await shuffled.pay({ merchant_uid });
    expect(receiver.received).toHaveLength(0);
    await shuffled.advance(5);
    expect(receiver.bodies().map(({ merchant_uid }) => merchant_uid)).toEqual(['second', 'third', 'first']);
    await shuffled.close();
  });
});

/** Accepts connections and never answers, so that a TLS handshake does not end. */
async function runSilentTls(): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
