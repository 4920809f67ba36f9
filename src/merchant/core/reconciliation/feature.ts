// Compares the lists of the service with our rows: it finds payments whose notification never came (§6.1, §6.3, §6.5).

import { EVERY_FIVE_MINUTES } from '../../platform/clock';
import type { Feature } from '../../platform/http/feature-type';
import { reconciliationCounters, reconciliationGauges } from './metrics';
import { reconciliationColumns } from './personal-data';
import { reconcileAsJob } from './reconcile-job';

export const reconciliation: Feature = {
  name: 'reconciliation',
  jobs: [{ name: 'reconcile', crontab: EVERY_FIVE_MINUTES, priority: 3, run: reconcileAsJob }],
  personalData: reconciliationColumns,
  counters: reconciliationCounters,
  gauges: reconciliationGauges,
};
