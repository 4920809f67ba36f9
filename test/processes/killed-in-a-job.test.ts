// A merchant process is killed with `kill -9` while it has a job in hand (row M27 of docs/faults.md). The engine believes
// it alive for four hours; nothing of ours waits for that, and the row that it left is deleted in the end.

import { startSandbox, type RunningSandbox } from '../../src/sandbox/start-sandbox';
import { callApi } from '../support/call-api';
import { API_KEY } from '../support/config';
import { FIND_PAYMENTS } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { holdReconciliation } from '../support/hold-reconciliation';
import { jobsOfTheStart, loseAnswer } from '../support/lost-payment';
import { startMerchantProcess, type MerchantProcess } from '../support/merchant-process';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { openRows, type Rows } from '../support/rows';
import { createSandboxControls, type SandboxControls } from '../support/sandbox-controls';

let database: TestDatabase;
let rows: Rows;
let reconciling: () => Promise<void>;
let sandboxProcess: RunningSandbox;
let sandbox: SandboxControls;
let merchant: MerchantProcess;

jest.setTimeout(60_000);

beforeAll(async () => {
  database = await createTestDatabase();
  rows = openRows(database.url);
  reconciling = await holdReconciliation(database.url);
  sandboxProcess = await startSandbox({ config: { port: 0 } });
  sandbox = createSandboxControls(sandboxProcess.url);
  merchant = await start();
});
afterAll(async () => {
  await merchant?.kill('SIGKILL');
  await reconciling?.();
  await sandboxProcess?.close();
  await rows?.close();
  await database?.drop();
});

test('M27 a job that a killed process had in hand runs again in the next one, and its old row does not stay', async () => {
  const api = (method: string, path: string, body?: unknown) =>
    callApi(`http://127.0.0.1:${merchant.port}`, method, path, body);
  await jobsOfTheStart(rows);
  await loseAnswer(api, sandbox, 'killed');
  await sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'delay', delay_ms: 8000, times: 1 });
  const before = await sandbox.requests(FIND_PAYMENTS);
  await eventually(async () => (await sandbox.requests(FIND_PAYMENTS)) > before);
  await merchant.kill('SIGKILL');
  const [charge] = await rows.query<{ id: string }>('select id from charges');
  expect(await heldJobs()).toEqual([{ task: 'recover-attempt', key: `recover-charge-${charge?.id}` }]);

  merchant = await start();
  await rows.waitFor(`select 1 from charges where status = 'paid'`);
  expect(await rows.query('select status, version from orders')).toEqual([{ status: 'paid', version: 1 }]);
  expect(await rows.query('select merchant_uid from payments')).toEqual([{ merchant_uid: 'killed' }]);

  // The row of the dead process has lost its key and its attempts. It goes when the engine gives its holder up.
  const old = { task: 'recover-attempt', key: null };
  await deleteOldRows();
  expect(await heldJobs()).toContainEqual(old);
  await rows.query(`update graphile_worker._private_jobs set locked_at = now() - interval '5 hours'
    where locked_at is not null and key is null`);
  await deleteOldRows();
  expect(await heldJobs()).not.toContainEqual(old);
  expect(merchant.events('old_rows_deleted').at(-1)).toMatchObject({ jobs: 1 });
});

const heldJobs = () =>
  rows.query(
    `select task_identifier as task, key from graphile_worker.jobs
     where locked_at is not null and task_identifier = 'recover-attempt'`,
  );

async function deleteOldRows(): Promise<void> {
  const before = merchant.events('old_rows_deleted').length;
  await rows.query(`select graphile_worker.add_job('delete-old-rows')`);
  await eventually(() => merchant.events('old_rows_deleted').length > before);
}

function start(): Promise<MerchantProcess> {
  return startMerchantProcess({
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: sandboxProcess.url,
    SERVICE_V2_BASE_URL: sandboxProcess.url,
    API_KEY,
    TRUSTED_PROXIES: '127.0.0.1',
  });
}
