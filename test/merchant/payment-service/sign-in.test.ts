// The lifetime of a token stays within bounds, and a malformed token is a bad answer in both generations.

import { legacySignIn, newerSignIn } from '../../../src/merchant/payment-service/transport/access-token';
import { serviceResponse } from '../../support/service-client';

const legacyToken = (payload: unknown) =>
  legacySignIn({ key: 'key', secret: 'secret' }).read(serviceResponse(payload));
const newerToken = (payload: unknown) => newerSignIn('key').read(serviceResponse(payload));

const NOW = 1_795_248_000;

test.each([
  ['30 minutes', { now: NOW, expired_at: NOW + 1_800 }, 1_800],
  ['E8: shifted by nine hours', { now: NOW, expired_at: NOW + 1_800 + 9 * 3_600 }, 2_100],
  ['E8: shifted back', { now: NOW, expired_at: NOW + 1_800 - 9 * 3_600 }, 60],
  ['E9: both missing', {}, 60],
  ['E9: text', { now: String(NOW), expired_at: String(NOW + 1_800) }, 60],
  ['E9: negative', { now: -5, expired_at: 5 }, 60],
])('lifetime of a token: %s', (_, times, seconds) => {
  expect(legacyToken({ access_token: 't', ...times }).lifetimeMs).toBe(seconds * 1_000);
});

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['with CR and LF', 't\r\nX-Evil: 1'],
  ['with other than ASCII', 'tökén'],
  ['endless', 't'.repeat(5_000)],
])('E11: a token that is %s is a bad answer, in both generations', (_, access_token) => {
  const said = 'access_token is missing or not as described';
  expect(() => legacyToken({ access_token })).toThrow(said);
  expect(() => newerToken({ access_token })).toThrow(said);
});
