// A payment service whose certificate does not verify is not asked for anything, and a notification waits in the meantime.

import { selfSignedCertificate } from '../../support/certificate';
import {
  notificationsOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { startTlsFront, type TlsFront } from '../../support/tls-front';
import { startWorld, type World } from '../../support/world';

let front: TlsFront;
let world: World;
beforeEach(async () => {
  front = await startTlsFront(selfSignedCertificate('localhost'));
  const url = `https://localhost:${front.port}`;
  world = await startWorld({ environment: { SERVICE_BASE_URL: url, SERVICE_V2_BASE_URL: url } });
  front.leadTo(world.sandbox.url);
});
afterEach(async () => {
  await world.close();
  await front.close();
});

test('E13 a certificate that does not verify: the notification is queued, and nothing is sent to the service', async () => {
  const uid = await registerOrder(world);
  const { svc_uid: svcUid } = await paySilently(world, uid);
  const before = { money: await world.rows.money(), requests: await world.sandbox.allRequests() };
  expect(await sendNotification(world, svcUid, uid)).toEqual({ status: 200, outcome: 'queued' });

  expect(front.passedOn()).toBe(0);
  expect(await world.sandbox.allRequests()).toBe(before.requests);
  expect(await world.rows.money()).toBe(before.money);
  expect(await notificationsOf(world, uid)).toEqual([{ outcome: 'queued', reason: 'unreachable' }]);
  expect(
    await world.rows.query('select attempts, next_attempt_at is not null as open from notifications'),
  ).toEqual([{ attempts: 1, open: true }]);
  // It stays so while the certificate does.
  await world.advance(3600);
  expect(await orderStatus(world, uid)).toBe('open');
  expect(front.passedOn()).toBe(0);
});
