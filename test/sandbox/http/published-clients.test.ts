// `npm run sandbox:clients` needs npm's registry. How it judges what a client came to is held here by one that stands for the
// published ones and gets three things wrong.

import { play } from '../../../scripts/clients/play';
import type { Calls, Client } from '../../../scripts/clients/published-client';
import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

/** Rejects where HTTP says no, and resolves to the `response`. Signs in each time: `play` empties the sandbox first. */
async function get(path: string) {
  await service.signIn();
  const { status, body } = await service.get(path);
  if (status !== 200) throw new Error(body.message);
  return body.response;
}
const CALLS: Partial<Calls> = {
  getPayment: (uid) => get(`/payments/${uid}`),
  getPaymentOfOrder: () => Promise.resolve({ status: 'paid', amount: 1 }),
  getPrepared: (uid) => get(`/none/at/all/${uid}`),
  payAgain: () => Promise.resolve({ status: 'paid', amount: 1000 }),
};

test('another record, a path that is not there and money in place of a refusal are wrong; an absent call is not', async () => {
  const client: Client = {
    calls: CALLS,
    recordOf: (resolved) => resolved,
    refusalOf: (told) => (told as Error).message,
  };
  const stranger = { ...client, calls: { getPayment: () => Promise.reject(new Error('who?')) } };
  const played = await play(service.url, { known: client, stranger });
  expect(played.filter(({ isWrong }) => isWrong).map(({ operation }) => operation)).toEqual([
    'payment by merchant_uid',
    'prepared amount',
    'charge with a deleted key',
  ]);
  const came = Object.fromEntries(played.map((each) => [each.operation, each.came]));
  expect(came).toMatchObject({
    'payment by svc_uid': 'ok',
    'unknown payment': 'rejects: svc_uid: no such payment',
    'wrong secret': 'rejects: who?',
    'prepared amount': 'the sandbox has no such endpoint',
    'billing key read': 'the client has no such call',
  });
});
