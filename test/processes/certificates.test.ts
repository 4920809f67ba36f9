// Certificates that do not verify: nothing is sent over such a connection, whatever the environment says, and `npm run
// doctor` names each with what is wrong with it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programsFolder } from '../support/processes';
import {
  selfSignedCertificate,
  startTlsFront,
  startTlsProxy,
  type TlsFront,
  type TlsProxy,
} from '../support/tls';
import { useSurroundings } from '../support/use-surroundings';
import { runDoctor } from './doctor';

const around = useSurroundings();
let folder: string;
let databaseProxy: TlsProxy;
let ours: TlsFront;
let misnamed: TlsFront;
/** Where nothing may be sent. */
let unverified: Record<string, string>;
let eventsUrl: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  databaseProxy = await startTlsProxy(around.database.url, selfSignedCertificate('localhost'));
  ours = await startTlsFront(selfSignedCertificate('localhost'));
  const other = selfSignedCertificate('other.example.com');
  misnamed = await startTlsFront(other);
  for (const front of [ours, misnamed]) front.leadTo(around.sandbox.url);
  writeFileSync(join(folder, 'ca.pem'), other.cert);
  const url = `https://localhost:${ours.port}`;
  eventsUrl = `${url}/hooks`;
  unverified = {
    SERVICE_BASE_URL: url,
    SERVICE_V2_BASE_URL: url,
    ORDER_EVENTS_URL: eventsUrl,
    ORDER_EVENTS_SECRET: `whsec_${'A'.repeat(43)}=`,
  };
});
afterAll(async () => {
  await ours?.close();
  await misnamed?.close();
  await databaseProxy?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('E13 with verification switched off in the environment a certificate is verified all the same, and the notification queued', async () => {
  const { rows } = around;
  const merchant = await around.startMerchant({ ...unverified, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
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
  await merchant.kill('SIGKILL');
});

test('doctor names the certificate of the service, the database and the receiver of events, each with its fix', async () => {
  const databaseUrl = new URL(around.database.url);
  databaseUrl.host = `localhost:${databaseProxy.port}`;
  databaseUrl.search = 'sslmode=verify-full';
  const settings = {
    ...around.environment,
    ...unverified,
    PORT: '9',
    DATABASE_URL: databaseUrl.href,
    SERVICE_BASE_URL: `https://localhost:${misnamed.port}`,
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  };
  const diagnosis = await runDoctor(settings, programsFolder());
  expect(diagnosis.exitCode).toBe(1);
  const selfSigned = 'a certificate that it has signed itself (DEPTH_ZERO_SELF_SIGNED_CERT)';
  expect(diagnosis.item('database')).toMatchObject({
    says: `the server shows ${selfSigned}: nothing was sent to it`,
    fix: expect.stringContaining('sslrootcert=/path/ca.pem'),
  });
  expect(diagnosis.item('service')?.says).toBe(
    'The payment service shows a certificate of another host name (ERR_TLS_CERT_ALTNAME_INVALID): nothing was sent to it.',
  );
  expect(diagnosis.item('service v2')).toMatchObject({
    says: `The payment service shows ${selfSigned}: nothing was sent to it.`,
    fix: expect.stringContaining('NODE_EXTRA_CA_CERTS=/path/ca.pem'),
  });
  expect(diagnosis.item('order events')).toMatchObject({
    says: `${eventsUrl} shows ${selfSigned}: no event is sent`,
    fix: expect.stringContaining('NODE_EXTRA_CA_CERTS=/path/ca.pem'),
  });
  expect([ours.passedOn(), misnamed.passedOn(), databaseProxy.seen()]).toEqual([0, 0, []]);
});
