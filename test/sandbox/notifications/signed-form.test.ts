// The present form of the newer generation, on setting: types and ids, signed as Standard Webhooks.

import { Webhook } from 'standardwebhooks';
import { defaultConfig } from '../../../src/sandbox/config';
import { NOW, useReceiver, useSandbox } from '../../support/running-sandbox';

const SECRET = `whsec_${Buffer.from('the secret of a sandbox in a test').toString('base64')}`;
/** The first resend follows at once, the second a minute later. */
const SENDS = 3;

const receiver = useReceiver(() => (receiver.received.length < SENDS ? 500 : 200));
const service = useSandbox(() => ({ webhookUrl: receiver.url, webhookSecret: SECRET }));
const SIGNED = { generation: 'newer', newer_signed: true };
const act = (svcUid: string, action: string, body?: object) =>
  service.control('POST', `/payments/${svcUid}/${action}`, body);
const types = () => receiver.bodies().map(({ type }) => type as string);

test('a signed notification has type and ids, its id stays over a resend, and the signature has real time while the clock is moved', async () => {
  await service.settings({ ...SIGNED, content_type: 'form' });
  const { svc_uid } = await service.pay();
  await service.notifications();
  await service.advance(90);
  expect(receiver.received).toHaveLength(SENDS);
  const sent = receiver.received.map(({ headers, body }) => {
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-forwarded-for': '52.78.5.241' });
    const [id, seconds] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
    const signature = new Webhook(SECRET).sign(id, new Date(seconds * 1000), body);
    expect(headers['webhook-signature']).toBe(signature);
    return { id, seconds };
  });
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(sent.map(({ seconds }) => seconds)).toEqual([NOW, NOW, NOW]);
  const data = { storeId: 'store-sandbox', paymentId: 'order-1', transactionId: svc_uid };
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(receiver.bodies()[0]).toEqual({ type: 'Transaction.Paid', timestamp, data });
});

test('a cancellation is signed with its id, in part and in full', async () => {
  await service.settings(SIGNED);
  const { svc_uid } = await service.pay({ notify: false });
  for (const amount of [400, 600]) await act(svc_uid, 'cancel', { amount });
  await service.notifications();
  const cancelled = receiver.bodies().map(({ type, data }) => [type, data.cancellationId]);
  const ids = (await service.get(`/payments/${svc_uid}`)).body.response.cancel_history.map(
    ({ cancellation_id: id }: { cancellation_id: string }) => id,
  );
  expect(new Map(cancelled as [string, string][])).toEqual(
    new Map([
      ['Transaction.PartialCancelled', ids[0]],
      ['Transaction.Cancelled', ids[1]],
    ]),
  );
});

test('any type is sent by hand, and only in the signed form', async () => {
  const { svc_uid } = await service.pay({ notify: false });
  const dispute = { type: 'Transaction.DisputeCreated' };
  expect((await act(svc_uid, 'notify', dispute)).status).toBe(400);
  await service.settings(SIGNED);
  await act(svc_uid, 'notify', dispute);
  expect(types()).toContain(dispute.type);
});

test('the default secret has the form of Standard Webhooks', () => {
  expect(() => new Webhook(defaultConfig.webhookSecret)).not.toThrow();
});
