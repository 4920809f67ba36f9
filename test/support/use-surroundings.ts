// The surroundings of merchants that run as processes: a database and a sandbox, for all tests of a file. Processes started here
// are killed at the end.

import type { SandboxConfig } from '../../src/sandbox/config';
import { startSandbox } from '../../src/sandbox/start-sandbox';
import { ask } from './ask';
import { callApi } from './calls';
import { API_KEY, FORM_SECRET } from './config';
import { openForAll, openForEach } from './open-between';
import { paySilently, registerOrder } from './orders';
import { createEmptyDatabase, createTestDatabase } from './postgres';
import { startMerchantProcess, type MerchantProcess } from './processes';
import { holdReconciliation } from './reconciliation';
import { openRows } from './rows';
import { createSandboxControls, type SandboxControls } from './sandbox-controls';
import { SERVICE_ADDRESS } from './world';

/** A merchant, and calls to it. */
export type Merchant = ReturnType<typeof withCalls>;
export type Surroundings = Awaited<ReturnType<typeof openSurroundings>>;

/** `isEmpty`: whether the database has no tables; `sandboxConfig`: settings of the sandbox other than its port */
type SurroundingsOptions = { isEmpty?: boolean; sandboxConfig?: Partial<SandboxConfig> };

export function useSurroundings(options?: SurroundingsOptions): Surroundings {
  return openForAll(() => openSurroundings(options));
}

/** One for each test. */
export function useFreshSurroundings(): Surroundings {
  return openForEach(openSurroundings);
}

async function openSurroundings({ isEmpty, sandboxConfig }: SurroundingsOptions = {}) {
  const database = await (isEmpty ? createEmptyDatabase() : createTestDatabase());
  const rows = openRows(database.url);
  const service = await startSandbox({ config: { port: 0, ...sandboxConfig } });
  const sandbox = createSandboxControls(service.url);
  const merchants: MerchantProcess[] = [];
  let allowReconciliation = (): Promise<void> => Promise.resolve();
  const settings = {
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: service.url,
    SERVICE_V2_BASE_URL: service.url,
    API_KEY,
    FORM_SECRET,
    MEMBER_SECRET: FORM_SECRET,
    OPERATOR_PASSWORD: FORM_SECRET,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  return {
    database,
    rows,
    sandbox,
    /** The sandbox's own records, to prepare thousands of them without requests. */
    atService: service.service,
    /** Settings of a merchant on this database and this sandbox. */
    environment: settings as Record<string, string>,
    /** @param environment additional settings; they override those above */
    async startMerchant(
      environment?: Record<string, string>,
      options?: Parameters<typeof startMerchantProcess>[1],
    ) {
      const merchant = await startMerchantProcess({ ...settings, ...environment }, options);
      merchants.push(merchant);
      return withCalls(merchant, sandbox);
    },
    /** Keeps the merchants from reconciling (hold-reconciliation.ts), until it is allowed or the database goes away. */
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

function withCalls(merchant: MerchantProcess, sandbox: SandboxControls) {
  const url = `http://127.0.0.1:${merchant.port}`;
  const api = (method: string, path: string, body?: unknown) => callApi(url, method, path, body);
  return {
    ...merchant,
    url,
    /** Its JSON API, with the key. */
    api,
    /** Sends a notification as the service does. Null if the connection breaks before the answer. */
    notify: (svcUid: string, merchantUid: string, status = 'paid') =>
      ask(url, 'POST', '/webhooks/payments', {
        headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
        body: JSON.stringify({ svc_uid: svcUid, merchant_uid: merchantUid, status }),
      }).then(
        ({ status, body }) => ({ status, ...(body as { outcome?: string }) }),
        () => null,
      ),
    /** Creates an order and pays it at the service without a notification. Returns the payment's svc_uid. */
    async payOrder(merchantUid: string) {
      await registerOrder({ api }, merchantUid);
      return (await paySilently({ sandbox }, merchantUid)).svc_uid;
    },
  };
}
