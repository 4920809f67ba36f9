// The gauges of `/metrics`: those of the features, of the jobs, and of this process.

import { Gauge, Registry } from 'prom-client';
import type { FeatureRows, GaugeRow } from '../../platform/context';
import { AT_MOST, type Figures } from '../../platform/gauge-store';
import type { JobFigures } from '../../platform/job-rows';

/** What is read for one answer. `now` is on the host's clock, as is the time since when a job is due. */
export type Reading = { figures: Figures; jobs: JobFigures; now: Date };

type GaugeRows = Readonly<Record<string, GaugeRow>>;

const JOB_GAUGES: GaugeRows = {
  merchant_jobs: {
    help: `Jobs by state: ready (due now), locked (in hand), failed (every try has failed). ${AT_MOST}`,
    label: { name: 'state', values: ['ready', 'locked', 'failed'] },
  },
  merchant_jobs_oldest_due_age_seconds: {
    help: 'How long the oldest job that is ready has been due; 0 where none is ready.',
  },
};

/** Of this process, and there also where the database does not answer. */
const PROCESS_GAUGES: GaugeRows = {
  merchant_gauges_up: {
    help: 'Whether the gauges could be read: 0 means that the database gave no answer in time.',
  },
  merchant_ready: { help: 'Whether this process is ready for traffic, as /readyz says.' },
};

/** All of them, by name. */
export function gaugeRows(features: readonly Pick<FeatureRows, 'gauges'>[]): GaugeRows {
  const all = [PROCESS_GAUGES, ...features.map(({ gauges }) => gauges?.rows ?? {}), JOB_GAUGES];
  return Object.fromEntries(all.flatMap((rows) => Object.entries(rows)));
}

/** @param reading null where the database gave no answer: then the gauges that come from it are left out */
export function gaugesText(
  features: readonly Pick<FeatureRows, 'gauges'>[],
  reading: Reading | null,
  isReady: boolean,
): Promise<string> {
  const registry = new Registry();
  const figures: Figures = {
    merchant_gauges_up: { '': reading ? 1 : 0 },
    merchant_ready: { '': isReady ? 1 : 0 },
    ...(reading && { ...reading.figures, ...jobFigures(reading) }),
  };
  for (const [name, { help, label }] of Object.entries(gaugeRows(features))) {
    const ofGauge = figures[name];
    if (!ofGauge) continue;
    const gauge = new Gauge({ name, help, labelNames: label ? [label.name] : [], registers: [registry] });
    for (const [value, number] of Object.entries(ofGauge))
      gauge.set(label ? { [label.name]: value } : {}, number);
  }
  return registry.metrics();
}

function jobFigures({ jobs: { ready, locked, failed, oldestDue }, now }: Reading): Figures {
  // A host whose clock was set back sees no negative age.
  const age = oldestDue ? Math.max(0, (now.getTime() - oldestDue.getTime()) / 1000) : 0;
  return {
    merchant_jobs: { ready, locked, failed },
    merchant_jobs_oldest_due_age_seconds: { '': age },
  };
}
