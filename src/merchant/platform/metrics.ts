// The counters of `/metrics` (Prometheus text format), each of this process since its start. A feature names its own
// in `feature.ts`. Each Context has a registry of its own.

import { collectDefaultMetrics, Counter, Registry } from 'prom-client';

export type CounterRow = {
  name: string;
  help: string;
  /** Their values come from closed sets. */
  labels: readonly string[];
  /** Labels that begin at 0: Prometheus sees no increase where the first value of a counter is one. */
  fromZero?: readonly Readonly<Record<string, string>>[];
};
export type CounterRows = Readonly<Record<string, CounterRow>>;

/** A value for each label; nothing where there is none. */
type LabelsOf<Row extends CounterRow> = Row['labels'] extends readonly []
  ? []
  : [Readonly<Record<Row['labels'][number], string>>];

export type Metrics = ReturnType<typeof createMetrics>;

/** Registers the counters of the platform and of all features, so that `/metrics` has them from the start. */
export function createMetrics(features: readonly { counters?: CounterRows }[]) {
  const registry = new Registry();
  const rows = [platformCounters, ...features.map(({ counters = {} }) => counters)].flatMap((each) =>
    Object.values<CounterRow>(each),
  );
  const counters = new Map(rows.map((row) => [row.name, register(registry, row)]));
  return {
    registry,
    /** Adds figures of the process (memory, event loop). It starts observers, so only a running server calls it. */
    observeProcess: () => collectDefaultMetrics({ register: registry }),
    /** Counts one. A counter that no feature names in `feature.ts` is not counted; a test finds it. */
    count<Row extends CounterRow>({ name }: Row, ...[labels]: LabelsOf<Row>): void {
      counters.get(name)?.inc(labels ?? {});
    },
  };
}

/** What the platform itself counts. `http/metrics.ts` has the rest. */
export const platformCounters = {
  serviceCalls: {
    name: 'merchant_service_calls_total',
    help: 'Calls to the payment service by operation and result (HTTP status, or the kind of error).',
    labels: ['operation', 'result'],
  },
} as const satisfies CounterRows;

function register(registry: Registry, { name, help, labels, fromZero = [] }: CounterRow): Counter {
  const counter = new Counter({ name, help, labelNames: labels, registers: [registry] });
  for (const each of fromZero) counter.inc(each, 0);
  return counter;
}
