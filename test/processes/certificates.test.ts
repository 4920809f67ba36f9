// Nothing is sent over a connection whose certificate does not verify, whatever the environment says.

import { selfSignedCertificate } from '../../src/local/rehearsal/certificates';
import { startTlsFront } from '../../src/local/rehearsal/tls-front';
import { openForAll } from '../support/open-between';
import { useSurroundings } from '../support/use-surroundings';

const around = useSurroundings();
const ours = openForAll(() => startTlsFront(selfSignedCertificate('localhost')));

test('E13 a certificate is verified although the environment switches that off, and the notification is queued', async () => {
  const { rows } = around;
  ours.leadTo(around.sandbox.url);
  const url = `https://localhost:${ours.port}`;
  const merchant = await around.startMerchant({
    SERVICE_BASE_URL: url,
    SERVICE_V2_BASE_URL: url,
    ORDER_EVENTS_URL: `${url}/hooks`,
    ORDER_EVENTS_SECRET: `whsec_${'A'.repeat(43)}=`,
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
  const svcUid = await merchant.payOrder('paid');
  expect(await merchant.notify(svcUid, 'paid')).toEqual({ status: 200, outcome: 'queued' });
  const open = 'select outcome, reason, next_attempt_at is not null as open from notifications';
  expect(await rows.query(open)).toEqual([{ outcome: 'queued', reason: 'unreachable', open: true }]);
  expect(await rows.query('select from payments')).toEqual([]);

  // Nor is an event posted.
  await merchant.payOrder('closed');
  expect((await merchant.api('POST', '/api/orders/closed/close', {})).status).toBe(200);
  await rows.waitFor(`select from event_deliveries
    where target = 'url' and stream = 'closed' and reason = 'unreachable' and delivered_at is null`);
  expect(ours.passedOn()).toBe(0);
});
