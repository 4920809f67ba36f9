// `npm run sandbox:clients` needs npm's registry. What it asks of each client, and how it judges, is held here by a client that
// stands for the published ones.

import { OPERATIONS } from '../../../scripts/clients/operations';
import { play } from '../../../scripts/clients/play';
import { KEY, SECRET, type Calls, type Client } from '../../../scripts/clients/published-client';
import { runSandbox, type Running } from '../../support/running-sandbox';

let service: Running;
beforeEach(async () => {
  service = await runSandbox({ namePrefix: 'imp' });
});
afterEach(() => service.close());

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
  const cameWhere = (expected: unknown) =>
    played.filter((_, index) => OPERATIONS[index]?.expected === expected).map(({ came }) => came);
  expect(played.filter(({ came }) => came === 'ok')).toHaveLength(16);
  expect(cameWhere('no endpoint')).toEqual(['the sandbox has no such endpoint']);
  expect(cameWhere('refusal')).toEqual([
    'rejects: imp_uid: no such payment',
    expect.stringMatching(/^rejects: 카드사/),
    expect.stringMatching(/^resolves: status failed, 카드사/),
    'rejects: 등록되지 않은 구매자입니다.',
    'rejects: the payment is already cancelled',
    'rejects: imp_key and imp_secret do not belong together',
  ]);
});

test('another record, a path that is not there and money in place of a refusal are wrong; an absent call is not', async () => {
  const { calls } = clientWith(SECRET);
  const changed: Partial<Calls> = {
    ...calls,
    getPaymentOfOrder: () => Promise.resolve({ status: 'paid', amount: 1 }),
    getPrepared: (uid) => calls.getPaymentOfOrder(`${uid}/none/at/all`),
    payAgain: () => Promise.resolve({ status: 'paid', amount: 1000 }),
  };
  delete changed.getKey;
  const played = await playWith(changed);
  const cameOf = (name: string) => played.find(({ operation }) => operation === name)?.came;
  expect(played.filter(({ isWrong }) => isWrong).map(({ operation }) => operation)).toEqual([
    'payment by merchant_uid',
    'prepared amount',
    'charge with a deleted key',
  ]);
  expect(cameOf('prepared amount')).toBe('the sandbox has no such endpoint');
  expect(cameOf('billing key read')).toBe('the client has no such call');
});
