// The counters of `/metrics` (Prometheus text format), per process and since its start. A feature defines its own in
// `feature.ts`. Each Context has its own registry.

import { collectDefaultMetrics, Counter, Registry } from 'prom-client';

export type CounterRow = {
  name: string;
  help: string;
  /** Label values come from closed sets. */
  labels: readonly string[];
  /** Labels that start at 0: Prometheus sees no increase if the first value of a counter is 1. */
  fromZero?: readonly Readonly<Record<string, string>>[];
};
export type CounterRows = Readonly<Record<string, CounterRow>>;

/** A value for each label; nothing if the counter has no labels. */
type LabelsOf<Row extends CounterRow> = Row['labels'] extends readonly []
  ? []
  : [Readonly<Record<Row['labels'][number], string>>];

export type Metrics = ReturnType<typeof createMetrics>;

/** Registers the counters of the platform and all features, so that `/metrics` has them from the start. */
export function createMetrics(features: readonly { counters?: CounterRows }[]) {
  const registry = new Registry();
  const rows = [platformCounters, ...features.map(({ counters = {} }) => counters)].flatMap((each) =>
    Object.values<CounterRow>(each),
  );
  const counters = new Map(rows.map((row) => [row.name, register(registry, row)]));
  return {
    registry,
    /** Adds metrics of the process (memory, event loop). It starts observers, so only a running server calls it. */
    observeProcess: () => collectDefaultMetrics({ register: registry }),
    /** Increments a counter. A counter missing from every `feature.ts` is ignored; a test finds it. */
    count<Row extends CounterRow>({ name }: Row, ...[labels]: LabelsOf<Row>): void {
      counters.get(name)?.inc(labels ?? {});
    },
  };
}

/** The parts of the server that give answers, and the classes of their statuses. */
const AREAS = ['webhook', 'api', 'pages', 'probes'] as const;
export type Area = (typeof AREAS)[number];
const CLASSES = ['2xx', '3xx', '4xx', '5xx'];

/** Why headers may not be what the sender and the proxies have written. */
const UNCLEAR_HEADERS = ['too_many_lines', 'too_many_addresses', 'host', 'repeated'] as const;
export type UnclearHeaders = (typeof UNCLEAR_HEADERS)[number];

/** The platform's own counters. */
export const platformCounters = {
  serviceCalls: {
    name: 'merchant_service_calls_total',
    help: 'Calls to the payment service by operation and result (HTTP status, or the kind of error).',
    labels: ['operation', 'result'],
  },
  responses: {
    name: 'merchant_http_responses_total',
    help: 'Answers by area (webhook, api, pages, probes) and class of the status (2xx to 5xx).',
    labels: ['area', 'status'],
    fromZero: AREAS.flatMap((area) => CLASSES.map((status) => ({ area, status }))),
  },
  headersRefused: {
    name: 'merchant_headers_refused_total',
    help: 'Requests refused because of their headers, by reason: too_many_lines, too_many_addresses (in X-Forwarded-For), host (none or two), repeated (of one that has a single line).',
    labels: ['reason'],
    fromZero: UNCLEAR_HEADERS.map((reason) => ({ reason })),
  },
  apiKeysRefused: {
    name: 'merchant_api_keys_refused_total',
    help: 'API calls without the right key, by reason: missing, wrong, too_many (wrong keys from one network), scope (the key lacks it).',
    labels: ['reason'],
    fromZero: [{ reason: 'missing' }, { reason: 'wrong' }, { reason: 'too_many' }, { reason: 'scope' }],
  },
} as const satisfies CounterRows;

function register(registry: Registry, { name, help, labels, fromZero = [] }: CounterRow): Counter {
  const counter = new Counter({ name, help, labelNames: labels, registers: [registry] });
  for (const each of fromZero) counter.inc(each, 0);
  return counter;
}
