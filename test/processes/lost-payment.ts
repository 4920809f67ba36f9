// A key-in payment (§4.3) whose answer is lost, at a real process: a job polls the service for the outcome.

import { CARD } from '../support/cards';
import type { Rows } from '../support/rows';
import type { SandboxControls } from '../support/sandbox-controls';
import type { Merchant } from '../support/use-surroundings';

const PAY_ONETIME = 'POST /subscribe/payments/onetime';

export async function loseAnswer(
  api: Merchant['api'],
  sandbox: SandboxControls,
  merchantUid: string,
): Promise<void> {
  await sandbox.fault({ endpoint: PAY_ONETIME, kind: 'lost_response', times: 1 });
  const payment = { merchant_uid: merchantUid, name: 'Tea', amount: 1000, ...CARD };
  expect((await api('POST', '/api/onetime', payment)).status).toBe(202);
}

/** Resolves when a process has run the jobs of its start, which would poll at once. */
export async function jobsOfTheStart(rows: Rows): Promise<void> {
  await rows.waitFor(`select 1 from graphile_worker._private_known_crontabs limit 1`);
  await rows.waitFor(`select 1 where not exists (select from graphile_worker.jobs where run_at < now())`);
}
