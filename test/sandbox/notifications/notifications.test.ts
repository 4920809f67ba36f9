// Each event sends the notification that the document names, from an address of the service to one URL (§6.1 to §6.4).

import { CARD_THAT_FAILS } from '../../support/cards';
import { NOW, runReceiver, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ webhookUrl: receiver.url }));

const sent = async () => {
  await service.notifications();
  return receiver.bodies();
};
const key = (card_number: string) => service.issueKey('card-1', { card_number });
const again = () =>
  service.post('/subscribe/payments/again', {
    customer_uid: 'card-1',
    merchant_uid: 'order-1',
    amount: 10,
    name: '책',
  });
const schedule = () =>
  service.post('/subscribe/payments/schedule', {
    customer_uid: 'card-1',
    schedules: [{ merchant_uid: 'order-1', amount: 10, schedule_at: NOW + 60 }],
  });

/** Each event of the document, and what causes it. */
const events: Record<string, () => Promise<unknown>> = {
  'payment approved in the window': () => service.pay(),
  'payment approved with a stored key': async () => {
    await key('4242-4242-4242-4242');
    await again();
  },
  'virtual account issued': () => service.pay({ outcome: 'virtual_account' }),
  'deposit into a virtual account': async () => {
    const { svc_uid } = await service.pay({ outcome: 'virtual_account', notify: false });
    await service.control('POST', `/payments/${svc_uid}/deposit`);
  },
  'scheduled payment paid': async () => {
    await key('4242-4242-4242-4242');
    await schedule();
    await service.advance(60);
  },
  'scheduled payment failed': async () => {
    await key(CARD_THAT_FAILS);
    await schedule();
    await service.advance(60);
  },
  'cancelled from the admin console': async () => {
    const { svc_uid } = await service.pay({ notify: false });
    await service.control('POST', `/payments/${svc_uid}/cancel`);
  },
  'cancelled through the API': async () => {
    const { svc_uid } = await service.pay({ notify: false });
    await service.post('/payments/cancel', { svc_uid });
  },
  'payment failed in the window': () => service.pay({ outcome: 'failed' }),
  'payment failed with a stored key': async () => {
    await key(CARD_THAT_FAILS);
    await again();
  },
};

describe('legacy events (§6.1)', () => {
  test.each([
    ['payment approved in the window', 'paid'],
    ['payment approved with a stored key', 'paid'],
    ['virtual account issued', 'ready'],
    ['deposit into a virtual account', 'paid'],
    ['scheduled payment paid', 'paid'],
    ['scheduled payment failed', 'failed'],
    ['cancelled from the admin console', 'cancelled'],
  ])('%s sends %s', async (event, status) => {
    await events[event]?.();
    expect(await sent()).toEqual([
      { svc_uid: expect.stringMatching(/^svc_\d+$/), merchant_uid: 'order-1', status },
    ]);
  });

  test.each([
    'cancelled through the API',
    'payment failed in the window',
    'payment failed with a stored key',
  ])('%s sends nothing', async (event) => {
    await events[event]?.();
    expect(await sent()).toEqual([]);
  });
});

describe('newer events (§6.2)', () => {
  beforeEach(() => service.settings({ generation: 'newer' }));

  test.each([
    ['payment approved in the window', 'paid'],
    ['payment approved with a stored key', 'paid'],
    ['virtual account issued', 'virtual_account_issued'],
    ['deposit into a virtual account', 'paid'],
    ['scheduled payment paid', 'paid'],
    ['scheduled payment failed', 'failed'],
    ['cancelled from the admin console', 'cancelled'],
    ['payment failed in the window', 'failed'],
    ['payment failed with a stored key', 'failed'],
  ])('%s sends %s in lower case', async (event, status) => {
    await events[event]?.();
    expect(await sent()).toEqual([
      { tx_id: expect.stringMatching(/^svc_\d+$/), payment_id: 'order-1', status },
    ]);
  });

  test('a cancellation through the API sends nothing', async () => {
    await events['cancelled through the API']?.();
    expect(await sent()).toEqual([]);
  });
});

describe('delivery (§6.3)', () => {
  test('calls no local address on setting, by its name or by its number', async () => {
    await service.settings({ refuse_local_addresses: true });
    const { port } = new URL(receiver.url);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '192.168.0.9', '[fd00::1]'])
      await service.pay({ merchant_uid: 'order-1', notice_url: `http://${host}:${port}/webhooks` });
    const attempts = (await service.notifications()).flatMap((each) => each.attempts);
    expect(attempts.map(({ answer, error }) => [answer, error])).toEqual(
      Array(6).fill([null, 'a local address cannot be called']),
    );
    expect(receiver.received).toEqual([]);
    await service.settings({ refuse_local_addresses: false });
    await service.pay({ merchant_uid: 'order-2' });
    await service.notifications();
    expect(receiver.received).toHaveLength(1);
  });

  test('is a POST of JSON by default, with a source address of the service', async () => {
    await service.pay();
    await sent();
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-forwarded-for': expect.stringMatching(/^(52\.78\.100\.19|52\.78\.48\.223)$/),
    });
  });

  test('is a form by setting, with the same fields', async () => {
    await service.settings({ content_type: 'form' });
    const { svc_uid } = await service.pay();
    await service.notifications();
    expect(receiver.received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(receiver.received[0]?.body))).toEqual({
      svc_uid,
      merchant_uid: 'order-1',
      status: 'paid',
    });
  });

  test('comes from 52.78.5.241 with ids that do not exist when the test button sends it', async () => {
    const answer = await service.control('POST', '/settings/test-webhook');
    expect(answer.body.attempts[0].answer.status).toBe(200);
    expect(receiver.received[0]?.headers['x-forwarded-for']).toBe('52.78.5.241');
    expect(receiver.bodies()).toEqual([
      { svc_uid: 'svc_1234567890', merchant_uid: 'merchant_1234567890', status: 'ready' },
    ]);
    expect((await service.get('/payments/svc_1234567890')).status).toBe(404);
  });

  test('goes to one URL: the setting, overridden by notice_url or noticeUrls of the request for all its events', async () => {
    const other = await runReceiver();
    const { svc_uid } = await service.pay({ notice_url: other.url });
    await service.control('POST', `/payments/${svc_uid}/cancel`);
    await service.pay({ noticeUrls: [other.url, `${other.url}?second`] });
    await service.notifications();
    expect([receiver.received.length, other.received.length]).toEqual([0, 4]);
    await other.close();
  });

  test('does not happen where no URL is set, and the test button says so', async () => {
    await service.settings({ webhook_url: null });
    await service.pay();
    expect(await service.notifications()).toEqual([]);
    expect((await service.control('POST', '/settings/test-webhook')).status).toBe(400);
  });

  test('does not happen for a payment that was made with notify false', async () => {
    await service.pay({ notify: false });
    expect(await service.notifications()).toEqual([]);
  });
});

describe('sent again by hand', () => {
  test('is duplicated, with a false status, from another address, as asked', async () => {
    const { svc_uid } = await service.pay({ notify: false });
    const { body } = await service.control('POST', `/payments/${svc_uid}/notify`, {
      status: 'cancelled',
      times: 3,
      source: '203.0.113.9',
    });
    expect(body.notifications).toHaveLength(3);
    expect(receiver.bodies()).toEqual(
      Array(3).fill({ svc_uid, merchant_uid: 'order-1', status: 'cancelled' }),
    );
    expect(receiver.received.map(({ headers }) => headers['x-forwarded-for'])).toEqual(
      Array(3).fill('203.0.113.9'),
    );
  });

  test('says where the payment stands when no status is given', async () => {
    const { svc_uid } = await service.pay({ outcome: 'virtual_account', notify: false });
    await service.control('POST', `/payments/${svc_uid}/notify`);
    await service.settings({ generation: 'newer' });
    await service.control('POST', `/payments/${svc_uid}/notify`);
    expect(receiver.bodies().map(({ status }) => status)).toEqual(['ready', 'virtual_account_issued']);
  });
});

test('shows each delivery with its request and its answer', async () => {
  const { svc_uid } = await service.pay();
  expect(await service.notifications()).toEqual([
    {
      id: 1,
      event: 'paid',
      generation: 'legacy',
      svc_uid,
      url: receiver.url,
      source: '52.78.100.19',
      content_type: 'json',
      body: { svc_uid, merchant_uid: 'order-1', status: 'paid' },
      created_at: NOW,
      attempts: [
        {
          sent_at: NOW,
          took_ms: expect.any(Number),
          request: {
            headers: expect.objectContaining({ 'x-forwarded-for': '52.78.100.19' }),
            body: receiver.received[0]?.body,
          },
          answer: { status: 200, body: '{}' },
          error: null,
        },
      ],
      next_attempt_ms: null,
    },
  ]);
});
