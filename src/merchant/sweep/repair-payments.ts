// A page of a list against the books. What differs is looked at through `syncPayment`, which alone writes; what a look
// does not repair is remembered, so that the same is not found again by every sweep for ever:
// - what was judged (`unknown_order`, `amount_mismatch`, ...) stands as a discrepancy, and is looked at again only when
//   the list says something else or its order has changed (another version, or registered at last);
// - what could not be judged (`queued`) is looked at again by the plan that holds for notifications, check-plan.ts.

import type { Clock } from '../clock';
import type { ServiceFaultKind } from '../errors';
import type { Logger } from '../logger';
import { nextCheckAt } from '../payments/check-plan';
import type { PaymentStore } from '../payments/payment-store';
import type { SyncPayment, SyncResult } from '../payments/sync-payment';
import type { ListedPage } from './listed-payments';
import {
  countReason,
  countRepaired,
  countUnrepaired,
  type ListReport,
  type SweepReport,
} from './sweep-report';
import type { Difference, SweepStore } from './sweep-store';

/** Payments that are looked at side by side: quick, and gentle to a service that others use as well. */
const AT_ONCE = 8;
/** After so many looks in a row that came to nothing the service is left alone until the next sweep. */
const GIVE_UP_AFTER = 8;

/** Reasons that are about the service and not about one payment of it. */
const NO_ANSWER = new Set<string>([
  'unreachable',
  'no_answer',
  'server_error',
  'rate_limited',
  'unauthorized',
] satisfies ServiceFaultKind[]);

type Dependencies = {
  store: Pick<SweepStore, 'compare' | 'findDue' | 'saveDifference' | 'forgetDifference'>;
  payments: Pick<PaymentStore, 'settleUnknown'>;
  syncPayment: SyncPayment;
  onRepaired: (list: string) => void;
  clock: Clock;
  logger: Logger;
};

/** What a sweep is counted in: the whole, and the list at hand under its name. */
export type Tally = {
  report: SweepReport;
  list: ListReport;
  name: string;
  dryRun: boolean;
  signal: AbortSignal;
};

export type RepairPayments = ReturnType<typeof createRepairPayments>;

export function createRepairPayments(dependencies: Dependencies) {
  const { store, payments, syncPayment, onRepaired, clock, logger } = dependencies;
  return {
    /** @returns false when the service does not answer: the page has to be gone through again */
    async repairPage({ payments: listed, unreadable }: ListedPage, tally: Tally): Promise<boolean> {
      const { list } = tally;
      const differences = await store.compare(listed);
      list.seen += listed.length + unreadable.length;
      list.inStep += listed.length - differences.length;
      if (unreadable.length > 0) {
        countReason(list, 'unreadable', unreadable.length);
        logger.warn({
          event: 'sweep_unreadable_records',
          list: tally.name,
          svcUids: unreadable.slice(0, 20),
        });
      }
      return lookAtAll(differences, tally);
    },

    /** Differences of earlier sweeps whose time has come, or whose order has changed. */
    async repairEarlier(tally: Tally): Promise<boolean> {
      const due = await store.findDue(clock.now());
      tally.list.seen += due.length;
      return lookAtAll(due, tally);
    },
  };

  async function lookAtAll(differences: Difference[], tally: Tally): Promise<boolean> {
    const { report, list, dryRun, signal } = tally;
    const worthALook: Difference[] = [];
    for (const difference of differences) {
      const { svcUid, merchantUid, earlier, unchanged } = difference;
      if (earlier && unchanged) countUnrepaired(report, list, { svcUid, merchantUid, ...reasonOf(earlier) });
      else worthALook.push(difference);
    }
    if (dryRun) list.toRepair += worthALook.length;
    if (dryRun) return true;

    let inVain = 0;
    const lookUntilDone = async (): Promise<void> => {
      for (let next = worthALook.shift(); next && !signal.aborted; next = worthALook.shift()) {
        inVain = (await look(next, tally)) ? 0 : inVain + 1;
        if (inVain >= GIVE_UP_AFTER) return;
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, lookUntilDone));
    } finally {
      worthALook.length = 0; // where one look has thrown, the others begin no more
    }
    return inVain < GIVE_UP_AFTER;
  }

  /** @returns whether the service gave an answer */
  async function look(difference: Difference, { report, list, name }: Tally): Promise<boolean> {
    const { svcUid, merchantUid } = difference;
    const claim = { svcUid, merchantUid };
    const result = await syncPayment({ ...claim, generation: 'legacy', notifications: null });
    const { outcome, reason } = result;
    if (outcome === 'recorded' || outcome === 'unchanged') {
      await store.forgetDifference(svcUid);
      await payments.settleUnknown(claim, clock.now());
    } else {
      await remember(difference, result);
    }
    if (outcome === 'recorded') {
      countRepaired(report, list, claim);
      onRepaired(name);
      logger.info({ event: 'payment_repaired', list: name, ...claim });
    } else if (outcome === 'unchanged') {
      // Its notification was quicker than we were.
      list.inStep += 1;
    } else {
      countUnrepaired(report, list, { ...claim, outcome, reason });
      logger.warn({ event: 'payment_not_repairable', list: name, ...claim, outcome, reason });
    }
    return !(outcome === 'queued' && reason !== null && NO_ANSWER.has(reason));
  }

  async function remember(difference: Difference, { outcome, reason }: SyncResult): Promise<void> {
    const now = clock.now();
    const firstSeenAt = difference.earlier?.firstSeenAt ?? now;
    const checks = (difference.earlier?.checks ?? 0) + 1;
    const next =
      outcome === 'queued'
        ? nextCheckAt({ outcome, statusBehind: false, checks, receivedAt: firstSeenAt, now })
        : null;
    await store.saveDifference(difference, { outcome, reason, checks, firstSeenAt, nextCheckAt: next });
  }
}

function reasonOf({ outcome, reason }: NonNullable<Difference['earlier']>) {
  return { outcome, reason };
}
