// The counters of `/metrics` (Prometheus text format), each of this process since its start. Each Context has a registry of
// its own. What waits in the database is read when it is asked for: monitoring/gauges.ts.

import { collectDefaultMetrics, Counter, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    /** Adds figures of the process (memory, event loop). It starts observers, so only a running server calls it. */
    observeProcess: () => collectDefaultMetrics({ register: registry }),
    responses: new Counter({
      name: 'merchant_http_responses_total',
      help: 'Answers by area (webhook, api, pages, probes) and class of the status (2xx to 5xx).',
      labelNames: ['area', 'status'],
      registers,
    }),
    notifications: new Counter({
      name: 'merchant_notifications_total',
      help: 'Notifications by the outcome that was answered.',
      labelNames: ['outcome'],
      registers,
    }),
    notificationsPaced: new Counter({
      name: 'merchant_notifications_paced_total',
      help: 'Attempts to check a notification that were put off because too many name what we do not know.',
      registers,
    }),
    looksPaced: fromZero(
      new Counter({
        name: 'merchant_return_looks_paced_total',
        help: 'Visits of the return page for which the payment was not fetched because of a limit, by limit: address, order.',
        labelNames: ['limit'],
        registers,
      }),
      [{ limit: 'address' }, { limit: 'order' }],
    ),
    unlistedSources: new Counter({
      name: 'merchant_webhook_unlisted_sources_total',
      help: 'Requests to the webhook from an address that is not listed.',
      registers,
    }),
    eventDeliveries: new Counter({
      name: 'merchant_event_deliveries_total',
      help: 'Attempts to deliver an event of an order, by target and result (delivered, or why not).',
      labelNames: ['target', 'result'],
      registers,
    }),
    serviceCalls: new Counter({
      name: 'merchant_service_calls_total',
      help: 'Calls to the payment service by operation and result (HTTP status, or the kind of error).',
      labelNames: ['operation', 'result'],
      registers,
    }),
    discrepancies: new Counter({
      name: 'merchant_discrepancies_total',
      help: 'Discrepancies that were noted, by kind. Seen again while it is open, one is not counted again.',
      labelNames: ['kind'],
      registers,
    }),
    cardLimits: new Counter({
      name: 'merchant_card_limits_total',
      help: 'Cards that were not tried because of a limit, by limit: member, address, card, form (too soon), cards_held, network, challenge.',
      labelNames: ['limit'],
      registers,
    }),
    cardWaves: fromZero(
      new Counter({
        name: 'merchant_card_waves_total',
        help: 'Measures against a wave of declined cards that have begun: network (one has to wait), challenge.',
        labelNames: ['measure'],
        registers,
      }),
      [{ measure: 'network' }, { measure: 'challenge' }],
    ),
    cardFormClosures: new Counter({
      name: 'merchant_card_form_closures_total',
      help: 'How often a wave of declined cards has closed the card form.',
      registers,
    }),
    operatorSignIns: new Counter({
      name: 'merchant_operator_sign_ins_total',
      help: 'Attempts to sign in to the operator pages: signed_in, wrong_password, too_many.',
      labelNames: ['outcome'],
      registers,
    }),
    apiKeysRefused: new Counter({
      name: 'merchant_api_keys_refused_total',
      help: 'Calls of the API without its key, by reason: missing, wrong, too_many (wrong ones of one network).',
      labelNames: ['reason'],
      registers,
    }),
    reviews: new Counter({
      name: 'merchant_reviews_total',
      help: 'Issuances, charges and refunds that only a person can settle.',
      labelNames: ['attempt'],
      registers,
    }),
    reconciliations: new Counter({
      name: 'merchant_reconciliations_total',
      help: 'Reconciliations by result: complete, incomplete (a list was not read to its end), not_possible.',
      labelNames: ['result'],
      registers,
    }),
    reconciliationRepaired: new Counter({
      name: 'merchant_reconciliation_repaired_total',
      help: 'Payments stored by reconciliation, by list: their notification was lost, or is never sent.',
      labelNames: ['list'],
      registers,
    }),
  };
}

/** Prometheus sees no increase where the first value of a counter is one. */
function fromZero<Name extends string>(
  counter: Counter<Name>,
  labels: readonly Record<Name, string>[],
): Counter<Name> {
  for (const each of labels) counter.inc(each, 0);
  return counter;
}
