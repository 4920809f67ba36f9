// What merchants that run as processes have around them: a database of their own and a sandbox, from before the tests of a file
// until after them. What was started here is killed in the end.

import { startSandbox } from '../../src/sandbox/start-sandbox';
import { API_KEY, FORM_SECRET } from './config';
import { holdReconciliation } from './hold-reconciliation';
import { startMerchantProcess, type MerchantProcess } from './merchant-process';
import { openBetween } from './open-between';
import { createTestDatabase, type TestDatabase } from './postgres';
import { openRows, type Rows } from './rows';
import { createSandboxControls, type SandboxControls } from './sandbox-controls';

export type Surroundings = {
  database: TestDatabase;
  rows: Rows;
  sandbox: SandboxControls;
  /** @param environment beside that of a merchant on this database and this sandbox, or in its place */
  startMerchant(
    environment?: Record<string, string>,
    options?: Parameters<typeof startMerchantProcess>[1],
  ): Promise<MerchantProcess>;
  /** Keeps the merchants from reconciling (hold-reconciliation.ts), until it is allowed or the database goes away. */
  holdReconciliation(): Promise<void>;
  allowReconciliation(): Promise<void>;
};

export function useSurroundings(): Surroundings {
  return openBetween(beforeAll, afterAll, openSurroundings, (around) => around.close());
}

async function openSurroundings(): Promise<Surroundings & { close(): Promise<void> }> {
  const database = await createTestDatabase();
  const rows = openRows(database.url);
  const service = await startSandbox({ config: { port: 0 } });
  const merchants: MerchantProcess[] = [];
  let allowReconciliation = (): Promise<void> => Promise.resolve();
  return {
    database,
    rows,
    sandbox: createSandboxControls(service.url),
    async startMerchant(environment, options) {
      const merchant = await startMerchantProcess(
        {
          DATABASE_URL: database.url,
          SERVICE_BASE_URL: service.url,
          SERVICE_V2_BASE_URL: service.url,
          API_KEY,
          FORM_SECRET,
          MEMBER_SECRET: FORM_SECRET,
          OPERATOR_PASSWORD: FORM_SECRET,
          TRUSTED_PROXIES: '127.0.0.1',
          ...environment,
        },
        options,
      );
      merchants.push(merchant);
      return merchant;
    },
    async holdReconciliation() {
      allowReconciliation = await holdReconciliation(database.url);
    },
    allowReconciliation: () => allowReconciliation(),
    async close() {
      await Promise.all(merchants.map((merchant) => merchant.kill('SIGKILL')));
      await allowReconciliation();
      await service.close();
      await rows.close();
      await database.drop();
    },
  };
}
