// Nothing is sent to a payment service with an invalid certificate, and a notification waits in the meantime.

import { selfSignedCertificate } from '../../../src/local/rehearsal/certificates';
import { startTlsFront } from '../../../src/local/rehearsal/tls-front';
import {
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
  storedOutcomes,
} from '../../support/orders';
import { startWorld } from '../../support/world';

test('E13 a notification is queued and nothing is sent when the service’s certificate is invalid', async () => {
  const front = await startTlsFront(selfSignedCertificate('localhost'));
  const url = `https://localhost:${front.port}`;
  const world = await startWorld({ environment: { SERVICE_BASE_URL: url, SERVICE_V2_BASE_URL: url } });
  front.leadTo(world.sandbox.url);
  try {
    const uid = await registerOrder(world);
    const { svc_uid: svcUid } = await paySilently(world, uid);
    const before = { money: await world.rows.money(), requests: await world.sandbox.allRequests() };
    expect(await sendNotification(world, svcUid, uid)).toEqual({ status: 200, outcome: 'queued' });
    expect(await world.sandbox.allRequests()).toBe(before.requests);
    expect(await world.rows.money()).toBe(before.money);
    expect(await storedOutcomes(world)).toEqual({ 'queued:unreachable': 1 });
    const open = 'select from notifications where attempts = 1 and next_attempt_at is not null';
    expect(await world.rows.query(open)).toHaveLength(1);
    // It stays queued as long as the certificate is invalid.
    await world.advance(3600);
    expect(await orderStatus(world, uid)).toBe('open');
    expect(front.passedOn()).toBe(0);
  } finally {
    await world.close();
    await front.close();
  }
});
