// The gauges of `/metrics`, each once: its name, what it says, and where it is read from. All processes of one database
// show the same, except for what is said to be of the process.

import { Gauge, Registry } from 'prom-client';
import { discrepancyKinds } from '../../core/payments/discrepancy-kinds';
import type { JobFigures } from '../../platform/job-rows';
import { COUNTED_AT_MOST, type Figures } from './figures-store';

/** What is read for one answer. `now` is on the host's clock, as are the times that are compared with it. */
export type Reading = { figures: Figures; jobs: JobFigures; now: Date };

type GaugeRow = {
  help: string;
  /** Null where there is one value only. */
  label: string | null;
  /** By the value of the label, each of a closed set; under '' where there is none. */
  read(reading: Reading): Record<string, number>;
};

const AT_MOST = `Counted up to ${COUNTED_AT_MOST}.`;
const ATTEMPTS = 'by attempt: issuance, charge, refund';

const GAUGES: Readonly<Record<string, GaugeRow>> = {
  merchant_notifications_open: {
    help: `Notifications that are to be checked, again or for the first time. ${AT_MOST}`,
    label: null,
    read: ({ figures }) => ({ '': figures.openNotifications }),
  },
  merchant_notifications_oldest_unchecked_age_seconds: {
    help: 'How long ago the oldest notification was received that could not be checked so far; 0 where there is none.',
    label: null,
    read: ({ figures, now }) => ({ '': age(figures.oldestUncheckedNotification, now) }),
  },
  merchant_discrepancies_open: {
    help: `Discrepancies that nobody has settled, by kind. ${AT_MOST}`,
    label: 'kind',
    read: ({ figures }) =>
      Object.fromEntries(discrepancyKinds.map((kind) => [kind, figures.openDiscrepancies[kind] ?? 0])),
  },
  merchant_attempts_needing_person: {
    help: `Attempts that only a person can settle, ${ATTEMPTS}. ${AT_MOST}`,
    label: 'attempt',
    read: ({ figures }) => figures.needingPerson,
  },
  merchant_attempts_unresolved: {
    help: `Attempts whose call is under way or whose outcome is polled for, ${ATTEMPTS}. ${AT_MOST}`,
    label: 'attempt',
    read: ({ figures }) => figures.unresolved,
  },
  merchant_attempts_oldest_unresolved_age_seconds: {
    help: `How long ago the oldest unresolved attempt began, ${ATTEMPTS}; 0 where there is none.`,
    label: 'attempt',
    read: ({ figures, now }) =>
      Object.fromEntries(
        Object.entries(figures.unresolvedSince).map(([attempt, since]) => [
          attempt,
          age(since === null ? null : new Date(since * 1000), now),
        ]),
      ),
  },
  merchant_events_undelivered: {
    help: `Events that were not delivered, by state: unpublished; waiting and given_up for each target. ${AT_MOST}`,
    label: 'state',
    read: ({ figures }) => figures.events,
  },
  merchant_events_oldest_undelivered_age_seconds: {
    help: 'How long ago the oldest event happened that is unpublished or waiting; 0 where there is none.',
    label: null,
    read: ({ figures, now }) => ({ '': age(figures.oldestEvent, now) }),
  },
  merchant_subscriptions_overdue: {
    help: `Subscriptions that should have been checked ten minutes ago or earlier. ${AT_MOST}`,
    label: null,
    read: ({ figures }) => ({ '': figures.overdueSubscriptions }),
  },
  merchant_reconciliation_last_finished_timestamp_seconds: {
    help: 'When reconciliation last came to its end, complete or not (UNIX seconds); 0 where it never has.',
    label: null,
    read: ({ figures }) => ({ '': unixSeconds(figures.reconciliationFinished) }),
  },
  merchant_reconciliation_last_complete_timestamp_seconds: {
    help: 'When reconciliation last read every list to its end (UNIX seconds); 0 where it never has.',
    label: null,
    read: ({ figures }) => ({ '': unixSeconds(figures.reconciliationComplete) }),
  },
  merchant_jobs: {
    help: `Jobs by state: ready (due now), locked (in hand), failed (every try has failed). ${AT_MOST}`,
    label: 'state',
    read: ({ jobs: { ready, locked, failed } }) => ({ ready, locked, failed }),
  },
  merchant_jobs_oldest_due_age_seconds: {
    help: 'How long the oldest job that is ready has been due; 0 where none is ready.',
    label: null,
    read: ({ jobs, now }) => ({ '': age(jobs.oldestDue, now) }),
  },
};

/** Of this process, and there also where the database does not answer. */
const PROCESS_GAUGES = {
  merchant_gauges_up: 'Whether the gauges could be read: 0 means that the database gave no answer in time.',
  merchant_ready: 'Whether this process wants traffic, as /readyz says.',
};

/** Names and labels, for what has to agree with them. */
export const GAUGE_LABELS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.keys(PROCESS_GAUGES).map((name) => [name, []])),
  ...Object.fromEntries(Object.entries(GAUGES).map(([name, { label }]) => [name, label ? [label] : []])),
};

/** @param reading null where the database gave no answer: then the gauges that come from it are left out */
export function gaugesText(reading: Reading | null, isReady: boolean): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const { merchant_gauges_up: upHelp, merchant_ready: readyHelp } = PROCESS_GAUGES;
  new Gauge({ name: 'merchant_gauges_up', help: upHelp, registers }).set(reading ? 1 : 0);
  new Gauge({ name: 'merchant_ready', help: readyHelp, registers }).set(isReady ? 1 : 0);
  if (reading)
    for (const [name, { help, label, read }] of Object.entries(GAUGES)) {
      const gauge = new Gauge({ name, help, labelNames: label ? [label] : [], registers });
      for (const [value, number] of Object.entries(read(reading)))
        gauge.set(label ? { [label]: value } : {}, number);
    }
  return registry.metrics();
}

/** A host whose clock was set back sees no negative age. */
function age(since: Date | null, now: Date): number {
  return since ? Math.max(0, (now.getTime() - since.getTime()) / 1000) : 0;
}

function unixSeconds(time: Date | null): number {
  return time ? time.getTime() / 1000 : 0;
}
