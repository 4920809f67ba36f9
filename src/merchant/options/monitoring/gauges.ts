// The gauges of `/metrics`: those of the features, of the jobs, and of this process.

import { Gauge, Registry } from 'prom-client';
import { within } from '../../platform/clock';
import type { Context, FeatureRows, GaugeRow } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { AT_MOST, readFigures, type Figures } from '../../platform/gauge-store';
import { readJobFigures, type JobFigures } from '../../platform/job-store';
import type { Readiness } from '../../platform/readiness';

/** The data of one answer. `now` is real time, like the due times of jobs. */
type Reading = { figures: Figures; jobs: JobFigures; now: Date };

type GaugeRows = Readonly<Record<string, GaugeRow>>;

const JOB_GAUGES: GaugeRows = {
  merchant_jobs: {
    help: `Jobs by state: ready (due now), locked (running), failed (no more retries). ${AT_MOST}`,
    label: { name: 'state', values: ['ready', 'locked', 'failed'] },
  },
  merchant_jobs_oldest_due_age_seconds: {
    help: 'How long the oldest ready job has been due; 0 if there is none.',
  },
};

/** Gauges of this process, shown even if the database does not answer. */
const PROCESS_GAUGES: GaugeRows = {
  merchant_gauges_up: {
    help: 'Whether the gauges could be read: 0 means that the database did not answer in time.',
  },
  merchant_ready: { help: 'Whether this process is ready for traffic (/readyz).' },
};

/** All of them, by name. */
export function gaugeRows(features: readonly Pick<FeatureRows, 'gauges'>[]): GaugeRows {
  const all = [PROCESS_GAUGES, ...features.map(({ gauges }) => gauges?.rows ?? {}), JOB_GAUGES];
  return Object.fromEntries(all.flatMap((rows) => Object.entries(rows)));
}

/** @param reading null if the database did not answer: the gauges that depend on it are then left out */
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
  // If the host's clock was set back, the age must not be negative.
  const age = oldestDue ? Math.max(0, (now.getTime() - oldestDue.getTime()) / 1000) : 0;
  return {
    merchant_jobs: { ready, locked, failed },
    merchant_jobs_oldest_due_age_seconds: { '': age },
  };
}

/** A reading, successful or not, is cached for this time. Prometheus usually scrapes every 15 s or less often. */
const KEPT_MS = 5_000;
/** Less than the scrape timeout of Prometheus (10 s), and less than the driver's wait for a connection. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * Reads the gauges for `/metrics`. A flood of requests costs the database one reading every few seconds; if the
 * database does not answer, a request takes two seconds.
 * @returns a function for the text of the gauges, which callers can call at any time and concurrently
 */
export function createGauges(context: Context, readiness: Readiness): () => Promise<string> {
  const { clock } = context;
  let kept: { text: string; readAtMs: number } | null = null;
  let underWay: Promise<string> | null = null;

  async function read(): Promise<string> {
    const [reading, reasons] = await Promise.all([
      within(ANSWER_WITHIN_MS, readDatabase(context)),
      within(ANSWER_WITHIN_MS, readiness.reasonsNotReady()),
    ]);
    const text = await gaugesText(context.features, reading, reasons?.length === 0);
    kept = { text, readAtMs: clock.monotonicMs() };
    return text;
  }

  return async () => {
    if (kept && clock.monotonicMs() - kept.readAtMs < KEPT_MS) return kept.text;
    underWay ??= read().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

async function readDatabase(context: Context): Promise<Reading | null> {
  const now = context.realClock.now();
  try {
    const [figures, jobs] = await Promise.all([readFigures(context), readJobFigures(context, now)]);
    return { figures, jobs, now };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    context.logger.warn({ event: 'gauges_not_read', err: error });
    return null;
  }
}
