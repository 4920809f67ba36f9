// What is counted for the people who run this (`/metrics`, Prometheus text). One registry per application.

import { collectDefaultMetrics, Counter, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    /** Adds figures of the process itself (memory, event loop), which start observers: only where they are served. */
    observeProcess: () => collectDefaultMetrics({ register: registry }),
    notifications: new Counter({
      name: 'merchant_notifications_total',
      help: 'Notifications by the outcome that was answered.',
      labelNames: ['outcome'],
      registers,
    }),
    unlistedSources: new Counter({
      name: 'merchant_webhook_unlisted_sources_total',
      help: 'Requests to the webhook from an address that is not listed.',
      registers,
    }),
    serviceCalls: new Counter({
      name: 'merchant_service_calls_total',
      help: 'Calls to the payment service by operation and result (HTTP status, or the kind of fault).',
      labelNames: ['operation', 'result'],
      registers,
    }),
    sweeps: new Counter({
      name: 'merchant_sweeps_total',
      help: 'Sweeps by result: complete, incomplete (a list could not be read to its end), not_possible.',
      labelNames: ['result'],
      registers,
    }),
    sweepRepaired: new Counter({
      name: 'merchant_sweep_repaired_total',
      help: 'Payments that a sweep brought into the books, by list: their notification was lost, or is never sent.',
      labelNames: ['list'],
      registers,
    }),
  };
}
