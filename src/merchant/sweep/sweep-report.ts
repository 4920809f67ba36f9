// What a sweep has found, counted.

import type { Claim } from '../payments/judge-payment';
import type { NotificationOutcome } from '../payments/notification';

export const SWEPT_LISTS = ['ready', 'paid', 'cancelled', 'failed', 'schedules'] as const;
export type SweptList = (typeof SWEPT_LISTS)[number];

/** A payment that is not in step and that a look at it did not bring in step. */
export type Unrepaired = Claim & { outcome: NotificationOutcome; reason: string | null };

export type ListReport = {
  /** Entries of the list. One that lies where two windows meet counts twice. */
  seen: number;
  inStep: number;
  /** Brought in step: each is a notification that was lost, or that the service never sends (§6.1). */
  repaired: number;
  /** In a dry run: differences that would have been looked at. */
  toRepair: number;
  /** By outcome, or by the reason why it waits for another look. */
  notRepairable: Record<string, number>;
  /** Why the list was not read to its end; null when it was. */
  stoppedBy: string | null;
};

export type SweepReport = {
  /** The service's time at the beginning. */
  at: Date;
  lists: Record<SweptList, ListReport>;
  /** Looked at again because an earlier sweep could not repair them. */
  earlier: ListReport;
  /** At most so many of each as a person can read. */
  repaired: Claim[];
  notRepairable: Unrepaired[];
};

const MOST_NAMED = 1000;

export function emptyReport(at: Date): SweepReport {
  const lists = Object.fromEntries(SWEPT_LISTS.map((list) => [list, emptyList()]));
  return {
    at,
    lists: lists as Record<SweptList, ListReport>,
    earlier: emptyList(),
    repaired: [],
    notRepairable: [],
  };
}

export function countRepaired(report: SweepReport, list: ListReport, { svcUid, merchantUid }: Claim): void {
  list.repaired += 1;
  if (report.repaired.length < MOST_NAMED) report.repaired.push({ svcUid, merchantUid });
}

export function countUnrepaired(report: SweepReport, list: ListReport, unrepaired: Unrepaired): void {
  countReason(list, unrepaired.reason ?? unrepaired.outcome);
  if (report.notRepairable.length < MOST_NAMED) report.notRepairable.push(unrepaired);
}

export function countReason(list: ListReport, reason: string, times = 1): void {
  list.notRepairable[reason] = (list.notRepairable[reason] ?? 0) + times;
}

export function isComplete(report: SweepReport): boolean {
  return [...Object.values(report.lists), report.earlier].every(({ stoppedBy }) => stoppedBy === null);
}

function emptyList(): ListReport {
  return { seen: 0, inStep: 0, repaired: 0, toRepair: 0, notRepairable: {}, stoppedBy: null };
}
