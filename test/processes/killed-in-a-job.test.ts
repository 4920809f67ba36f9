// A merchant process is killed with `kill -9` while it has a job in hand (row M27 of docs/faults.md). The engine believes
// it alive for four hours; nothing of ours waits for that, and the row that it left is deleted in the end.

import { callApi } from '../support/call-api';
import { FIND_PAYMENTS } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { jobsOfTheStart, loseAnswer } from '../support/lost-payment';
import type { MerchantProcess } from '../support/merchant-process';
import { useSurroundings } from '../support/use-surroundings';

const around = useSurroundings();
let merchant: MerchantProcess;

jest.setTimeout(60_000);

beforeAll(async () => {
  await around.holdReconciliation();
  merchant = await around.startMerchant();
});

test('M27 a job that a killed process had in hand runs again in the next one, and its old row does not stay', async () => {
  const api = (method: string, path: string, body?: unknown) =>
    callApi(`http://127.0.0.1:${merchant.port}`, method, path, body);
  await jobsOfTheStart(around.rows);
  await loseAnswer(api, around.sandbox, 'killed');
  await around.sandbox.fault({ endpoint: FIND_PAYMENTS, kind: 'delay', delay_ms: 8000, times: 1 });
  const before = await around.sandbox.requests(FIND_PAYMENTS);
  await eventually(async () => (await around.sandbox.requests(FIND_PAYMENTS)) > before);
  await merchant.kill('SIGKILL');
  const [charge] = await around.rows.query<{ id: string }>('select id from charges');
  expect(await heldJobs()).toEqual([{ task: 'recover-attempt', key: `recover-charge-${charge?.id}` }]);

  merchant = await around.startMerchant();
  await around.rows.waitFor(`select 1 from charges where status = 'paid'`);
  expect(await around.rows.query('select status, version from orders')).toEqual([
    { status: 'paid', version: 1 },
  ]);
  expect(await around.rows.query('select merchant_uid from payments')).toEqual([{ merchant_uid: 'killed' }]);

  // The row of the dead process has lost its key and its attempts. It goes when the engine gives its holder up.
  const old = { task: 'recover-attempt', key: null };
  await deleteOldRows();
  expect(await heldJobs()).toContainEqual(old);
  await around.rows.query(`update graphile_worker._private_jobs set locked_at = now() - interval '5 hours'
    where locked_at is not null and key is null`);
  await deleteOldRows();
  expect(await heldJobs()).not.toContainEqual(old);
  expect(merchant.events('old_rows_deleted').at(-1)).toMatchObject({ jobs: 1 });
});

const heldJobs = () =>
  around.rows.query(
    `select task_identifier as task, key from graphile_worker.jobs
     where locked_at is not null and task_identifier = 'recover-attempt'`,
  );

async function deleteOldRows(): Promise<void> {
  const before = merchant.events('old_rows_deleted').length;
  await around.rows.query(`select graphile_worker.add_job('delete-old-rows')`);
  await eventually(() => merchant.events('old_rows_deleted').length > before);
}
