// The lifetime of a token stays within bounds, and a malformed token is a bad answer in both generations.

import { withDeadline } from '../../../src/merchant/payment-service/transport/deadline';
import { readEnvelope, readPlain } from '../../../src/merchant/payment-service/transport/envelope';
import { newerSignIn, signIn } from '../../../src/merchant/payment-service/transport/sign-in';
import { wireNames } from '../../../src/merchant/payment-service/transport/wire-names';
import { systemClock } from '../../../src/merchant/platform/clock';

function answering(body: unknown) {
  const http = { send: () => Promise.resolve({ status: 200, headers: {}, text: JSON.stringify(body) }) };
  const baseUrl = 'http://service.test';
  const onCall = () => undefined;
  return { http, transport: { names: wireNames('svc'), baseUrl, secrets: [], clock: systemClock, onCall } };
}
const legacyToken = (response: unknown) =>
  withDeadline(60_000, (deadline) => {
    const { http, transport } = answering({ code: 0, response });
    const connection = { http, transport: { ...transport, readPayload: readEnvelope }, deadline };
    return signIn(connection, { key: 'key', secret: 'secret' });
  });
const newerToken = (payload: unknown) =>
  withDeadline(60_000, (deadline) => {
    const { http, transport } = answering(payload);
    return newerSignIn({ http, transport: { ...transport, readPayload: readPlain }, deadline }, 'key');
  });

const NOW = 1_795_248_000;

test.each([
  ['30 minutes', { now: NOW, expired_at: NOW + 1_800 }, 1_800],
  ['E8: shifted by nine hours', { now: NOW, expired_at: NOW + 1_800 + 9 * 3_600 }, 2_100],
  ['E8: shifted back', { now: NOW, expired_at: NOW + 1_800 - 9 * 3_600 }, 60],
  ['E9: both missing', {}, 60],
  ['E9: text', { now: String(NOW), expired_at: String(NOW + 1_800) }, 60],
  ['E9: negative', { now: -5, expired_at: 5 }, 60],
])('life of a token: %s', async (_, times, seconds) => {
  expect((await legacyToken({ access_token: 't', ...times })).lifetimeMs).toBe(seconds * 1_000);
});

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['with CR and LF', 't\r\nX-Evil: 1'],
  ['with other than ASCII', 'tökén'],
  ['endless', 't'.repeat(5_000)],
])('E11: a token that is %s is a bad answer, in both generations', async (_, access_token) => {
  const said = 'access_token is missing or not as described';
  await expect(legacyToken({ access_token })).rejects.toThrow(said);
  await expect(newerToken({ access_token })).rejects.toThrow('access_token');
});
