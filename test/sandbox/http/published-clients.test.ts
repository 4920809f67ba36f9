// `npm run sandbox:clients` needs npm's registry. What it asks of each client, and how it judges, is held here by a client that
// stands for the published ones.

import { OPERATIONS } from '../../../scripts/clients/operations';
import { play } from '../../../scripts/clients/play';
import { KEY, SECRET, type Calls, type Client } from '../../../scripts/clients/published-client';
import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox({ namePrefix: 'imp' });

/** Rejects where HTTP or `code` says no, and resolves to the `response`. */
function clientWith(secret: string): Client & { calls: Calls } {
  async function send(method: string, path: string, body?: object, token?: string) {
    const answer = await service.call(method, path, body, token ? { authorization: token } : {});
    if (answer.status !== 200 || answer.body.code !== 0) throw new Error(answer.body.message);
    return answer.body.response;
  }
  const getToken = () => send('POST', '/users/getToken', { imp_key: KEY, imp_secret: secret });
  const call = async (method: string, path: string, body?: object) =>
    send(method, path, body, (await getToken()).access_token);
  const key = (uid: string) => `/subscribe/customers/${uid}`;
  const subscribe = (name: string, body: object) => call('POST', `/subscribe/payments/${name}`, body);
  return {
    calls: {
      getToken,
      getPayment: (uid) => call('GET', `/payments/${uid}`),
      getPaymentOfOrder: (uid) => call('GET', `/payments/find/${uid}`),
      listPayments: (status) => call('GET', `/payments/status/${status}`),
      issueKey: (uid, card) => call('POST', key(uid), card),
      getKey: (uid) => call('GET', key(uid)),
      deleteKey: (uid) => call('DELETE', key(uid)),
      payAgain: (order) => subscribe('again', order),
      payOnce: (order) => subscribe('onetime', order),
      schedule: (uid, entry) => subscribe('schedule', { customer_uid: uid, schedules: [entry] }),
      listSchedules: (uid, { from, to }) => call('GET', `${key(uid)}/schedules?from=${from}&to=${to}`),
      unschedule: (uid) => subscribe('unschedule', { customer_uid: uid }),
      cancel: (request) => call('POST', '/payments/cancel', request),
      prepare: (order) => call('POST', '/payments/prepare', order),
      getPrepared: (uid) => call('GET', `/payments/prepare/${uid}`),
      issueAccount: (account) => call('POST', '/vbanks', account),
    },
    recordOf: (resolved) => resolved,
    refusalOf: (told) => (told as Error).message,
  };
}

const playWith = (calls: Partial<Calls>) =>
  play(service.url, { known: { ...clientWith(SECRET), calls }, stranger: clientWith('another_secret') });

test('a client with every call sees each operation work, and each refusal', async () => {
  const played = await playWith(clientWith(SECRET).calls);
  expect(played.filter(({ isWrong }) => isWrong)).toEqual([]);
  const cameOf = (expected: unknown) =>
    played.filter((_, index) => OPERATIONS[index]?.expected === expected).map(({ came }) => came);
  expect(played.filter(({ came }) => came === 'ok')).toHaveLength(16);
  expect(cameOf('no endpoint')).toEqual(['the sandbox has no such endpoint']);
  expect(cameOf('refusal')).toEqual(Array(6).fill(expect.stringMatching(/^(rejects|resolves): \S/)));
});

test('another record, a path that is not there and money in place of a refusal are wrong; an absent call is not', async () => {
  const { getKey: _absent, ...calls } = clientWith(SECRET).calls;
  const played = await playWith({
    ...calls,
    getPaymentOfOrder: () => Promise.resolve({ status: 'paid', amount: 1 }),
    getPrepared: (uid) => calls.getPaymentOfOrder(`${uid}/none/at/all`),
    payAgain: () => Promise.resolve({ status: 'paid', amount: 1000 }),
  });
  const cameOf = (name: string) => played.find(({ operation }) => operation === name)?.came;
  expect(played.filter(({ isWrong }) => isWrong).map(({ operation }) => operation)).toEqual([
    'payment by merchant_uid',
    'prepared amount',
    'charge with a deleted key',
  ]);
  expect(cameOf('prepared amount')).toBe('the sandbox has no such endpoint');
  expect(cameOf('billing key read')).toBe('the client has no such call');
});
