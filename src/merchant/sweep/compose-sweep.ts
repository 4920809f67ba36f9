// The parts of this folder, put together.

import type { Dependencies } from '../dependencies';
import { ServiceFault } from '../errors';
import { createPaymentStore } from '../payments/payment-store';
import type { SyncPayment } from '../payments/sync-payment';
import { createRepairPayments } from './repair-payments';
import { createSweep } from './sweep';
import { createTakeSweepTurn } from './sweep-lock-store';
import { isComplete } from './sweep-report';
import { createSweepStore } from './sweep-store';

type Needed = Pick<Dependencies, 'config' | 'database' | 'service' | 'metrics' | 'clock' | 'logger'>;
type Others = {
  syncPayment: SyncPayment;
  /** Looks after billing keys whose issuance is open (§4.7). */
  resolveOpenIssuances: () => Promise<void>;
};

export function composeSweep(dependencies: Needed, { syncPayment, resolveOpenIssuances }: Others) {
  const { config, database, service, metrics, clock, logger } = dependencies;
  const store = createSweepStore(database);
  const repair = createRepairPayments({
    store,
    payments: createPaymentStore(database),
    syncPayment,
    onRepaired: (list) => metrics.sweepRepaired.inc({ list }),
    clock,
    logger,
  });
  const sweep = createSweep({
    takeTurn: createTakeSweepTurn(config.databaseUrl),
    store,
    service,
    repair,
    clock,
  });
  return { sweep, tasks: { sweep: (_payload: unknown, signal?: AbortSignal) => sweepAsJob(signal) } };

  /** Every few minutes, once over all processes. A service that is away is asked again by the next one. */
  async function sweepAsJob(signal: AbortSignal | undefined): Promise<void> {
    try {
      await resolveOpenIssuances();
      const report = await sweep({ signal });
      if (report === null) return logger.info({ event: 'sweep_under_way_elsewhere' });
      const { lists, earlier } = report;
      metrics.sweeps.inc({ result: isComplete(report) ? 'complete' : 'incomplete' });
      logger.info({ event: 'sweep', complete: isComplete(report), lists, earlier });
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      metrics.sweeps.inc({ result: 'not_possible' });
      logger.warn({ event: 'sweep_not_possible', err: error });
    }
  }
}
