// A token is issued, extended and refused as the document says, and no call is answered without one (§4.1, §5).

import { NOW, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const credentials = { svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' };
const issue = async () => (await service.call('POST', '/users/getToken', credentials)).body.response;
const isAccepted = async (token: string) => {
  const answer = await service.call('GET', '/payments/status/all', undefined, {
    authorization: `Bearer ${token}`,
  });
  return answer.status === 200;
};

describe('token issuance (§4.1)', () => {
  test('answers in the envelope with the token, the time and an expiry 30 minutes later', async () => {
    const answer = await service.call('POST', '/users/getToken', credentials);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      code: 0,
      message: null,
      response: { access_token: expect.stringMatching(/^\S{20,}$/), now: NOW, expired_at: NOW + 1800 },
    });
  });

  test('takes the key and the secret as a form as well', async () => {
    const answer = await service.call('POST', '/users/getToken', new URLSearchParams(credentials));
    expect(answer.body.code).toBe(0);
  });

  test('refuses wrong credentials with 401 and an envelope that repeats neither', async () => {
    const answer = await service.call('POST', '/users/getToken', {
      svc_key: 'sandbox_key',
      svc_secret: 'guess-1',
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ code: -1, message: expect.any(String), response: null });
    expect(answer.text).not.toContain('guess-1');
  });

  test('names a missing field', async () => {
    const answer = await service.call('POST', '/users/getToken', { svc_key: 'sandbox_key' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('svc_secret');
  });
});

describe('life of a token (§5.4, §5.5)', () => {
  test('returns the same token with the same expiry before the last minute', async () => {
    const first = await issue();
    await service.advance(1739);
    expect(await issue()).toEqual({ ...first, now: NOW + 1739 });
  });

  test('extends the expiry by five minutes in the last minute', async () => {
    const first = await issue();
    await service.advance(1740);
    expect(await issue()).toEqual({ ...first, now: NOW + 1740, expired_at: NOW + 1800 + 300 });
  });

  test('extends once only: the last minute of an extended token changes nothing', async () => {
    const first = await issue();
    await service.advance(1750);
    await issue();
    await service.advance(300);
    expect(await issue()).toEqual({ ...first, now: NOW + 2050, expired_at: NOW + 2100 });
  });

  test('is accepted until its expiry and refused with 401 from then on', async () => {
    const { access_token } = await issue();
    await service.advance(1799);
    expect(await isAccepted(access_token)).toBe(true);
    await service.advance(1);
    expect(await isAccepted(access_token)).toBe(false);
  });

  test('issues a new token with 30 minutes after expiry, and the old one stays refused', async () => {
    const first = await issue();
    await service.advance(1800);
    const second = await issue();
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.expired_at).toBe(NOW + 1800 + 1800);
    expect(await isAccepted(first.access_token)).toBe(false);
  });

  test('gives the same token to several servers that ask at once', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, issue));
    expect(new Set(tokens.map(({ access_token }) => access_token)).size).toBe(1);
  });
});

describe('calls without a living token (§5.6)', () => {
  const endpoints = [
    ['GET', '/payments/svc_1'],
    ['GET', '/payments/status/all'],
    ['GET', '/payments?svc_uid[]=svc_1'],
    ['GET', '/payments/find/order-1'],
    ['GET', '/payments/findAll/order-1/paid'],
    ['POST', '/payments/cancel'],
    ['POST', '/payments/prepare'],
    ['GET', '/payments/prepare/order-1'],
    ['GET', '/payments/svc_1/balance'],
    ['POST', '/subscribe/customers/card-1'],
    ['GET', '/subscribe/customers/card-1'],
    ['DELETE', '/subscribe/customers/card-1'],
    ['GET', '/subscribe/customers?customer_uid[]=card-1'],
    ['GET', '/subscribe/customers/card-1/payments'],
    ['POST', '/subscribe/payments/onetime'],
    ['POST', '/subscribe/payments/again'],
    ['POST', '/subscribe/payments/schedule'],
    ['POST', '/subscribe/payments/unschedule'],
    ['GET', '/subscribe/payments/schedule?schedule_from=1&schedule_to=2'],
    ['GET', '/subscribe/payments/schedule/order-1'],
    ['GET', '/subscribe/payments/schedule/customers/card-1'],
    ['GET', '/subscribe/customers/card-1/schedules'],
    ['GET', '/v2/payments/order-1'],
  ] as const;

  test.each(endpoints)('refuses %s %s with 401', async (method, path) => {
    for (const authorization of [undefined, 'Bearer wrong', 'Bearer ', 'Basic c3Zj']) {
      const answer = await service.call(
        method,
        path,
        undefined,
        authorization === undefined ? {} : { authorization },
      );
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ code: -1, message: expect.any(String), response: null });
    }
  });

  test('takes a bare token and marks it in the request log (§5.3)', async () => {
    const { access_token } = await issue();
    const answer = await service.call('GET', '/payments/status/all', undefined, {
      authorization: access_token,
    });
    expect(answer.status).toBe(200);
    const { requests } = (await service.control('GET', '/requests')).body;
    expect(requests.at(-1)).toMatchObject({
      endpoint: 'GET /payments/status/:payment_status',
      bare_token: true,
    });
    expect(JSON.stringify(requests)).not.toContain(access_token);
  });

  test.each(['Basic c3ZjOnN2Yw==', 'Bearer wrong', 'Bearer'])(
    'marks no header with a scheme as a bare token: %s',
    async (authorization) => {
      await service.call('GET', '/payments/svc_1', undefined, { authorization });
      expect((await service.control('GET', '/requests')).body.requests.at(-1).bare_token).toBe(false);
    },
  );
});
