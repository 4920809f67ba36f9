// Tokens are issued, extended and refused as documented, and no call works without one (§4.1, §5).

import { sandboxRoutes } from '../../support/all-routes';
import { NOW, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const CREDENTIALS = { svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' };
const REFUSAL = { code: -1, message: expect.any(String), response: null };
const getToken = (body: object) => service.call('POST', '/users/getToken', body);
const issue = async () => (await getToken(CREDENTIALS)).body.response;
const ask = (authorization?: string, method = 'GET', path = '/payments/status/all') =>
  service.call(method, path, undefined, authorization === undefined ? {} : { authorization });
const statusFor = async (token: string) => (await ask(`Bearer ${token}`)).status;

test('answers in the envelope with the token, the time and an expiry 30 minutes later', async () => {
  const response = {
    access_token: expect.stringMatching(/^\S{20,}$/),
    now: NOW,
    expired_at: NOW + 1800,
  };
  const { status, body } = await getToken(CREDENTIALS);
  expect([status, body]).toEqual([200, { code: 0, message: null, response }]);
});

test('refuses wrong credentials with 401 and an envelope that repeats neither', async () => {
  const { status, body, text } = await getToken({ ...CREDENTIALS, svc_secret: 'guess-1' });
  expect([status, body]).toEqual([401, REFUSAL]);
  expect(text).not.toContain('guess-1');
});

test.each([
  ['returns the same token with the same expiry before the last minute', [1739], 1800],
  ['extends the expiry by five minutes in the last minute', [1740], 2100],
  ['extends once only: the last minute of an extended token changes nothing', [1750, 300], 2100],
])('%s', async (_, pauses, expiresAfter) => {
  const first = await issue();
  let latest = first;
  for (const pause of pauses) {
    await service.advance(pause);
    latest = await issue();
  }
  expect(latest).toMatchObject({ access_token: first.access_token, expired_at: NOW + expiresAfter });
});

test('a token is accepted until its expiry and refused with 401 from then on, also when a new one is issued', async () => {
  const first = await issue();
  await service.advance(1799);
  expect(await statusFor(first.access_token)).toBe(200);
  await service.advance(1);
  expect(await statusFor(first.access_token)).toBe(401);
  const second = await issue();
  expect(second.access_token).not.toBe(first.access_token);
  expect(second.expired_at).toBe(NOW + 1800 + 1800);
  expect(await statusFor(first.access_token)).toBe(401);
});

test('gives the same token to several servers that ask at once', async () => {
  const tokens = await Promise.all(Array.from({ length: 10 }, issue));
  expect(new Set(tokens.map(({ access_token }) => access_token)).size).toBe(1);
});

test('calls without a living token are refused with 401 on every endpoint', async () => {
  const isOpen = /^\/(_sandbox|console|window|receipts|users\/getToken|v2\/signin|$)/;
  const endpoints = sandboxRoutes().filter(({ path }) => !isOpen.test(path));
  expect(endpoints).toHaveLength(25);
  for (const { method, path } of endpoints)
    for (const authorization of [undefined, 'Bearer wrong', 'Bearer ', 'Basic c3Zj']) {
      const { status, body } = await ask(authorization, method.toUpperCase(), path);
      expect([method, path, status, body]).toEqual([method, path, 401, REFUSAL]);
    }
});

test('takes a bare token and marks it in the request log (§5.3)', async () => {
  const { access_token } = await issue();
  for (const [authorization, status, bare_token] of [
    [access_token, 200, true],
    ['Basic c3ZjOnN2Yw==', 401, false],
    ['Bearer wrong', 401, false],
    ['Bearer', 401, false],
  ] as const) {
    expect((await ask(authorization)).status).toBe(status);
    const { requests } = (await service.control('GET', '/requests')).body;
    expect(requests.at(-1)).toMatchObject({ bare_token });
    expect(JSON.stringify(requests)).not.toContain(access_token);
  }
});
