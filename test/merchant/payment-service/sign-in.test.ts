// The lifetime of a token stays within bounds, and a malformed token is a bad answer in both generations.

import { systemClock } from '../../../src/merchant/clock';
import { withDeadline } from '../../../src/merchant/payment-service/transport/deadline';
import {
  readEnvelope,
  readPlain,
  type ReadPayload,
} from '../../../src/merchant/payment-service/transport/envelope';
import { signIn as legacySignIn, newerSignIn } from '../../../src/merchant/payment-service/transport/sign-in';
import { wireNames } from '../../../src/merchant/payment-service/transport/wire-names';

const answering = (body: unknown, readPayload: ReadPayload) => ({
  http: { send: () => Promise.resolve({ status: 200, headers: {}, text: JSON.stringify(body) }) },
  transport: {
    names: wireNames('svc'),
    baseUrl: 'http://service.test',
    secrets: [],
    clock: systemClock,
    onCall: () => undefined,
    readPayload,
  },
});
const signIn = (response: unknown) =>
  withDeadline(1_000, (deadline) =>
    legacySignIn(
      { ...answering({ code: 0, response }, readEnvelope), deadline },
      { key: 'key', secret: 'secret' },
    ),
  );
const signInToNewer = (payload: unknown) =>
  withDeadline(1_000, (deadline) => newerSignIn({ ...answering(payload, readPlain), deadline }, 'key'));

const NOW = 1_795_248_000;

test.each([
  ['30 minutes', { now: NOW, expired_at: NOW + 1_800 }, 1_800],
  ['E8: shifted by nine hours', { now: NOW, expired_at: NOW + 1_800 + 9 * 3_600 }, 2_100],
  ['E8: shifted back', { now: NOW, expired_at: NOW + 1_800 - 9 * 3_600 }, 60],
  ['E9: both missing', {}, 60],
  ['E9: now missing', { expired_at: NOW }, 60],
  ['E9: text', { now: String(NOW), expired_at: String(NOW + 1_800) }, 60],
  ['E9: negative', { now: -5, expired_at: 5 }, 60],
])('life of a token: %s', async (_, times, seconds) => {
  expect((await signIn({ access_token: 't', ...times })).lifetimeMs).toBe(seconds * 1_000);
});

test.each([
  ['missing', {}],
  ['empty', { access_token: '' }],
  ['null', { access_token: null }],
  ['an object', { access_token: { token: 't' } }],
  ['a list', { access_token: ['t'] }],
  ['with CR and LF', { access_token: 't\r\nX-Evil: 1' }],
  ['with a space', { access_token: 'a b' }],
  ['with other than ASCII', { access_token: 'tökén' }],
  ['endless', { access_token: 't'.repeat(5_000) }],
])('E11: a token that is %s is a bad answer, in both generations', async (_, payload) => {
  await expect(signIn(payload)).rejects.toThrow('access_token is missing or not as described');
  await expect(signInToNewer(payload)).rejects.toThrow('access_token');
});
