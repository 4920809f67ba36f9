// Very many requests at once, from a listed address and from elsewhere (rows K7 and K8 of docs/faults.md).

import { metric } from '../support/card-form';
import {
  newUid,
  notifyMany,
  paySilently,
  registerOrder,
  sendNotification,
  storedOutcomes,
} from '../support/orders';
import { sendBytes } from '../support/raw-http';
import { FETCH_PAYMENT } from '../support/sandbox-controls';
import { useFreshWorld } from '../support/use-world';

const world = useFreshWorld();

/** At once, and then twenty in a second. */
const MAY_BE_FETCHED = 100;
/** No more connections than a peer may hold. */
const CONNECTIONS = 40;

test('K7 a thousand notifications with random ids from a listed address are stored and answered without a 429, the service is asked at a set rate, and there is one warning', async () => {
  const numbers = [...Array(1000).keys()];
  const invented = numbers.map((n) => ({ svcUid: `svc_random_${n}`, merchantUid: `random-${n}` }));
  const money = await world.rows.money();
  const [fetched, queued] = [MAY_BE_FETCHED, 1000 - MAY_BE_FETCHED];
  // Counted by outcome: a 429, or any answer that is none of the webhook's, has no such outcome.
  expect(await notifyMany(world, invented)).toEqual({ unknown_payment: fetched, queued });
  expect(await world.sandbox.requests(FETCH_PAYMENT)).toBe(fetched);
  expect(await storedOutcomes(world)).toEqual({ unknown_payment: fetched, 'queued:paced': queued });
  expect(await world.rows.money()).toBe(money);
  expect(world.log.events('notifications_paced')).toHaveLength(1);
  expect(await metric(world, 'merchant_notifications_paced_total')).toBe(queued);
  const merchantUid = await registerOrder(world, newUid());
  const { svc_uid: svcUid } = await paySilently(world, merchantUid);
  expect(await sendNotification(world, svcUid, merchantUid)).toEqual({ status: 200, outcome: 'recorded' });
});

test('K8 two thousand requests from elsewhere are 403, although their bodies never come and the database is away', async () => {
  const head =
    'POST /webhooks/payments HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n' +
    'Content-Type: application/json\r\nContent-Length: 16000\r\n\r\n';
  const answers: string[] = [];
  const sendOneByOne = async () => {
    for (let sent = 0; sent < 2000 / CONNECTIONS; sent += 1) answers.push(await sendBytes(world.url, head));
  };
  await world.withoutDatabase(() => Promise.all(Array.from({ length: CONNECTIONS }, sendOneByOne)));
  expect(answers).toHaveLength(2000);
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 403 Forbidden']));
  expect(world.log.events('webhook_source_not_listed')).toHaveLength(2000);
  expect(await world.sandbox.allRequests()).toBe(0);
  expect(await world.rows.query('select from notifications')).toEqual([]);
});
