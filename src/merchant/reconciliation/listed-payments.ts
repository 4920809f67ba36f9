// The lists of the service as reconciliation reads them: payments by status (§4.5) and executed schedules (§4.8). Each is
// read in windows of time, and each window in pages that miss nothing while the list moves.

import type { Context } from '../context';
import { ServiceError } from '../errors';
import type { PaymentRecord } from '../payment-service/records/payment-record';
import type { ScheduleRecord } from '../payment-service/records/schedule-record';
import type { Claim } from '../payments/claim';
import type { ReconciledList } from './reconciliation-report';
import { firstWindow, shorterWindow, type Span } from './windows';

/** What a list says about a payment; null where it does not say. */
export type ListedPayment = Claim & {
  status: string;
  amount: number;
  cancelAmount: number | null;
  currency: string | null;
};

export type ListedPage = {
  payments: ListedPayment[];
  /** Records that cannot be read, by svc_uid where they have one. */
  unreadable: (string | null)[];
};

export type Window = Span & { pages: number };

/** The most that a page can hold (§8). */
const PAGE_SIZE = 1000;
/** The position is saved after at most this many entries: no more has to be read again after an interruption. */
const WINDOW_SIZE = 10 * PAGE_SIZE;

/**
 * The first part of a span that is read in one go, and how many pages it has.
 * @throws ServiceError
 */
export async function readFirstWindow(context: Context, list: ReconciledList, span: Span): Promise<Window> {
  if (list === 'schedules') return { ...firstWindow(span), pages: 1 };
  for (let window = firstWindow(span); ;) {
    const query = { ...window, page: 1, limit: 1 };
    const { total } = await context.service.getPaymentsByStatus(list, query);
    const shorter = total > WINDOW_SIZE ? shorterWindow(window, WINDOW_SIZE / total) : null;
    if (!shorter) return { ...window, pages: Math.ceil(total / PAGE_SIZE) };
    window = shorter;
  }
}

/** @throws ServiceError */
export function readPages(
  context: Context,
  list: ReconciledList,
  window: Window,
): AsyncGenerator<ListedPage> {
  return list === 'schedules' ? pagesOfSchedules(context, window) : pagesOfPayments(context, list, window);
}

/**
 * §4.5. A record that changes while a window is read moves to its end (sorted by `updated`, ascending) or out of it, and
 * those after it move up. If pages were read from the first to the last, one of those would slip from a page not yet
 * read onto one that was. The last page is therefore read first, and what moves up is met again. The record that changed
 * did so after this reconciliation began, and belongs to the next one.
 */
async function* pagesOfPayments(
  context: Context,
  status: Exclude<ReconciledList, 'schedules'>,
  { from, to, pages }: Window,
): AsyncGenerator<ListedPage> {
  for (let page = pages; page >= 1; page -= 1) {
    const query = { from, to, page, limit: PAGE_SIZE, sorting: 'updated' } as const;
    // A page that has moved past the end is empty (§4.5: 400).
    const { list, unreadable } = await context.service.getPaymentsByStatus(status, query);
    yield { payments: list.map(fromPayment), unreadable };
  }
}

/**
 * §4.8. The answer has no totals, so pages are read until one is short. An executed schedule stays executed: nothing
 * moves up, and what is added meanwhile makes others be met twice.
 */
async function* pagesOfSchedules(context: Context, { from, to }: Window): AsyncGenerator<ListedPage> {
  for (let page = 1; ; page += 1) {
    const schedules = await getExecutedSchedules(context, { from, to }, page);
    yield { payments: schedules.flatMap(fromSchedule), unreadable: [] };
    if (schedules.length < PAGE_SIZE) return;
  }
}

async function getExecutedSchedules(
  context: Context,
  { from, to }: Span,
  page: number,
): Promise<ScheduleRecord[]> {
  try {
    return await context.service.getSchedules({
      scheduleFrom: from,
      scheduleTo: to,
      scheduleStatus: 'executed',
      page,
      limit: PAGE_SIZE,
      sorting: 'scheduled',
    });
  } catch (error) {
    // §4.5 answers 400 to a page past the end; "invalid search parameters" in §4.8 may mean the same.
    const pastTheEnd = error instanceof ServiceError && error.facts.status === 400 && page > 1;
    if (pastTheEnd) return [];
    throw error;
  }
}

function fromPayment(record: PaymentRecord): ListedPayment {
  const { svcUid, merchantUid, status, amount, cancelAmount, currency } = record;
  return { svcUid, merchantUid, status, amount, cancelAmount, currency };
}

/** Empty where the schedule does not name its payment. */
function fromSchedule(schedule: ScheduleRecord): ListedPayment[] {
  const { svcUid, merchantUid, paymentStatus, amount, currency } = schedule;
  if (svcUid === null || paymentStatus === null) return [];
  return [{ svcUid, merchantUid, status: paymentStatus, amount, cancelAmount: null, currency }];
}
