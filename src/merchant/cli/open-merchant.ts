// The merchant's parts without its server, for commands: the same stores, the same client, the same judgement.

import { createBillingKeyStore } from '../cards/billing-key-store';
import { createIssuanceJobs } from '../cards/issuance-jobs';
import { createResolveIssuance } from '../cards/resolve-issuance';
import type { Clock } from '../clock';
import type { Config } from '../config';
import { openDatabase } from '../database';
import { createJobs } from '../jobs';
import type { Logger } from '../logger';
import { createMetrics } from '../metrics';
import { createPaymentService } from '../payment-service/payment-service';
import { createWireNames } from '../payment-service/wire-names';
import { composePayments } from '../payments/compose-payments';
import { composeSweep } from '../sweep/compose-sweep';

const POOL_SIZE = 4;

export type OpenMerchant = ReturnType<typeof openMerchant>;

/** Nothing is connected before it is used; `close` lets go of everything. */
export function openMerchant({ config, clock, logger }: { config: Config; clock: Clock; logger: Logger }) {
  const database = openDatabase(config.databaseUrl, POOL_SIZE);
  const jobs = createJobs(config.databaseUrl, logger);
  const service = createPaymentService({ service: config.service, clock });
  const dependencies = {
    config,
    database,
    service,
    fromWire: createWireNames(config.service.namePrefix).fromWire,
    schedule: jobs.schedule,
    metrics: createMetrics(),
    clock,
    logger,
  };
  const { syncPayment } = composePayments(dependencies);
  const store = createBillingKeyStore(database);
  const issuances = createIssuanceJobs({
    store,
    resolveIssuance: createResolveIssuance({ store, service, clock }),
    schedule: jobs.schedule,
    clock,
  });
  const { sweep } = composeSweep(dependencies, {
    syncPayment,
    resolveOpenIssuances: () => issuances.resolveOpen(),
  });
  return {
    database,
    service,
    metrics: dependencies.metrics,
    syncPayment,
    /** Puts up the billing keys whose issuance is open (§4.7); whichever server runs looks after them. */
    resolveOpenIssuances: () => issuances.resolveOpen(),
    sweep,
    async close(): Promise<void> {
      await jobs.stop();
      await database.$disconnect();
    },
  };
}
