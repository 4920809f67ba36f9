// An answer of the service is a success or one kind of error, and its texts are cleaned.

import {
  LEGACY,
  NEWER,
  readError,
  type Generation,
} from '../../../src/merchant/payment-service/transport/envelope';
import { factsOf } from '../../support/service-client';

const call = { method: 'GET', path: '/payments/{svc_uid}' };
const secrets = ['secret-1'];
/** As the interceptors do. */
function readAs(
  generation: Generation,
  status: number,
  data: unknown,
  headers: Record<string, unknown> = {},
) {
  const answer = { status, data, headers };
  if (status < 200 || status >= 300) throw readError(generation, answer, call, secrets);
  return generation.readPayload(answer, call, secrets);
}
const read = (...answer: [status: number, data: unknown, headers?: Record<string, unknown>]) =>
  factsOf(Promise.resolve().then(() => readAs(LEGACY, ...answer)));

const refusal = { code: -1, message: 'no such payment', response: null };

test('code 0 with any 2xx gives the response', () => {
  const body = { code: 0, message: null, response: { a: 1 } };
  expect(readAs(LEGACY, 207, body)).toEqual({ a: 1 });
});

test.each([
  [200, refusal, 'refused'],
  [400, refusal, 'refused'],
  [401, refusal, 'unauthorized'],
  [401, undefined, 'unauthorized'],
  [404, refusal, 'not_found'],
  // An answer that is not an envelope proves nothing.
  [404, undefined, 'bad_answer'],
  [403, undefined, 'bad_answer'],
  [429, undefined, 'rate_limited'],
  [500, refusal, 'server_error'],
  [503, undefined, 'server_error'],
  [307, refusal, 'bad_answer'],
  [200, undefined, 'bad_answer'],
  [200, null, 'bad_answer'],
  [200, { message: null, response: {} }, 'bad_answer'],
  [200, { code: '0', message: null, response: {} }, 'bad_answer'],
])('HTTP %d with %j is %s', async (status, body, kind) => {
  const mayHaveHappened = ['server_error', 'bad_answer'].includes(kind);
  expect(await read(status, body)).toMatchObject({ kind, status, ...call, mayHaveHappened });
});

test.each([
  ['card numbers masked', 'card 4242-4242-4242-4242 declined', 'card 4242-42**-****-4242 declined'],
  ['our secrets taken out', 'wrong secret-1', 'wrong ***'],
  ['control characters gone', '\u001b[31ma\u0000b\r\nc\u202e', 'ab c'],
  ['at most 200 characters', 'x'.repeat(10_000), 'x'.repeat(200)],
])('E24, J8: an error message is stored with %s', async (_, message, serviceMessage) => {
  expect(await read(200, { ...refusal, message })).toMatchObject({ code: -1, serviceMessage });
});

const DATE = 'Sat, 21 Nov 2026 08:00:00 GMT';
test.each([
  ['seconds', { 'retry-after': '120' }, 120],
  ['a date on the service’s clock', { 'retry-after': DATE.replace('08:00', '08:01'), date: DATE }, 60],
  ['more than an hour', { 'retry-after': '86400' }, 3_600],
  ['a date in the past', { 'retry-after': DATE.replace('08:', '07:'), date: DATE }, 0],
  ['nonsense', { 'retry-after': 'soon' }, undefined],
  ['nothing', {}, undefined],
])('E21: Retry-After as %s', async (_, headers, retryAfterSeconds) => {
  expect((await read(429, undefined, headers))['retryAfterSeconds']).toBe(retryAfterSeconds);
});

test('newer generation: the object is the payload, and errors are the same', async () => {
  const failure = (status: number, data: unknown) =>
    factsOf(Promise.resolve().then(() => readAs(NEWER, status, data)));
  const body = { payment: {} };
  expect(readAs(NEWER, 200, body)).toBe(body);
  const notFound = { kind: 'not_found', serviceMessage: 'none' };
  expect(await failure(404, { message: 'none' })).toMatchObject(notFound);
  expect(await failure(404, undefined)).toMatchObject({ kind: 'bad_answer' });
  expect(await failure(200, [])).toMatchObject({ kind: 'bad_answer' });
});
