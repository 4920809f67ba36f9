// Certificates that do not verify: nothing is sent over such a connection, whatever the environment says, and `npm run
// doctor` names each with what is wrong with it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/start-sandbox';
import { callApi } from '../support/call-api';
import { selfSignedCertificate } from '../support/certificate';
import { programsFolder } from '../support/compiled-programs';
import { API_KEY, TEST_ENVIRONMENT } from '../support/config';
import { runDoctor } from '../support/doctor';
import { eventually } from '../support/eventually';
import { startMerchantProcess } from '../support/merchant-process';
import { paySilently, registerOrder } from '../support/orders';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { openRows, type Rows } from '../support/rows';
import { createSandboxControls } from '../support/sandbox-controls';
import { startTlsFront, type TlsFront } from '../support/tls-front';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy';

const SERVICE = '52.78.100.19';

let folder: string;
let database: TestDatabase;
let rows: Rows;
let databaseProxy: TlsProxy;
let sandboxProcess: RunningSandbox;
let ours: TlsFront;
let misnamed: TlsFront;
let authority: string;

jest.setTimeout(60_000);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  database = await createTestDatabase();
  rows = openRows(database.url);
  databaseProxy = await startTlsProxy(database.url, selfSignedCertificate('localhost'));
  sandboxProcess = await startSandbox({ config: { port: 0, namePrefix: 'abc' } });
  ours = await startTlsFront(selfSignedCertificate('localhost'));
  const other = selfSignedCertificate('other.example.com');
  misnamed = await startTlsFront(other);
  for (const front of [ours, misnamed]) front.leadTo(sandboxProcess.url);
  authority = join(folder, 'ca.pem');
  writeFileSync(authority, other.cert);
});
afterAll(async () => {
  await ours?.close();
  await misnamed?.close();
  await databaseProxy?.close();
  await sandboxProcess?.close();
  await rows?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('E13 with verification switched off in the environment a certificate is verified all the same, and the notification queued', async () => {
  const url = `https://localhost:${ours.port}`;
  const merchant = await startMerchantProcess({
    ...TEST_ENVIRONMENT,
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: url,
    SERVICE_V2_BASE_URL: url,
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    API_KEY,
  });
  try {
    const origin = `http://127.0.0.1:${merchant.port}`;
    const uid = await registerOrder({ api: (method, path, body) => callApi(origin, method, path, body) });
    const { svc_uid } = await paySilently({ sandbox: createSandboxControls(sandboxProcess.url) }, uid);
    const answer = await fetch(`${origin}/webhooks/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE },
      body: JSON.stringify({ abc_uid: svc_uid, merchant_uid: uid, status: 'paid' }),
    });
    expect([answer.status, await answer.json()]).toEqual([200, { outcome: 'queued' }]);
    expect(ours.passedOn()).toBe(0);
    const open = 'select outcome, reason, next_attempt_at is not null as open from notifications';
    expect(await rows.query(open)).toEqual([{ outcome: 'queued', reason: 'unreachable', open: true }]);
    expect(await rows.query('select 1 from payments')).toEqual([]);
  } finally {
    await merchant.kill('SIGKILL');
  }
});

test('with verification switched off in the environment no event is posted to a receiver whose certificate does not verify', async () => {
  const merchant = await startMerchantProcess({
    ...TEST_ENVIRONMENT,
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: sandboxProcess.url,
    SERVICE_V2_BASE_URL: sandboxProcess.url,
    ORDER_EVENTS_URL: `https://localhost:${ours.port}/hooks`,
    ORDER_EVENTS_SECRET: `whsec_${'A'.repeat(43)}=`,
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    API_KEY,
  });
  try {
    const origin = `http://127.0.0.1:${merchant.port}`;
    const uid = await registerOrder({ api: (method, path, body) => callApi(origin, method, path, body) });
    expect((await callApi(origin, 'POST', `/api/orders/${uid}/close`, {})).status).toBe(200);
    const delivery = `select reason from event_deliveries where target = 'url' and stream = $1
      and (reason is not null or delivered_at is not null)`;
    await eventually(async () => (await rows.query(delivery, [uid])).length > 0);
    expect(await rows.query(delivery, [uid])).toEqual([{ reason: 'unreachable' }]);
    expect(ours.passedOn()).toBe(0);
  } finally {
    await merchant.kill('SIGKILL');
  }
});

test('doctor names the certificate of the service, the database and the receiver of events, each with its fix', async () => {
  const databaseUrl = new URL(database.url);
  databaseUrl.host = `localhost:${databaseProxy.port}`;
  databaseUrl.search = 'sslmode=verify-full';
  const diagnosis = await runDoctor(
    {
      ...TEST_ENVIRONMENT,
      PORT: '9',
      DATABASE_URL: databaseUrl.href,
      SERVICE_BASE_URL: `https://localhost:${misnamed.port}`,
      SERVICE_V2_BASE_URL: `https://localhost:${ours.port}`,
      ORDER_EVENTS_URL: `https://localhost:${ours.port}/hooks`,
      ORDER_EVENTS_SECRET: `whsec_${'A'.repeat(43)}=`,
      NODE_EXTRA_CA_CERTS: authority,
    },
    programsFolder(),
  );
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
    says: `https://localhost:${ours.port}/hooks shows ${selfSigned}: no event is sent`,
    fix: expect.stringContaining('NODE_EXTRA_CA_CERTS=/path/ca.pem'),
  });
  expect([ours.passedOn(), misnamed.passedOn(), databaseProxy.seen()]).toEqual([0, 0, []]);
});
